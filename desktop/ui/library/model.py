"""The manuals that are shown, fed by ingestion events instead of database reads, and their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.core.library.values import PASSES, DocumentRecord, PassName, PassProgress
from desktop.core.settings import BEST_TIER, UNKNOWN_TYPE
from desktop.ui import wording
from desktop.ui.language import told, tr

if TYPE_CHECKING:
    from desktop.core.events import PageRegion


READABLE = "file-text"
"""The icon of a manual about which there is nothing else to say: its cover may replace it."""


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
            older = tr("Older revision; {newer} is here")
            older = older.format(newer=newer.revision or newer.revision_date)
            detail = f"{older} · {_ready(record, progress)}"
            return RowView(title, detail, "attention", "info", tags=record.tags)
        case "ready" if not record.has_words:
            detail = tr("{pages}, no words found").format(pages=wording.pages(record.page_count))
            return RowView(title, detail, "attention", READABLE, tags=record.tags)
        case "ready":
            return RowView(title, _ready(record, progress), "", READABLE, tags=record.tags)
        case "queued":
            return RowView(title, _queued(record), "", "hourglass", None, "cancel")
        case "indexing":
            shares = [_share(record, progress, place) for place in range(len(PASSES))]
            read = sum(shares) / len(shares)
            return RowView(title, _indexing(record, progress), "", READABLE, read, "cancel")
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


class LibraryModel(QObject):
    """Sorted by title; a removed manual is hidden until its removal is final.

    listed(): manuals came, went or changed places. added(): one that was not shown before came.
    redrawn(ids): how these are drawn changed. revised(): the set of manuals that are older
    revisions changed.
    """

    listed = Signal()
    added = Signal()
    redrawn = Signal(object)
    revised = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: dict[int, DocumentRecord] = {}  # in order
        self._progress: dict[int, dict[PassName, PassProgress]] = {}
        self._hidden: set[int] = set()
        self._newer: dict[int, int] = {}
        # Qt asks every row again after each change of one of them.
        self._views: dict[int, RowView] = {}

    def records(self) -> list[DocumentRecord]:
        """Return the manuals that are shown, in order."""
        return list(self._records.values())

    def record(self, document_id: int) -> DocumentRecord | None:
        """Return one manual, or None when it is not shown."""
        return self._records.get(document_id)

    def chosen(self, document_ids: Iterable[int]) -> list[DocumentRecord]:
        """Return those of the manuals that are shown."""
        found = (self.record(each) for each in document_ids)
        return [each for each in found if each is not None]

    def view(self, document_id: int) -> RowView | None:
        """Return how a manual is drawn, None when it is not shown."""
        record = self.record(document_id)
        view = self._views.get(document_id)
        if record is not None and view is None:
            view = row_view(record, self.progress(record.id), self.newer_than(record.id))
            if record.id in self._newer or record.id in self._newer.values():
                view = replace(view, other_revision=True)
            self._views[record.id] = view
        return view

    def tags(self) -> list[str]:
        """Return every tag that a manual has, by name; capitals do not tell them apart."""
        known: dict[str, str] = {}
        for record in self.records():
            for tag in record.tags:
                known.setdefault(tag.casefold(), tag)
        return [known[each] for each in sorted(known)]

    def kinds(self) -> list[str]:
        """Return every kind of document that there is."""
        return sorted({each.source_type for each in self.records()})

    @property
    def older(self) -> Collection[int]:
        """The manuals that have a newer revision here."""
        return self._newer.keys()

    def newer_than(self, document_id: int) -> DocumentRecord | None:
        """Return a manual's newest revision, None if it is the newest itself."""
        newer = self._newer.get(document_id)
        return None if newer is None else self.record(newer)

    def progress(self, document_id: int) -> dict[PassName, PassProgress]:
        """Return the last known progress of each pass of a manual."""
        return self._progress.get(document_id, {})

    def replace_all(self, records: Iterable[DocumentRecord]) -> None:
        """Show exactly these manuals."""
        shown = sorted((each for each in records if each.id not in self._hidden), key=_order)
        if [each.id for each in shown] == list(self._records):
            for record in shown:
                self._put(record)
            self._compare_revisions()
            return
        self._views.clear()
        self._records = {each.id: each for each in shown}
        self._newer = self._newer_revisions()
        self.listed.emit()
        self.revised.emit()

    def put(self, record: DocumentRecord) -> None:
        """Add a manual or show its new state."""
        known = self.record(record.id)
        self._put(record)
        if known is None or _edition(known) != _edition(record):
            self._compare_revisions()

    def _put(self, record: DocumentRecord) -> None:
        known = self.record(record.id)
        if record.id in self._hidden:
            return
        if record.state != "indexing":
            self._progress.pop(record.id, None)
        if known == record:
            return
        self._records[record.id] = record
        if known is not None and _order(known) == _order(record):
            self._redraw(record.id)
            return
        self._views.pop(record.id, None)
        self._records = {each.id: each for each in sorted(self.records(), key=_order)}
        self.listed.emit()
        if known is None:
            self.added.emit()

    def advance(self, progress: PassProgress) -> None:
        """Show a pass's progress."""
        self._progress.setdefault(progress.document_id, {})[progress.pass_name] = progress
        self._redraw(progress.document_id)

    def hide(self, document_id: int) -> None:
        """Take a manual out of sight while its removal can be undone."""
        self._hidden.add(document_id)
        if self._records.pop(document_id, None) is not None:
            self._views.pop(document_id, None)
            self.listed.emit()
            self._compare_revisions()

    def unhide(self, record: DocumentRecord) -> None:
        """Bring a manual back."""
        self._hidden.discard(record.id)
        self.put(record)

    def forget(self, document_id: int) -> None:
        """The removal is final; the library may give the id to another manual."""
        self._hidden.discard(document_id)
        self._progress.pop(document_id, None)

    def _newer_revisions(self) -> dict[int, int]:
        from desktop.core.library.editions import newer_revisions  # not for an empty window

        return newer_revisions(self.records())

    def _compare_revisions(self) -> None:
        before, self._newer = self._newer, self._newer_revisions()
        if before == self._newer:
            return
        changed = {
            each
            for old in before.keys() | self._newer.keys()
            if before.get(old) != self._newer.get(old)
            for each in (old, before.get(old), self._newer.get(old))
            if each is not None
        }
        self._redraw(*changed)
        self.revised.emit()

    def _redraw(self, *document_ids: int) -> None:
        shown = [each for each in document_ids if each in self._records]
        for document_id in shown:
            self._views.pop(document_id, None)
        if shown:
            self.redrawn.emit(shown)


def _edition(record: DocumentRecord) -> tuple[object, ...]:
    """Return what decides whether a manual is an older revision."""
    marks = (record.revision, record.revision_date, record.source_type)
    return (record.title, *marks, record.place.key, record.searchable)


def _order(record: DocumentRecord) -> tuple[str, int]:
    return ((record.title.strip() or record.name).casefold(), record.id)


def cited_title(model: LibraryModel, place: PageRegion) -> str:
    """Return the title of a cited manual; its file name if it is gone from the library."""
    record = model.record(place.document_id)
    if record is None:
        return tr("{name} (no longer in the library)").format(name=place.document)
    title = record.title.strip() or record.name
    newer = model.newer_than(record.id)
    if newer is None:
        return title
    mark = newer.revision or newer.revision_date
    return tr("{title} (older revision, {newer} is here)").format(title=title, newer=mark)
