"""What a manual's row says: its state in words, how much of it is read, its next action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.library.values import PASSES, DocumentRecord, PassName, PassProgress
from desktop.core.settings import BEST_TIER, UNKNOWN_TYPE
from desktop.ui import wording
from desktop.ui.language import told, tr

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RowView:
    """One row as it is drawn.

    detail: the line below the title. tone: "", "bad", "attention", or "open" for what is shown
    beside the list. icon: Lucide name.
    read: how much of it is read while that goes on, 0 to 1; None otherwise.
    action: "cancel", "retry", "unlock" or "": the button the row offers by itself.
    tags: what a person called it. other_revision: whether the library has another one.
    """

    title: str
    detail: str
    tone: str
    icon: str
    read: float | None = None
    action: str = ""
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
            return RowView(title, detail, "attention", "info", tags=record.tags)
        case "ready" if not record.has_words:
            detail = tr("{pages}, no words found").format(pages=wording.pages(record.page_count))
            return RowView(title, detail, "attention", "file-text", tags=record.tags)
        case "ready":
            return RowView(title, _ready(record, progress), "", "file-text", tags=record.tags)
        case "queued":
            return RowView(title, _queued(record), "", "hourglass", None, "cancel")
        case "indexing":
            shares = [_share(record, progress, place) for place in range(len(PASSES))]
            read = sum(shares) / len(shares)
            return RowView(title, _indexing(record, progress), "", "file-text", read, "cancel")
        case "needs_password":
            step = tr("Unlock it to read it.")
            detail = f"{told(record.reason) or tr('Locked: needs its password.')} {step}"
            return RowView(title, detail, "attention", "lock", None, "unlock")
        case "failed":
            step = tr("Try again, or add a better copy of the file.")
            detail = f"{told(record.reason) or tr('Could not be read.')} {step}"
            return RowView(title, detail, "bad", "octagon-alert", None, "retry")
        case "cancelled":
            detail = tr("Stopped. {done} of {total} searchable.").format(
                done=record.done[0], total=wording.pages(record.page_count)
            )
            return RowView(title, detail, "attention", "square", None, "retry")


def current_pass(progress: Mapping[PassName, PassProgress]) -> PassProgress | None:
    """Return the progress of the current pass, the last one to have begun."""
    begun = [progress[name] for name in PASSES if name in progress]
    unfinished = [each for each in begun if each.done < each.total]
    last = unfinished or begun
    return last[-1] if last else None


def _ready(record: DocumentRecord, progress: Mapping[PassName, PassProgress]) -> str:
    parts = wording.pages(record.page_count)
    if record.failed_pages:
        whole = tr("{pages}, {failed} only partly read")
        parts = whole.format(pages=parts, failed=record.failed_pages)
    pack = tr("pack {name}").format(name=record.pack) if record.pack else ""
    marks = (record.revision or record.revision_date, _kind(record), pack)
    parts = " · ".join((parts, *filter(None, marks)))
    looking = progress.get("pictures")
    if looking is not None and looking.done < looking.total:
        return f"{parts} · {_how_far(looking)}"
    return f"{parts}. {told(record.reason)}" if record.reason else parts


def _older(newer: DocumentRecord) -> str:
    mark = newer.revision or newer.revision_date
    return tr("Older revision; {newer} is here").format(newer=mark)


def _kind(record: DocumentRecord) -> str:
    """Return what a manual is if that is known and it is not the maker's."""
    if record.tier == BEST_TIER or record.source_type == UNKNOWN_TYPE:
        return ""
    return wording.source_kind(record.source_type)


def _queued(record: DocumentRecord) -> str:
    if record.page_count:
        return tr("Waiting, {pages}").format(pages=wording.pages(record.page_count))
    return tr("Waiting")


def _share(record: DocumentRecord, progress: Mapping[PassName, PassProgress], place: int) -> float:
    known = progress.get(PASSES[place])
    total = known.total if known else record.page_count
    done = known.done if known else record.done[place]
    return min(1.0, done / total) if total else 0.0


def _indexing(record: DocumentRecord, progress: Mapping[PassName, PassProgress]) -> str:
    """Return whether it can be asked, or which pages are read first: always one line."""
    now = current_pass(progress)
    if now is None or now.done >= now.total:
        return tr("You can ask now") if record.searchable else tr("Starting")
    if record.searchable and now.pass_name != "text":
        return tr("You can ask now")
    return _how_far(now)


def _how_far(now: PassProgress) -> str:
    looks = now.pass_name == "pictures"
    says = tr("Pictures {done} of {total}") if looks else tr("Reading page {done} of {total}")
    return says.format(done=wording.number(now.done), total=wording.number(now.total))
