"""Where the viewer's widgets stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

_SIDE_WIDTH = 230


def pages_beside(side: QWidget, view: QWidget) -> QSplitter:
    """Return the pages with what starts hidden beside them, at their left."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setChildrenCollapsible(False)
    splitter.addWidget(side)
    splitter.addWidget(view)
    splitter.setStretchFactor(1, 1)
    splitter.setSizes([_SIDE_WIDTH, 6 * _SIDE_WIDTH])
    side.hide()
    return splitter


def fill_column(owner: QWidget, *widgets: QWidget) -> None:
    """Stack widgets in `owner` without gaps; the last one takes what is left."""
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    column.setStretchFactor(widgets[-1], 1)
