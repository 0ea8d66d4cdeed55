"""Which images make up a page at a zoom: one, or a coarse one under sharp tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass

from desktop.ui.viewer.pages.strip import PixelRect

WHOLE_PAGE_PIXELS = 6_000_000
COARSE_PAGE_PIXELS = 2_000_000
TILE = 1024


@dataclass(frozen=True, slots=True)
class ImageKey:
    """One drawn image: a page at a pixel size, or a tile of the page at that size.

    width, height: pixels of the whole page. clip: (x, y, width, height) of the tile.
    """

    document_id: int
    page: int
    width: int
    height: int
    clip: tuple[int, int, int, int] | None = None

    @property
    def pixel_size(self) -> tuple[int, int]:
        """Size of the image itself."""
        return self.clip[2:] if self.clip else (self.width, self.height)


def images_for(
    document_id: int, page: int, width: int, height: int, visible: PixelRect
) -> list[ImageKey]:
    """Return the images needed to show the `visible` part of a page, coarse one first."""
    if width * height <= WHOLE_PAGE_PIXELS:
        return [ImageKey(document_id, page, width, height)]
    shrink = math.sqrt(COARSE_PAGE_PIXELS / (width * height))
    coarse = ImageKey(document_id, page, max(1, int(width * shrink)), max(1, int(height * shrink)))
    return [coarse, *_tiles(document_id, page, width, height, visible)]


def _tiles(
    document_id: int, page: int, width: int, height: int, visible: PixelRect
) -> list[ImageKey]:
    seen = visible.intersection(PixelRect(0, 0, width, height))
    if not seen.width or not seen.height:
        return []
    return [
        ImageKey(
            document_id,
            page,
            width,
            height,
            (x, y, min(TILE, width - x), min(TILE, height - y)),
        )
        for y in range(seen.y // TILE * TILE, seen.bottom, TILE)
        for x in range(seen.x // TILE * TILE, seen.right, TILE)
    ]
