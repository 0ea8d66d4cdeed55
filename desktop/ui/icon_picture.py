"""An icon that stands by itself, without a button around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from desktop.ui.icons import icon

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class IconPicture(QWidget):
    """Paints its icon anew each time, so that it follows every change of the look.

    What it means is said in words beside it: it has no name of its own.
    """

    def __init__(self, name: str, side: int, tint: str = "", *, opacity: float = 1.0) -> None:
        """tint: as `icon` takes it."""
        super().__init__()
        self._icon = icon(name, tint)
        self._opacity = opacity
        self.setFixedSize(side, side)

    def show_icon(self, name: str, tint: str = "") -> None:
        """Show another icon from now on."""
        self._icon = icon(name, tint)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(self._opacity)
        self._icon.paint(painter, self.rect())
        painter.end()
