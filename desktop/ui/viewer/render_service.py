"""Has pages drawn, by QtPdf and by the parser, and keeps their pictures for the UI thread."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage

from desktop.core.errors import LibraryError
from desktop.sentences import message, said
from desktop.ui.language import told
from desktop.ui.viewer.page_images import THUMBNAIL_CACHE_BYTES, ImageCache
from desktop.ui.viewer.page_pictures import as_image
from desktop.ui.viewer.qtpdf import QtPdfDrawing
from desktop.ui.viewer.render_queue import CannotDraw, DrawRequest, Group, ImageKey, RenderQueue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.parsing.parser import Parser


_log = logging.getLogger(__name__)
_SETTLE_MS = 50


class RenderService(QObject):
    """The queue, the caches and the threads behind every picture of a page."""

    drawn = Signal(object)
    """An `ImageKey` whose image is in the cache now."""
    failed = Signal(object, str)
    """An `ImageKey` that cannot be drawn, and why."""
    _arrived = Signal(object, object, str)

    def __init__(self, parser: Parser, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cache = ImageCache()
        self.thumbnails = ImageCache(THUMBNAIL_CACHE_BYTES)
        self._failures: dict[tuple[int, int, object], str] = {}
        """Document, page, and the tile or None for the whole page -> why it cannot be drawn."""
        self._thumbnail_keys: set[ImageKey] = set()
        self._queue = RenderQueue()
        self._parser = parser
        self._arrived.connect(self._take_in, Qt.ConnectionType.QueuedConnection)
        self._fresh: list[QImage] = []
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self._make_quick_to_paint)
        self._qtpdf = QtPdfDrawing(self._queue, self._keep, self)
        self._thread = threading.Thread(target=self._draw_with_parser, name="viewer-parser")
        self._thread.start()

    def want(self, group: Group, requests: Sequence[DrawRequest]) -> None:
        """Replace what a group of images waits for, leaving out what is there already."""
        store = self.thumbnails if group == "thumbnails" else self.cache
        missing = [
            request
            for request in requests
            if request.key not in store and not self.failure(request.key)
        ]
        if group == "thumbnails":
            self._thumbnail_keys = {request.key for request in missing}
        self._queue.want(group, missing)
        self._qtpdf.look()

    def failure(self, key: ImageKey) -> str:
        """Return why the image cannot be drawn, "" if it can."""
        page = (key.document_id, key.page)
        return self._failures.get((*page, None)) or self._failures.get((*page, key.clip), "")

    def forget_document(self, document_id: int) -> None:
        """Drop every image and failure of a document."""
        self.cache.forget_document(document_id)
        self.thumbnails.forget_document(document_id)
        for failed in [each for each in self._failures if each[0] == document_id]:
            del self._failures[failed]

    def pending(self) -> int:
        """Return how many images are still to be drawn."""
        return self._queue.pending()

    def shutdown(self) -> None:
        """Stop both renderers; return when the pages being drawn are done."""
        self._queue.close()
        self._qtpdf.shutdown()
        self._thread.join()

    def _take_in(self, key: ImageKey, image: QImage | None, why: str) -> None:
        if image is not None:
            self._keep(key, image)
            return
        self._queue.delivered(key)
        # a page that failed would fail in every other size too; a tile only by itself
        self._failures[key.document_id, key.page, key.clip] = why
        self.failed.emit(key, why)

    def _keep(self, key: ImageKey, image: QImage) -> None:
        self._queue.delivered(key)
        store = self.thumbnails if key in self._thumbnail_keys else self.cache
        store.put(key, image)
        self._fresh.append(image)
        self.drawn.emit(key)
        if not self._settled.isActive():  # who scrolls on and on must not pile pictures up
            self._settled.start()

    def _make_quick_to_paint(self) -> None:
        """Convert images already shown; for a first painting it would cost more than it saves."""
        fresh, self._fresh = self._fresh, []
        for image in fresh:
            if image.format() is QImage.Format.Format_ARGB32:
                image.convertTo(QImage.Format.Format_ARGB32_Premultiplied)  # in place

    def _draw_with_parser(self) -> None:
        while (request := self._queue.take("parser")) is not None:
            image, why = None, ""
            try:
                image = _draw(self._parser, request)
            except (CannotDraw, LibraryError, OSError) as error:
                _log.warning("page %s cannot be drawn: %s", request.key.page, error)
                why = told(message(error)) or told(said("This page could not be drawn."))
            self._queue.finish("parser")
            self._arrived.emit(request.key, image, why)


def _draw(parser: Parser, request: DrawRequest) -> QImage:
    """Draw with the parser, which can be stopped; raises what it raises, CannotDraw for nothing."""
    key = request.key
    scale = key.width / max(request.page_width, 1.0)
    clip = None
    if key.clip is not None:
        x, y, width, height = key.clip
        clip = (x / scale, y / scale, (x + width) / scale, (y + height) / scale)
    image = as_image(parser.draw(request.path, key.page, scale, clip, request.password))
    if image.isNull():
        raise CannotDraw("This page could not be drawn.")
    size = QSize(*key.pixel_size)
    return image if image.size() == size else image.scaled(size)
