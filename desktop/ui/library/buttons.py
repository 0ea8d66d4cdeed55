"""The real buttons over the list's rows: stop, try again, unlock, and more for the current row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QWidget

from desktop.ui.controls import flat_button
from desktop.ui.library.model import LibraryModel
from desktop.ui.library.rows import LibraryRows
from desktop.ui.tokens import Space

if TYPE_CHECKING:
    from PySide6.QtWidgets import QToolButton

    from desktop.ui.library.row import RowView

ROW_ACTION_ICONS = {"cancel": "x", "retry": "rotate-cw", "unlock": "key-round"}


class RowButtons(QObject):
    """pressed(action, index, button): action is one of a `RowView`, or "more"."""

    pressed = Signal(str, object, object)

    def __init__(self, view: QListView, rows: LibraryRows) -> None:
        super().__init__(view)
        self._view = view
        self._rows = rows
        self._buttons: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        # Buttons follow the rows after the view itself has handled the change.
        self._placing = QTimer(self)
        self._placing.setSingleShot(True)
        self._placing.timeout.connect(self._place)
        for change in (rows.rowsInserted, rows.rowsRemoved):
            change.connect(lambda *_: self._placing.start(0))
        rows.dataChanged.connect(self._rows_changed)
        view.selectionModel().currentChanged.connect(lambda *_: self._placing.start(0))
        self._placing.start(0)

    def _rows_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        """Look only at what changed: progress comes often, and the list may be long."""
        for row in range(first.row(), last.row() + 1):
            index = self._rows.index(row)
            placed = self._buttons.get(QPersistentModelIndex(index), ("", None))[0]
            if placed != self._wanted(index):
                self._placing.start(0)

    def _wanted(self, index: QModelIndex) -> str:
        view: RowView | None = index.data(LibraryModel.ViewRole)
        own = view.action if view is not None else ""
        return own or ("more" if index == self._view.currentIndex() else "")

    def _place(self) -> None:
        """Give rows with something urgent, and the current row, a real button."""
        kept: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        rows = {key.row() for key in self._buttons if key.isValid()}
        for row in sorted(rows | set(self._rows.urgent()) | {self._view.currentIndex().row()}):
            index = self._rows.index(row)
            if not index.isValid():
                continue
            action = self._wanted(index)
            key = QPersistentModelIndex(index)
            known = self._buttons.get(key)
            there = self._view.indexWidget(index) is not None
            if known is not None and known[0] == action and there:
                kept[key] = known
            elif action:
                widget = self._holder(key, action)
                self._view.setIndexWidget(index, widget)
                kept[key] = (action, widget)
            elif there:
                self._view.setIndexWidget(index, None)  # type: ignore[arg-type]  # Qt allows null
        self._buttons = kept

    def _holder(self, key: QPersistentModelIndex, action: str) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        is_heading = key.data(LibraryRows.GroupRole) is not None
        row.setContentsMargins(0, 0 if is_heading else Space.XS, Space.S, 0)
        row.addStretch(1)
        button = self._button(action, str(key.data(Qt.ItemDataRole.DisplayRole)))
        button.clicked.connect(lambda: self.pressed.emit(action, key, button))
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return holder

    def _button(self, action: str, title: str) -> QToolButton:
        if action == "more":
            return flat_button("ellipsis", self.tr("More for {title}").format(title=title))
        says = {
            "cancel": self.tr("Stop indexing {title}"),
            "retry": self.tr("Try {title} again"),
            "unlock": self.tr("Enter the password of {title}"),
        }
        return flat_button(ROW_ACTION_ICONS[action], says[action].format(title=title))
