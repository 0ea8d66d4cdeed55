"""Which images a scroll position asks for: what is visible first, then the neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.ui.viewer.drawing.render_queue import DrawRequest
from desktop.ui.viewer.drawing.tiling import ImageKey, images_for
from desktop.ui.viewer.pages.strip import PageStrip, PixelRect
from desktop.ui.viewer.pages.turning import upright_rect

if TYPE_CHECKING:
    from desktop.ui.viewer.manuals.open_document import OpenDocument


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
