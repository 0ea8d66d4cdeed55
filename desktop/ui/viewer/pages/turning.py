"""Pages turned by quarters, clockwise: sizes, positions and the painter that follows them.

`turn` counts quarter turns from 0 to 3. "Upright" is the page as the file displays it, which
is how it is drawn, kept and indexed; only what is seen is turned.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from desktop.ui.viewer.pages.strip import PixelRect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter


def turned_point(x: float, y: float, width: float, height: float, turn: int) -> tuple[float, float]:
    """Return where a point of an upright page of this size lies on the turned one."""
    match turn % 4:
        case 1:
            return height - y, x
        case 2:
            return width - x, height - y
        case 3:
            return y, width - x
        case _:
            return x, y


def upright_point(
    x: float, y: float, width: float, height: float, turn: int
) -> tuple[float, float]:
    """Undo `turned_point`; width and height are those of the upright page."""
    match turn % 4:
        case 1:
            return y, height - x
        case 2:
            return width - x, height - y
        case 3:
            return width - y, x
        case _:
            return x, y


def upright_rect(seen: PixelRect, width: int, height: int, turn: int) -> PixelRect:
    """Return which part of an upright page of this size a part of the turned one shows."""
    x0, y0 = upright_point(seen.x, seen.y, width, height, turn)
    x1, y1 = upright_point(seen.right, seen.bottom, width, height, turn)
    return PixelRect(int(min(x0, x1)), int(min(y0, y1)), int(abs(x1 - x0)), int(abs(y1 - y0)))


@contextmanager
def painting_upright(painter: QPainter, area: QRectF, turn: int) -> Iterator[QRectF]:
    """Let the painter turn what is drawn into the rectangle that is yielded."""
    if turn % 4 == 0:
        yield area
        return
    corners = {1: area.topRight(), 2: area.bottomRight(), 3: area.bottomLeft()}
    painter.save()
    painter.translate(corners[turn % 4])
    painter.rotate(90.0 * (turn % 4))
    width, height = area.width(), area.height()
    if turn % 2:
        width, height = height, width
    yield QRectF(0, 0, width, height)
    painter.restore()
