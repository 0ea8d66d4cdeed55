"""Rows beside the pages, tall enough for a gloved finger, and lists of what a person marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent

Index = QModelIndex | QPersistentModelIndex


class TallRows(QStyledItemDelegate):
    """Draws as the style does, in rows of the size of a target."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(Size.TARGET, size.height() + Space.S))


def make_tall(view: QAbstractItemView) -> None:
    """Give a list or tree the look of the window's other lists, and tall rows."""
    view.setProperty("kind", "flat")
    view.setItemDelegate(TallRows(view))


class MarkList(QListWidget):
    """What a person marked in a manual, a row each. delete_pressed(): the current one is to go."""

    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        make_tall(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(Space.S, 0, Space.S, 0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)

    def made_current(self, position: QPoint) -> QListWidgetItem | None:
        """Return the row at a position, else the current one, as the current one."""
        item: QListWidgetItem | None = self.itemAt(position) or self.currentItem()
        if item is not None:
            self.setCurrentItem(item)
        return item
