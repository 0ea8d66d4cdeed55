"""Where each page lies in the long vertical strip, in whole device pixels.

Device pixels keep page edges and drawn images on the pixel grid at any scale factor
of the screen; callers divide by the device pixel ratio where Qt wants logical ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PixelRect:
    """A rectangle in whole pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def intersection(self, other: PixelRect) -> PixelRect:
        """Return the overlap; its width or height is 0 when the two do not meet."""
        x0, y0 = max(self.x, other.x), max(self.y, other.y)
        x1, y1 = min(self.right, other.right), min(self.bottom, other.bottom)
        return PixelRect(x0, y0, max(0, x1 - x0), max(0, y1 - y0))


@dataclass(frozen=True, slots=True)
class PagePoint:
    """A place that survives zooming: shares (0 to 1) of a page's width and height."""

    page: int
    across: float = 0.0
    down: float = 0.0


class PageStrip:
    """The pages of a document one below the other, centred.

    sizes: float, shape (n, 2), width and height of each displayed page in points.
    scale: device pixels per point. gap: device pixels between and around pages.
    """

    def __init__(
        self, sizes: NDArray[np.float64], scale: float, gap: int, viewport_width: int
    ) -> None:
        pixels = np.maximum(1, np.rint(sizes * scale)).astype(np.int64)
        self.gap = gap
        self.scale = scale
        self.count = len(pixels)
        widest = int(pixels[:, 0].max()) if self.count else 0
        self.width = max(viewport_width, widest + 2 * gap)
        self._widths = pixels[:, 0]
        self._heights = pixels[:, 1]
        self._lefts = (self.width - self._widths) // 2
        steps = np.cumsum(self._heights + gap)
        self._tops = np.concatenate(([0], steps[:-1])) + gap if self.count else steps
        self.height = int(steps[-1]) + gap if self.count else 0

    def rect(self, page: int) -> PixelRect:
        """Return where a page lies in the strip."""
        return PixelRect(
            int(self._lefts[page]),
            int(self._tops[page]),
            int(self._widths[page]),
            int(self._heights[page]),
        )

    def page_at(self, y: int) -> int:
        """Return the page at height `y`; a gap belongs to the page above it."""
        found = int(np.searchsorted(self._tops, y, side="right")) - 1
        return self.nearest_page(found)

    def nearest_page(self, page: int) -> int:
        """Return the page itself, or the first or last one when there is no such page."""
        return min(max(page, 0), self.count - 1)

    def visible(self, top: int, bottom: int) -> range:
        """Return the pages of which at least a row of pixels lies in [top, bottom)."""
        if not self.count or bottom <= top:
            return range(0)
        bottoms = self._tops + self._heights
        first = int(np.searchsorted(bottoms, top, side="right"))
        last = int(np.searchsorted(self._tops, bottom, side="left"))
        return range(first, max(first, last))

    def main_page(self, top: int, bottom: int) -> int:
        """Return the page that fills most of [top, bottom), the first one on a tie."""
        pages = self.visible(top, bottom)
        if not pages:
            return self.page_at(top)
        return max(
            pages,
            key=lambda page: (
                min(bottom, self.rect(page).bottom) - max(top, self.rect(page).y),
                -page,
            ),
        )

    def locate(self, x: float, y: float) -> PagePoint:
        """Return the place at a strip position; shares exceed 0 to 1 beside the page."""
        rect = self.rect(self.page_at(int(y)))
        return PagePoint(
            self.page_at(int(y)), (x - rect.x) / rect.width, (y - rect.y) / rect.height
        )

    def position(self, point: PagePoint) -> tuple[float, float]:
        """Return the strip position of a place."""
        rect = self.rect(self.nearest_page(point.page))
        return rect.x + point.across * rect.width, rect.y + point.down * rect.height
