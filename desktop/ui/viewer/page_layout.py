"""Where each page lies in the long vertical strip, turned and zoomed.

Strip positions are whole device pixels: they keep page edges and drawn images on the pixel grid
at any scale factor of the screen; callers divide by the device pixel ratio where Qt wants logical
ones. A zoom of 1.0 shows the page in its printed size. `turn` counts clockwise quarter turns from
0 to 3; "upright" is the page as the file displays it, which is how it is drawn, kept and indexed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QTransform

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PagePoint:
    """A place that survives zooming: shares (0 to 1) of a page's width and height."""

    page: int
    across: float = 0.0
    down: float = 0.0


class PageStrip:
    """The pages of a document one below the other, or two beside each other, centred.

    sizes: float, shape (n, 2), n > 0, width and height of each displayed page in points.
    scale: device pixels per point. gap: device pixels between and around pages.
    across: how many pages stand in a row, 1 or 2. turn: clockwise quarter turns of every page.
    """

    def __init__(
        self,
        sizes: NDArray[np.float64],
        scale: float,
        gap: int,
        viewport_width: int,
        across: int = 1,
        turn: int = 0,
    ) -> None:
        shown = sizes[:, ::-1] if turn % 2 else sizes
        pixels = np.maximum(1, np.rint(shown * scale)).astype(np.int64)
        self.turn = turn
        self.gap = gap
        self.across = across
        self.count = len(pixels)
        # an empty place of the last row is sized like its neighbour
        missing = -self.count % across
        in_rows = np.concatenate((pixels,) + (pixels[-1:],) * missing).reshape(-1, across, 2)
        row_widths = in_rows[:, :, 0].sum(axis=1) + gap * (across - 1)
        row_heights = in_rows[:, :, 1].max(axis=1)
        self.width = max(viewport_width, int(row_widths.max()) + 2 * gap)
        steps = np.cumsum(row_heights + gap)
        self.height = int(steps[-1]) + gap
        row_tops = steps - row_heights
        rows = np.arange(self.count) // across
        lefts = (self.width - row_widths[rows]) // 2
        if across == 2:
            # the second page of a row begins where the first one and the gap end
            lefts[1::2] += pixels[: self.count - self.count % 2 : 2, 0] + gap
        # lists: a page is looked up several times before its drawing can begin, and in a list
        # that takes a tenth of the time
        self._widths: list[int] = pixels[:, 0].tolist()
        self._heights: list[int] = pixels[:, 1].tolist()
        self._lefts: list[int] = lefts.tolist()
        self._tops: list[int] = row_tops[rows].tolist()
        self._row_widths: list[int] = row_widths.tolist()
        self._row_tops: list[int] = row_tops.tolist()
        self._row_bottoms: list[int] = (row_tops + row_heights).tolist()

    def row(self, page: int) -> QRect:
        """Return where the row lies that a page stands in."""
        number = page // self.across
        width, top = self._row_widths[number], self._row_tops[number]
        return QRect((self.width - width) // 2, top, width, self._row_bottoms[number] - top)

    def beside(self, page: int, by: int) -> int:
        """Return the first page of the row that is `by` rows away, within the document."""
        return self.nearest_page((page // self.across + by) * self.across)

    def widest(self, pages: range) -> int:
        """Return the width of the widest row that holds one of these pages, 0 for no pages."""
        if not pages:
            return 0
        first, last = pages[0] // self.across, pages[-1] // self.across
        return max(self._row_widths[first : last + 1])

    def rect(self, page: int) -> QRect:
        """Return where a page lies in the strip."""
        return QRect(self._lefts[page], self._tops[page], self._widths[page], self._heights[page])

    def page_at(self, y: float, x: float = 0.0) -> int:
        """Return the page at a position; a gap belongs to the page above it or left of it."""
        row = max(0, bisect_right(self._row_tops, y) - 1)
        first = self.nearest_page(row * self.across)
        second = self.nearest_page(row * self.across + self.across - 1)
        return second if x >= self._lefts[second] else first

    def nearest_page(self, page: int) -> int:
        """Return the page itself, or the first or last one when there is no such page."""
        return min(max(page, 0), self.count - 1)

    def visible(self, top: int, bottom: int) -> range:
        """Return the pages of which at least a row of pixels lies in [top, bottom)."""
        if bottom <= top:
            return range(0)
        first = bisect_right(self._row_bottoms, top) * self.across
        last = bisect_left(self._row_tops, bottom) * self.across
        return range(first, min(self.count, max(first, last)))

    def main_page(self, top: int, bottom: int) -> int:
        """Return the page that fills most of [top, bottom), the first one on a tie."""
        pages = self.visible(top, bottom)
        if not pages:
            return self.page_at(top)
        return max(
            pages,
            key=lambda page: (
                min(bottom, self._tops[page] + self._heights[page]) - max(top, self._tops[page])
            ),
        )

    def locate(self, x: float, y: float) -> PagePoint:
        """Return the place at a strip position; shares exceed 0 to 1 beside the page."""
        page = self.page_at(int(y), x)
        rect = self.rect(page)
        return PagePoint(page, (x - rect.x()) / rect.width(), (y - rect.y()) / rect.height())

    def position(self, point: PagePoint) -> tuple[float, float]:
        """Return the strip position of a place."""
        rect = self.rect(self.nearest_page(point.page))
        return rect.x() + point.across * rect.width(), rect.y() + point.down * rect.height()


def turning(width: float, height: float, turn: int) -> QTransform:
    """Return what maps an upright page of this size to the turned one, both from (0, 0)."""
    corner = {0: (0.0, 0.0), 1: (height, 0.0), 2: (width, height), 3: (0.0, width)}[turn % 4]
    return QTransform().translate(*corner).rotate(90.0 * (turn % 4))


def upright_rect(seen: QRect, width: int, height: int, turn: int) -> QRect:
    """Return which part of an upright page of this size a part of the turned one shows."""
    upright, _ = turning(width, height, turn).inverted()
    return upright.mapRect(QRectF(seen)).toRect()


@contextmanager
def painting_upright(painter: QPainter, area: QRectF, turn: int) -> Iterator[QRectF]:
    """Let the painter turn what is drawn into the rectangle that is yielded."""
    if turn % 4 == 0:
        yield area
        return
    size = area.size().transposed() if turn % 2 else area.size()
    painter.save()
    painter.translate(area.topLeft())
    painter.setWorldTransform(turning(size.width(), size.height(), turn), True)
    yield QRectF(QPointF(), size)
    painter.restore()


LARGEST = 8.0
SMALLEST = 0.1
STEPS = (
    *(0.1, 0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5),
    *(1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0),
)
_NEAR = 1.01


class Fit(Enum):
    """What the zoom follows when the viewer's size changes."""

    NONE = auto()
    WIDTH = auto()
    PAGE = auto()


def larger(zoom: float) -> float:
    """Return the next step above."""
    return next((step for step in STEPS if step > zoom * _NEAR), LARGEST)


def smaller(zoom: float) -> float:
    """Return the next step below; a fitted huge page may be below all steps already."""
    return next((step for step in reversed(STEPS) if step < zoom / _NEAR), min(zoom, SMALLEST))


def clamped(zoom: float) -> float:
    """Return the zoom within the limits."""
    return min(max(zoom, SMALLEST), LARGEST)


def fitted(
    fit: Fit, page: tuple[float, float], room: tuple[float, float], pixels_per_point: float
) -> float:
    """Return the zoom at which the page (points) fills the room (pixels).

    It may be smaller than `SMALLEST`: a page of 200 inches is to be seen whole too.
    """
    across = max(room[0], 1.0) / (max(page[0], 1.0) * pixels_per_point)
    if fit is Fit.WIDTH:
        return min(across, LARGEST)
    down = max(room[1], 1.0) / (max(page[1], 1.0) * pixels_per_point)
    return min(across, down, LARGEST)
