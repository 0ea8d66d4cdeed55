"""Drawn images, least recently used first to go, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from desktop.ui.viewer.drawing.wishes import ImageKey

PAGE_CACHE_BYTES = 192 * 1024 * 1024
THUMBNAIL_CACHE_BYTES = 24 * 1024 * 1024


class ImageCache:
    """Images by key; used by the UI thread alone."""

    def __init__(self, max_bytes: int = PAGE_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._images: OrderedDict[ImageKey, QImage] = OrderedDict()
        self._whole_pages: defaultdict[tuple[int, int], set[ImageKey]] = defaultdict(set)
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
        if key.clip is None:
            self._whole_pages[key.document_id, key.page].add(key)
        while self._bytes > self._max_bytes:
            self._remove(next(iter(self._images)))

    def best_whole_page(self, document_id: int, page: int) -> QImage | None:
        """Return the largest image of the whole page, whatever its size."""
        keys = self._whole_pages.get((document_id, page))
        return self.get(max(keys, key=lambda key: key.width)) if keys else None

    def forget_document(self, document_id: int) -> None:
        for key in [key for key in self._images if key.document_id == document_id]:
            self._remove(key)

    def _remove(self, key: ImageKey) -> None:
        image = self._images.pop(key, None)
        if image is None:
            return
        self._bytes -= image.sizeInBytes()
        if key.clip is None:
            pages = self._whole_pages[key.document_id, key.page]
            pages.discard(key)
            if not pages:
                del self._whole_pages[key.document_id, key.page]
