"""A person's own pens: their names, and their dots in menus and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from desktop.ui.design.tokens import Size
from desktop.ui.language import tr
from desktop.ui.viewer import colours

if TYPE_CHECKING:
    from desktop.core.library.annotations import Pen


def pen_name(pen: Pen) -> str:
    """Return what a pen is called."""
    return {
        "green": tr("Green"),
        "orange": tr("Orange"),
        "pink": tr("Pink"),
        "violet": tr("Violet"),
    }[pen]


def pen_icon(pen: Pen) -> QIcon:
    """Return a dot of a pen's colour; the chosen pen's dot has a tick in it."""
    result = QIcon()
    for state in (QIcon.State.Off, QIcon.State.On):
        result.addPixmap(_dot(pen, ticked=state == QIcon.State.On), QIcon.Mode.Normal, state)
    return result


def _dot(pen: Pen, *, ticked: bool) -> QPixmap:
    fill, ink = colours.OWN_PENS[pen]
    picture = QPixmap(3 * Size.ICON, 3 * Size.ICON)
    picture.setDevicePixelRatio(3)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink, 1.5))
    painter.setBrush(fill)
    painter.drawEllipse(QRectF(0, 0, Size.ICON, Size.ICON).adjusted(1, 1, -1, -1))
    if ticked:
        painter.setPen(QPen(QColor(ink), 2))
        painter.drawPolyline([QPointF(5.5, 9.5), QPointF(8, 12), QPointF(12.5, 6.5)])
    painter.end()
    return picture
