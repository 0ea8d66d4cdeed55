"""The window's three columns, and the sizes they have at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

WIDTHS = (280, 720, 440)
LEAST = (220, 320, 320)


class Columns(QSplitter):
    """Library, manual and answers beside each other."""

    def __init__(self, *panels: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for panel, least in zip(panels, LEAST, strict=True):
            panel.setMinimumWidth(least)
            self.addWidget(panel)
        self.setStretchFactor(1, 1)
        self.lay_out_anew()

    def lay_out_anew(self) -> None:
        """Give the columns the widths they have at first."""
        self.setSizes(list(WIDTHS))
