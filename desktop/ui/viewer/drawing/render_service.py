"""Draws pages on two threads and hands the images to the UI thread as signals."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.core.errors import LibraryError
from desktop.core.sentences import said
from desktop.ui.language import told
from desktop.ui.viewer.drawing.cache import THUMBNAIL_CACHE_BYTES, ImageCache
from desktop.ui.viewer.drawing.render_queue import DrawRequest, Group, RenderQueue
from desktop.ui.viewer.drawing.renderers import CannotDraw, ParserRenderer, QtPdfRenderer
from desktop.ui.viewer.drawing.tiling import ImageKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QImage

    from desktop.ui.viewer.manuals.source import PageDrawer

_log = logging.getLogger(__name__)


class RenderService(QObject):
    """The queue, the caches and the threads behind every picture of a page."""

    drawn = Signal(object)
    """An `ImageKey` whose image is in the cache now."""
    failed = Signal(object, str)
    """An `ImageKey` that cannot be drawn, and why."""
    _arrived = Signal(object, object, str)

    def __init__(self, drawer: PageDrawer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cache = ImageCache()
        self.thumbnails = ImageCache(THUMBNAIL_CACHE_BYTES)
        self._failures: dict[ImageKey | tuple[int, int], str] = {}
        self._thumbnail_keys: set[ImageKey] = set()
        self._queue = RenderQueue()
        self._drawer = drawer
        self._arrived.connect(self._keep, Qt.ConnectionType.QueuedConnection)
        self._threads = [
            threading.Thread(target=self._draw_with_qtpdf, name="viewer-qtpdf"),
            threading.Thread(target=self._draw_with_parser, name="viewer-parser"),
        ]
        for thread in self._threads:
            thread.start()

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

    def failure(self, key: ImageKey) -> str:
        """Return why the image cannot be drawn, "" if it can."""
        whole_page = self._failures.get((key.document_id, key.page), "")
        return whole_page or self._failures.get(key, "")

    def forget_document(self, document_id: int) -> None:
        """Drop every image and failure of a document."""
        self.cache.forget_document(document_id)
        self.thumbnails.forget_document(document_id)
        for key in list(self._failures):
            if (key.document_id if isinstance(key, ImageKey) else key[0]) == document_id:
                del self._failures[key]

    def pending(self) -> int:
        """Return how many images are still to be drawn."""
        return self._queue.pending()

    def shutdown(self) -> None:
        """Stop both threads; returns when the pages being drawn are done."""
        self._queue.close()
        for thread in self._threads:
            thread.join()

    def _keep(self, key: ImageKey, image: QImage | None, why: str) -> None:
        self._queue.delivered(key)
        if image is None:
            # a page that failed would fail in every other size too; a tile only by itself
            self._failures[key if key.clip else (key.document_id, key.page)] = why
            self.failed.emit(key, why)
            return
        store = self.thumbnails if key in self._thumbnail_keys else self.cache
        store.put(key, image)
        self.drawn.emit(key)

    def _draw_with_qtpdf(self) -> None:
        renderer = QtPdfRenderer()
        while (request := self._queue.take("qtpdf")) is not None:
            try:
                image = renderer.draw(request)
            except CannotDraw as error:
                _log.info("QtPdf cannot draw page %s: %s", request.key.page, error)
                self._queue.pass_on("qtpdf")
                continue
            self._queue.finish("qtpdf")
            self._arrived.emit(request.key, image, "")
        renderer.close()

    def _draw_with_parser(self) -> None:
        renderer = ParserRenderer(self._drawer)
        while (request := self._queue.take("parser")) is not None:
            image, why = None, ""
            try:
                image = renderer.draw(request)
            except (CannotDraw, LibraryError, OSError) as error:
                _log.warning("page %s cannot be drawn: %s", request.key.page, error)
                why = told(str(error)) or told(said("This page could not be drawn."))
            self._queue.finish("parser")
            self._arrived.emit(request.key, image, why)
