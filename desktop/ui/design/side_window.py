"""A window of its own beside the main one: a header, below it a list and what was chosen in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QWidget

from desktop.ui.design.controls import in_column, in_row, panel_header
from desktop.ui.design.notice_strip import NoticeStrip

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtWidgets import QLayout


class SideWindow(QDialog):
    """notices: where the window says something; whoever lays it out puts them at their place."""

    def __init__(self, parent: QWidget | None, title: str, size: QSize, least: QSize) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setSizeGripEnabled(False)
        self.resize(size.boundedTo(self.screen().availableSize()))
        self.setMinimumSize(least)
        self.notices = NoticeStrip()
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.close)

    def put_beside(
        self, left: QWidget, right: QLayout, *tools: QWidget, shares: tuple[int, int] = (0, 1)
    ) -> None:
        """Lay the window out. tools: of the header. shares: of the width."""
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedWidth(1)
        columns = in_row()
        columns.addWidget(left, shares[0])
        columns.addWidget(line)
        columns.addLayout(right, shares[1])
        whole = in_column(self)
        whole.addWidget(panel_header(self.windowTitle(), *tools))
        whole.addLayout(columns, 1)

    def come_up(self) -> None:
        """Open the window, or bring it to the front."""
        self.show()
        self.raise_()
        self.activateWindow()


def notices_of(window: SideWindow | None, elsewhere: NoticeStrip) -> NoticeStrip:
    """Return where a person looks: the window while it is open, else what is behind it."""
    return window.notices if window is not None and window.isVisible() else elsewhere
