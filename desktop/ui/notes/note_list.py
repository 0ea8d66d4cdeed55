"""The notes that a list shows, one row each: how it begins, what it is, about what, since when."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, Qt, Signal
from PySide6.QtWidgets import QListView

from desktop.core.notes.wording import day
from desktop.ui.library.delegate import LibraryDelegate
from desktop.ui.library.model import ROOT, LibraryModel, RowIndex
from desktop.ui.library.row import RowView
from desktop.ui.library.rows import LibraryRows
from desktop.ui.notes import words
from desktop.ui.notes.kinds import row

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QKeyEvent

    from desktop.core.notes.note import Note


class _Rows(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, RowView]] = []

    def rowCount(self, parent: RowIndex = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: RowIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        view = self.rows[index.row()][1]
        match role:
            case LibraryModel.ViewRole:
                return view
            case LibraryRows.DepthRole:
                return 0
            case Qt.ItemDataRole.DisplayRole:
                return view.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return view.spoken
            case _:
                return None

    def replace(self, rows: list[tuple[str, RowView]]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()


class NoteList(QListView):
    """chosen(piece_id): a person went to a note. delete_wanted(piece_id): with the Delete key."""

    chosen = Signal(str)
    delete_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._rows = _Rows()
        self.setModel(self._rows)
        self.setItemDelegate(LibraryDelegate(self))
        self.setProperty("kind", "flat")
        self.setAccessibleName(self.tr("Notes"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self._showing = False
        self.selectionModel().currentChanged.connect(lambda *_: self._changed())

    @property
    def key(self) -> str:
        """The note that the keyboard is on, "" for none."""
        row = self.currentIndex().row()
        return self._rows.rows[row][0] if 0 <= row < len(self._rows.rows) else ""

    def views(self) -> list[RowView]:
        """Return the rows as they are drawn."""
        return [view for _, view in self._rows.rows]

    def keys(self) -> list[str]:
        """Return the notes that are shown."""
        return [key for key, _ in self._rows.rows]

    def show_notes(self, notes: Sequence[Note], edited: Collection[str]) -> None:
        """Show notes in this order. edited: those that were changed and are not kept yet."""
        stays, self._showing = self.key, True
        self._rows.replace([(each.piece_id, _row(each, edited)) for each in notes])
        self._showing = False
        self.go_to(stays)

    def go_to(self, key: str) -> None:
        """Put the keyboard on a note without choosing it; on none if it is not shown."""
        self._showing = True
        keys = self.keys()
        if key in keys:
            index = self._rows.index(keys.index(key))
            self.setCurrentIndex(index)
            self.scrollTo(index)
        else:
            self.setCurrentIndex(ROOT)
        self._showing = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.key:
            self.delete_wanted.emit(self.key)
            return
        super().keyPressEvent(event)

    def _changed(self) -> None:
        if not self._showing and self.key:
            self.chosen.emit(self.key)


def _row(note: Note, edited: Collection[str]) -> RowView:
    icon = "link-2" if note.pages else "sticky-note"
    # the dots of a shortened title do not stand on a line of their own
    title = note.title.replace(" …", "\u00a0…")
    view = RowView(title, row(note, day(note.written)), "", icon, (), "")
    if note.piece_id in edited:
        return replace(view, detail=words.not_kept_yet(), tone="attention")
    return view
