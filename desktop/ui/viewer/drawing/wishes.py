"""Which images are wanted for what is in view: whole pages, or tiles of large ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.ui.viewer.drawing.render_queue import DrawRequest
from desktop.ui.viewer.pages.strip import PageStrip, PixelRect
from desktop.ui.viewer.pages.turning import upright_rect

if TYPE_CHECKING:
    from desktop.ui.viewer.manuals.open_documents import OpenDocument


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


def visible_images(document: OpenDocument, strip: PageStrip, view: PixelRect) -> list[ImageKey]:
    """Return the images of the visible pages, the one in the middle first."""
    middle = view.y + view.height / 2
    pages = sorted(
        strip.visible(view.y, view.bottom),
        key=lambda page: abs(strip.rect(page).y + strip.rect(page).height / 2 - middle),
    )
    return [key for page in pages for key in page_images(document, strip, view, page)]


def near_images(document: OpenDocument, strip: PageStrip, view: PixelRect) -> list[ImageKey]:
    """Return the images of the pages one would turn to next: two below, one above."""
    pages = strip.visible(view.y, view.bottom)
    if not pages:
        return []
    near = [pages.stop, pages.start - 1, pages.stop + 1]
    return [
        # of a neighbour too large for one image the coarse one will do
        page_images(document, strip, view, page)[0]
        for page in near
        if 0 <= page < strip.count
    ]


def page_images(
    document: OpenDocument, strip: PageStrip, view: PixelRect, page: int
) -> list[ImageKey]:
    """Return the images that show the visible part of one page."""
    rect = strip.rect(page)
    width, height = (rect.height, rect.width) if strip.turn % 2 else (rect.width, rect.height)
    seen = PixelRect(view.x - rect.x, view.y - rect.y, view.width, view.height)
    return images_for(
        document.id, page, width, height, upright_rect(seen, width, height, strip.turn)
    )


def draw_request(document: OpenDocument, key: ImageKey) -> DrawRequest:
    """Return the request for an image of the document."""
    page = document.pages[key.page]
    return DrawRequest(key, document.path, document.password, page.width, page.slow_to_draw)
