"""Rows beside the pages: tall enough for a gloved finger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

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
