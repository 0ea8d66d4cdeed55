"""A list whose rows have keys and are drawn as the library draws its own: icon, title, detail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView

from desktop.ui.design.controls import plain_tooltip
from desktop.ui.library.delegate import LibraryDelegate
from desktop.ui.library.rows import ROOT, LibraryRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.library.row import RowView


class KeyedList(QListView):
    """chosen(key): a person went to a row; what the program shows chooses nothing."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        """name: how the list is spoken."""
        super().__init__()
        self._rows: list[tuple[str, RowView]] = []
        self._model = QStandardItemModel(self)  # goes with it, and its connections with it
        self.setModel(self._model)
        self.setItemDelegate(LibraryDelegate(self))
        self.setProperty("kind", "flat")
        self.setAccessibleName(name)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)  # titles break anew: rows grow
        self.setTabKeyNavigation(False)
        self._showing = False
        self.selectionModel().currentChanged.connect(lambda *_: self._changed())

    @property
    def key(self) -> str:
        """The row with the keyboard focus, "" for none."""
        row = self.currentIndex().row()
        return self._rows[row][0] if 0 <= row < len(self._rows) else ""

    def all_keys(self) -> list[str]:
        """Return every row's key, from the top."""
        return [key for key, _ in self._rows]

    def views(self) -> list[RowView]:
        """Return the rows as they are drawn."""
        return [view for _, view in self._rows]

    def show_rows(self, rows: Sequence[tuple[str, RowView]]) -> None:
        """Show other rows; the keyboard stays on its row where that is still there."""
        stays, self._showing = self.key, True
        self._rows = list(rows)
        self._model.clear()
        for _, view in rows:
            item = QStandardItem(view.title)
            item.setEditable(False)
            item.setData(view, LibraryRows.ViewRole)
            item.setData(0, LibraryRows.DepthRole)
            item.setData(view.spoken, Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(plain_tooltip(f"{view.title}\n{view.detail}".strip()))
            self._model.appendRow(item)
        self._showing = False
        self.go_to(stays)

    def go_to(self, key: str, *, choose: bool = False) -> None:
        """Put the keyboard on a row, on none if it is not shown. choose: and say so."""
        self._showing = not choose
        keys = self.all_keys()
        index = self._model.index(keys.index(key), 0) if key in keys else ROOT
        self.setCurrentIndex(index)
        if index.isValid():
            self.scrollTo(index)
        self._showing = False

    def _changed(self) -> None:
        if not self._showing and self.key:
            self.chosen.emit(self.key)
