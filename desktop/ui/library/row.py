"""What a manual's row says: its state in words, its passes as fractions, its next action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.core.library.values import PASSES, DocumentRecord, PassName, PassProgress
from desktop.core.settings import BEST_TIER
from desktop.ui import wording
from desktop.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RowView:
    """One row as it is drawn.

    detail: the line below the title. tone: "", "bad" or "attention". icon: Lucide name.
    passes: fractions done of the three passes while indexing, else empty.
    action: "cancel", "retry", "unlock" or "": the button the row offers by itself.
    tags: what a person called it. other_revision: whether the library has another one.
    """

    title: str
    detail: str
    tone: str
    icon: str
    passes: tuple[float, ...]
    action: str
    tags: tuple[str, ...] = ()
    other_revision: bool = False

    @property
    def spoken(self) -> str:
        """The row for a screen reader."""
        return ", ".join((self.title, self.detail, *self.tags))


def row_view(
    record: DocumentRecord,
    progress: Mapping[PassName, PassProgress],
    newer: DocumentRecord | None = None,
) -> RowView:
    """Describe a manual with the progress of its passes. newer: its newest revision, if any."""
    title = record.title.strip() or record.name
    match record.state:
        case "ready" if newer is not None:
            detail = f"{_older(newer)} · {_ready(record, progress)}"
            return RowView(title, detail, "attention", "info", (), "", record.tags)
        case "ready":
            detail = _ready(record, progress)
            return RowView(title, detail, "", "file-text", (), "", record.tags)
        case "queued":
            return RowView(title, _queued(record), "", "hourglass", (), "cancel")
        case "indexing":
            shares = tuple(_share(record, progress, place) for place in range(len(PASSES)))
            return RowView(title, _indexing(record, progress), "", "file-text", shares, "cancel")
        case "needs_password":
            step = _tr("Unlock it to read it.")
            detail = f"{told(record.reason) or _tr('Locked: needs its password.')} {step}"
            return RowView(title, detail, "attention", "lock", (), "unlock")
        case "failed":
            step = _tr("Try again, or add a better copy of the file.")
            detail = f"{told(record.reason) or _tr('Could not be read.')} {step}"
            return RowView(title, detail, "bad", "octagon-alert", (), "retry")
        case "cancelled":
            detail = _tr("Stopped. {done} of {total} searchable.").format(
                done=record.done[0], total=wording.pages(record.page_count)
            )
            return RowView(title, detail, "attention", "square", (), "retry")


def current_pass(progress: Mapping[PassName, PassProgress]) -> PassProgress | None:
    """Return the progress of the pass that is going on, the last one that has begun."""
    begun = [progress[name] for name in PASSES if name in progress]
    unfinished = [each for each in begun if each.done < each.total]
    last = unfinished or begun
    return last[-1] if last else None


def _ready(record: DocumentRecord, progress: Mapping[PassName, PassProgress]) -> str:
    parts = wording.pages(record.page_count)
    if record.failed_pages:
        whole = _tr("{pages}, {failed} not read whole")
        parts = whole.format(pages=parts, failed=record.failed_pages)
    pack = _tr("pack {name}").format(name=record.pack) if record.pack else ""
    marks = (record.revision or record.revision_date, _kind(record), pack)
    parts = " · ".join((parts, *filter(None, marks)))
    looking = progress.get("pictures")
    if looking is not None and looking.done < looking.total:
        return f"{parts} · {_how_far(looking)}"
    return f"{parts}. {told(record.reason)}" if record.reason else parts


def _older(newer: DocumentRecord) -> str:
    mark = newer.revision or newer.revision_date
    return _tr("Older revision, {newer} is here").format(newer=mark)


def _kind(record: DocumentRecord) -> str:
    """Return what a manual is if it is not the maker's."""
    if record.tier == BEST_TIER:
        return ""
    return wording.source_kind(record.source_type)


def _queued(record: DocumentRecord) -> str:
    if record.page_count:
        return _tr("Waiting, {pages}").format(pages=wording.pages(record.page_count))
    return _tr("Waiting")


def _share(record: DocumentRecord, progress: Mapping[PassName, PassProgress], place: int) -> float:
    known = progress.get(PASSES[place])
    total = known.total if known else record.page_count
    done = known.done if known else record.done[place]
    return min(1.0, done / total) if total else 0.0


def _indexing(record: DocumentRecord, progress: Mapping[PassName, PassProgress]) -> str:
    now = current_pass(progress)
    going = _how_far(now) if now is not None and now.done < now.total else ""
    if now is not None and now.pass_name == "text" and going:
        return going
    ready = _tr("You can ask now") if record.searchable else ""
    return " · ".join(filter(None, (ready, going))) or _tr("Starting")


def _how_far(now: PassProgress) -> str:
    parts = [
        _tr("{what} {done} of {total}").format(
            what=pass_title(now.pass_name),
            done=wording.number(now.done),
            total=wording.number(now.total),
        )
    ]
    if now.seconds_left is not None:
        parts.append(wording.time_left(now.seconds_left))
    return " · ".join(parts)


def pass_title(name: PassName) -> str:
    """Return what a pass does, in a word or two."""
    match name:
        case "text":
            return _tr("Reading text")
        case "layout":
            return _tr("Layout")
        case "vectors":
            return _tr("Meaning")
        case "pictures":
            return _tr("Pictures")


def _tr(text: str) -> str:
    return QCoreApplication.translate("LibraryRow", text)
