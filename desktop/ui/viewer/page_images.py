"""Which images of pages are wanted for what is in view, and those that are kept."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from desktop.ui.viewer.page_layout import PageStrip, upright_rect
from desktop.ui.viewer.render_queue import DrawRequest, ImageKey

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from desktop.ui.viewer.document import OpenDocument

WHOLE_PAGE_PIXELS = 6_000_000
COARSE_PAGE_PIXELS = 2_000_000
TILE = 1024


def images_for(
    document_id: int, page: int, width: int, height: int, visible: QRect
) -> list[ImageKey]:
    """Return the images needed to show the `visible` part of a page, coarse one first."""
    if width * height <= WHOLE_PAGE_PIXELS:
        return [ImageKey(document_id, page, width, height)]
    shrink = math.sqrt(COARSE_PAGE_PIXELS / (width * height))
    coarse = ImageKey(document_id, page, max(1, int(width * shrink)), max(1, int(height * shrink)))
    seen = visible & QRect(0, 0, width, height)
    if seen.isEmpty():
        return [coarse]
    tiles = [
        (x, y, min(TILE, width - x), min(TILE, height - y))
        for y in range(seen.y() // TILE * TILE, seen.y() + seen.height(), TILE)
        for x in range(seen.x() // TILE * TILE, seen.x() + seen.width(), TILE)
    ]
    return [coarse, *(ImageKey(document_id, page, width, height, tile) for tile in tiles)]


def visible_images(document: OpenDocument, strip: PageStrip, view: QRect) -> list[ImageKey]:
    """Return the images of the visible pages, the one in the middle first."""
    middle = view.center().y()
    pages = sorted(
        strip.visible(view.y(), view.y() + view.height()),
        key=lambda page: abs(strip.rect(page).center().y() - middle),
    )
    return [key for page in pages for key in page_images(document, strip, view, page)]


def near_images(document: OpenDocument, strip: PageStrip, view: QRect) -> list[ImageKey]:
    """Return the images of the pages one would turn to next: two below, one above."""
    pages = strip.visible(view.y(), view.y() + view.height())
    if not pages:
        return []
    near = [pages.stop, pages.start - 1, pages.stop + 1]
    return [
        # of a neighbour too large for one image the coarse one will do
        page_images(document, strip, view, page)[0]
        for page in near
        if 0 <= page < strip.count
    ]


def page_images(document: OpenDocument, strip: PageStrip, view: QRect, page: int) -> list[ImageKey]:
    """Return the images that show the visible part of one page."""
    rect = strip.rect(page)
    size = rect.size().transposed() if strip.turn % 2 else rect.size()
    width, height = size.width(), size.height()
    seen = upright_rect(view.translated(-rect.topLeft()), width, height, strip.turn)
    return images_for(document.id, page, width, height, seen)


def draw_request(document: OpenDocument, key: ImageKey) -> DrawRequest:
    """Return the request for an image of the document."""
    page = document.pages[key.page]
    return DrawRequest(key, document.path, document.password, page.width, page.slow_to_draw)


PAGE_CACHE_BYTES = 192 * 1024 * 1024
THUMBNAIL_CACHE_BYTES = 24 * 1024 * 1024


class ImageCache:
    """Images by key; used by the UI thread alone."""

    def __init__(self, max_bytes: int = PAGE_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._images: OrderedDict[ImageKey, QImage] = OrderedDict()
        self._bytes = 0

    @property
    def used_bytes(self) -> int:
        return self._bytes

    def __contains__(self, key: ImageKey) -> bool:
        return key in self._images

    def __len__(self) -> int:
        return len(self._images)

    def get(self, key: ImageKey) -> QImage | None:
        """Return the image and count it as used, or None."""
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        return image

    def put(self, key: ImageKey, image: QImage) -> None:
        """Keep an image; older ones go until all fit. One larger than all is not kept."""
        self._remove(key)
        if image.sizeInBytes() > self._max_bytes:
            return
        self._images[key] = image
        self._bytes += image.sizeInBytes()
        while self._bytes > self._max_bytes:
            self._remove(next(iter(self._images)))

    def best_whole_page(self, document_id: int, page: int) -> QImage | None:
        """Return the largest image of the whole page, whatever its size."""
        keys = (
            key
            for key in self._images
            if (key.document_id, key.page, key.clip) == (document_id, page, None)
        )
        largest = max(keys, key=lambda key: key.width, default=None)
        return None if largest is None else self.get(largest)

    def forget_document(self, document_id: int) -> None:
        for key in [key for key in self._images if key.document_id == document_id]:
            self._remove(key)

    def _remove(self, key: ImageKey) -> None:
        image = self._images.pop(key, None)
        if image is not None:
            self._bytes -= image.sizeInBytes()
