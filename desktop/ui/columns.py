"""The window's three columns: their first sizes, and the library as a rail in a narrow window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from PySide6.QtCore import QByteArray
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop.ui.library.panel import LibraryPanel

WIDTHS = (256, 664, 440)
"""Library, manual and answers at first; answers are read best between 400 and 480 pixels."""
LEAST = (220, 320, 400)
NARROW = 1100
"""Below this width of the window the library folds to a rail."""


class Columns(QSplitter):
    """Library, manual and answers beside each other."""

    def __init__(self, library: LibraryPanel, manual: QWidget, answers: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._library = library
        self._narrow: bool | None = None
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for panel, least in zip((library, manual, answers), LEAST, strict=True):
            panel.setMinimumWidth(least)
            self.addWidget(panel)
        self.setStretchFactor(1, 1)
        library.folded.connect(self._fold)
        self.lay_out_anew()

    def lay_out_anew(self) -> None:
        """Give the columns the widths they have at first."""
        self._narrow = None
        self._follow_width()
        library, _, answers = self._first()
        self.setSizes([library, max(LEAST[1], self.width() - library - answers), answers])

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:  # noqa: N802
        """Take the sizes of an earlier start, the library folded or not as the window is wide."""
        self._follow_width()
        return super().restoreState(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_width()
        # sizes remembered of a wide window leave a gap beside the rail
        if self._library.is_folded and self.sizes()[0] > self._library.rail_width:
            self._fold(True)

    def _follow_width(self) -> None:
        """Fold or unfold the library where the window becomes narrow or wide, and only there."""
        narrow = self.window().width() < NARROW
        if narrow != self._narrow and self.window() is not self:
            self._narrow = narrow
            self._library.fold(narrow)

    def _fold(self, folded: bool) -> None:
        library, manual, answers = self.sizes()
        wanted = self._library.rail_width if folded else WIDTHS[0]
        if folded:
            self._library.setFixedWidth(wanted)
        else:
            self._library.setMinimumWidth(LEAST[0])
            self._library.setMaximumWidth(16_777_215)
        self.setSizes([wanted, max(LEAST[1], manual + library - wanted), answers])

    def _first(self) -> tuple[int, int, int]:
        answers = LEAST[2] if self._narrow else WIDTHS[2]
        library = self._library.rail_width if self._library.is_folded else WIDTHS[0]
        return library, WIDTHS[1], answers
