"""The manuals as a Qt model, fed by ingestion events instead of database reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.core.library.editions import newer_revisions
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.language import tr
from desktop.ui.library.row import RowView, row_view

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from desktop.core.events import PageRegion
    from desktop.core.library.values import DocumentRecord, PassName, PassProgress

RowIndex = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class LibraryModel(QAbstractListModel):
    """Rows sorted by title; a removed manual is hidden until its removal is final.

    revised(): the set of manuals that are older revisions changed.
    """

    revised = Signal()

    ViewRole = Qt.ItemDataRole.UserRole + 1
    IdRole = Qt.ItemDataRole.UserRole + 2

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: list[DocumentRecord] = []
        self._rows: dict[int, int] = {}
        self._progress: dict[int, dict[PassName, PassProgress]] = {}
        self._hidden: set[int] = set()
        self._newer: dict[int, int] = {}
        # Qt asks every row again after each change of one of them.
        self._views: dict[int, RowView] = {}

    def records(self) -> list[DocumentRecord]:
        """Return the manuals that are shown, in order."""
        return list(self._records)

    def record(self, document_id: int) -> DocumentRecord | None:
        """Return one manual, or None when it is not shown."""
        row = self.row_of(document_id)
        return self._records[row] if row >= 0 else None

    def chosen(self, document_ids: Iterable[int]) -> list[DocumentRecord]:
        """Return those of the manuals that are shown."""
        found = (self.record(each) for each in document_ids)
        return [each for each in found if each is not None]

    def row_of(self, document_id: int) -> int:
        """Return the manual's row, -1 when it is not shown."""
        if len(self._rows) != len(self._records):
            self._rows = {each.id: row for row, each in enumerate(self._records)}
        return self._rows.get(document_id, -1)

    def view(self, document_id: int) -> RowView | None:
        """Return how a manual is drawn, None when it is not shown."""
        record = self.record(document_id)
        return None if record is None else self._view(record)

    def tags(self) -> list[str]:
        """Return every tag that a manual has, by name; capitals do not tell them apart."""
        known: dict[str, str] = {}
        for record in self._records:
            for tag in record.tags:
                known.setdefault(tag.casefold(), tag)
        return [known[each] for each in sorted(known)]

    def kinds(self) -> list[str]:
        """Return every kind of document that there is."""
        return sorted({each.source_type for each in self._records})

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
        """Show exactly these manuals; resets only when the set of manuals differs."""
        shown = sorted((each for each in records if each.id not in self._hidden), key=_order)
        if [each.id for each in shown] == [each.id for each in self._records]:
            for record in shown:
                self._put(record)
            self._compare_revisions()
            return
        self.beginResetModel()
        self._views.clear()
        self._records = shown
        self._rows.clear()
        self._newer = newer_revisions(shown)
        self.endResetModel()
        self.revised.emit()

    def put(self, record: DocumentRecord) -> None:
        """Add a manual or show its new state."""
        known = self.record(record.id)
        self._put(record)
        if known is None or _edition(known) != _edition(record):
            self._compare_revisions()

    def _put(self, record: DocumentRecord) -> None:
        if record.id in self._hidden:
            return
        row = self.row_of(record.id)
        if record.state != "indexing":
            self._progress.pop(record.id, None)
        if row >= 0 and _order(self._records[row]) == _order(record):
            if self._records[row] != record:
                self._records[row] = record
                self._announce(row)
            return
        if row >= 0:
            self._take(row)
        row = sum(1 for each in self._records if _order(each) < _order(record))
        self.beginInsertRows(ROOT, row, row)
        self._records.insert(row, record)
        self._rows.clear()
        self.endInsertRows()

    def advance(self, progress: PassProgress) -> None:
        """Show a pass's progress."""
        self._progress.setdefault(progress.document_id, {})[progress.pass_name] = progress
        row = self.row_of(progress.document_id)
        if row >= 0:
            self._announce(row)

    def hide(self, document_id: int) -> None:
        """Take a manual out of sight while its removal can be undone."""
        self._hidden.add(document_id)
        row = self.row_of(document_id)
        if row >= 0:
            self._take(row)
            self._compare_revisions()

    def unhide(self, record: DocumentRecord) -> None:
        """Bring a manual back."""
        self._hidden.discard(record.id)
        self.put(record)

    def forget(self, document_id: int) -> None:
        """The removal is final; the library may give the id to another manual."""
        self._hidden.discard(document_id)
        self._progress.pop(document_id, None)

    def rowCount(self, parent: RowIndex = ROOT) -> int:
        return 0 if parent.isValid() else len(self._records)

    def data(self, index: RowIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._records):
            return None
        record = self._records[index.row()]
        if role == self.IdRole:
            return record.id
        if role == Qt.ItemDataRole.DisplayRole:
            return record.title.strip() or record.name
        if role == Qt.ItemDataRole.ToolTipRole:
            view = self._view(record)
            return plain_tooltip(f"{view.title}\n{view.detail}")
        if role in (self.ViewRole, Qt.ItemDataRole.AccessibleTextRole):
            view = self._view(record)
            return view if role == self.ViewRole else view.spoken
        return None

    def _view(self, record: DocumentRecord) -> RowView:
        view = self._views.get(record.id)
        if view is None:
            newer = self.newer_than(record.id)
            progress = self.progress(record.id)
            view = row_view(record, progress, newer)
            if record.id in self._newer or record.id in self._newer.values():
                view = replace(view, other_revision=True)
            self._views[record.id] = view
        return view

    def _compare_revisions(self) -> None:
        before, self._newer = self._newer, newer_revisions(self._records)
        if before == self._newer:
            return
        for old in before.keys() | self._newer.keys():
            if before.get(old) == self._newer.get(old):
                continue
            for document_id in (old, before.get(old), self._newer.get(old)):
                row = self.row_of(document_id) if document_id is not None else -1
                if row >= 0:
                    self._announce(row)
        self.revised.emit()

    def _take(self, row: int) -> None:
        self.beginRemoveRows(ROOT, row, row)
        self._views.pop(self._records[row].id, None)
        del self._records[row]
        self._rows.clear()
        self.endRemoveRows()

    def _announce(self, row: int) -> None:
        self._views.pop(self._records[row].id, None)
        index = self.index(row)
        self.dataChanged.emit(index, index)


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
