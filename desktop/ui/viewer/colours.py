"""The few colours that lie on the paper, and a person's pens; the rest comes from the palette.

Paper is white in light and in dark mode, so these do not change with the theme. Fills
are multiplied onto the page like a marker pen: black text under them stays black.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPen, QPixmap

from desktop.core.marking import ANSWER_PEN, on_white
from desktop.ui.design.tokens import Paper, Size
from desktop.ui.language import tr

if TYPE_CHECKING:
    from desktop.core.library.annotations import Pen

PAPER = QColor(255, 255, 255)
PAPER_NOTE = QColor(64, 68, 76)

HIGHLIGHT_PEN = QColor(ANSWER_PEN)
HIGHLIGHT = QColor(*on_white())
"""The pen as it lies on white: multiplied, it needs no opacity of its own."""
OWN_PENS = {pen: (QColor(fill), QColor(ink)) for pen, (fill, ink) in Paper.OWN_PENS.items()}
"""A person's own pens: what is multiplied into the page, and the ink of what belongs to it."""
HIGHLIGHT_BAR = QColor(Paper.ACCENT)
BADGE = QColor(86, 95, 104)
BADGE_CURRENT = QColor(Paper.ACCENT)
BADGE_TEXT = QColor(255, 255, 255)

FIND_HIT = QColor(190, 232, 255)
FIND_CURRENT = QColor(120, 200, 255)
FIND_EDGE = QColor(0, 96, 160)

REGION_EDGE = QColor(Paper.ACCENT)
RIBBON = QColor(Paper.ACCENT)

SELECTION = QColor(178, 208, 255)

PASS_DONE = QColor(46, 139, 87)
PASS_FAILED = QColor(200, 60, 50)


def surround(palette: QPalette) -> QColor:
    """Return the colour behind the pages: a shade deeper than the canvas, so paper stands out."""
    window = palette.color(QPalette.ColorRole.Window)
    return window if is_dark(palette) else window.darker(105)


def paper_edge(palette: QPalette) -> QColor:
    """Return the hairline around a page."""
    return QColor(0, 0, 0, 160) if is_dark(palette) else QColor(0, 0, 0, 36)


def is_dark(palette: QPalette) -> bool:
    """Tell whether the palette is a dark one."""
    return palette.color(QPalette.ColorRole.Window).lightness() < 128


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
    fill, ink = OWN_PENS[pen]
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
