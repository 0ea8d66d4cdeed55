"""What floats: cards with a shadow over the page, and menus with round corners."""

from __future__ import annotations

import sys
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from desktop.ui.theme import colours
from desktop.ui.tokens import Shadow, Size

ROOM = (12, 6, 12, 16)
"""Pixels around a floating widget in which its shadow falls: left, top, right, bottom."""
_STEPS = 8


def paint_shadow(painter: QPainter, area: QRectF, radius: float) -> None:
    """Paint the shadow of a card that lies at `area`, soft at its edge."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    black = QColor(0, 0, 0)
    black.setAlphaF(Shadow.OPACITY / _STEPS)
    painter.setBrush(black)
    for step in range(_STEPS):
        far = Shadow.BLUR / 2 * (1 - step / _STEPS)
        grown = area.adjusted(-far, -far, far, far).translated(0, Shadow.DOWN / 2)
        painter.drawRoundedRect(grown, radius + far, radius + far)
    painter.restore()


class Floating(QWidget):
    """A card that lies over what is below it; its layout's margins hold its shadow.

    Whatever it holds keeps its place in the tree of widgets, so keyboard and screen reader come
    through it as through any other panel.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(False)

    def card(self) -> QRectF:
        """Return where the card itself lies in the widget."""
        left, top, right, bottom = ROOM
        return QRectF(self.rect()).adjusted(left, top, -right, -bottom)

    def paintEvent(self, event: QPaintEvent) -> None:
        c, area = colours(), self.card()
        painter = QPainter(self)
        paint_shadow(painter, area, Size.POPUP_RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(c.border_strong if c.contrast else c.border))
        painter.setBrush(QColor(c.surface))
        radius = Size.POPUP_RADIUS
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()


def make_menu(*arguments: Any) -> QMenu:
    """Return a menu with round corners, where the style draws menus and not a Mac.

    arguments: what `QMenu` takes.
    """
    menu = QMenu(*arguments)
    if sys.platform != "darwin":
        menu.setProperty("round", True)
        menu.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        menu.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    return menu
