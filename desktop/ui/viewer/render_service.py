"""Has pages drawn, by QtPdf and by the parser, and keeps their pictures for the UI thread.

QtPdf draws one page after the other, in a thread of Qt's own.
`QPdfDocument.render` would hold the interpreter lock while it draws. `QPdfPageRenderer` does not,
and is asked straight from the window's thread: no Python thread has to wake up on the way to the
page or back. Files are opened and closed on a thread beside the window's.

QtPdf has one global lock, and PySide6 holds the interpreter lock while it waits for that one:
opening or closing a file while a heavy page is drawn would freeze the window from any Python
thread. So a file is only opened while nothing is drawn, and the end of the last page is waited
for in an event loop.

PySide6 also holds the interpreter lock while it waits for the locks Qt has around connections,
and takes one of those before the interpreter lock where it disconnects (seen in 6.11.3, in
`QObject.disconnectNotify`). Two threads that do the one and the other wait for each other for
ever. So nothing is connected or disconnected here while the window's thread runs: what draws
the pages is made and deleted on that thread.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, QRect, QSize, Qt, QThread, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer
from shiboken6 import Shiboken

from desktop.core.errors import LibraryError
from desktop.sentences import message, said
from desktop.ui.language import told
from desktop.ui.viewer.page_pictures import as_image
from desktop.ui.viewer.render_queue import (
    THUMBNAIL_CACHE_BYTES,
    CannotDraw,
    DrawRequest,
    Group,
    ImageCache,
    ImageKey,
    RenderQueue,
)

if TYPE_CHECKING:
    from desktop.core.parsing.parser import Parser


class PdfFile:
    """A file that QtPdf has open, and what draws its pages in a thread of Qt's own.

    Opened and closed on the thread of `PdfFiles`; drawn from on the window's.
    """

    def __init__(self, path: Path, password: str | None) -> None:
        self._document = QPdfDocument()
        if password is not None:
            self._document.setPassword(password)
        error = self._document.load(str(path))
        if error is QPdfDocument.Error.IncorrectPassword:
            raise CannotDraw("This manual needs its password.")
        if error is not QPdfDocument.Error.None_:
            raise CannotDraw("This file could not be opened for drawing.")
        self.pages = self._document.pageCount()
        self._renderer: QPdfPageRenderer | None = None
        self._home = QThread.currentThread()

    @property
    def renderer(self) -> QPdfPageRenderer:
        """The renderer of the pages; made on the window's thread when it is first needed."""
        if self._renderer is None:
            self._renderer = QPdfPageRenderer()
            self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
            self._renderer.setDocument(self._document)
        return self._renderer

    def stop_drawing(self) -> None:
        """Delete the renderer, on the window's thread, while no page is being drawn."""
        if self._renderer is not None:
            Shiboken.delete(self._renderer)
            self._renderer = None

    def give_back(self) -> None:
        """Leave the renderer to the thread that closes the file, while the window's waits."""
        if self._renderer is not None:
            self._renderer.moveToThread(self._home)

    def wait_for_page(self) -> None:
        """Wait for the page that is being drawn, without holding any lock."""
        loop = QEventLoop()
        self.renderer.pageRendered.connect(loop.quit)
        loop.exec()

    def close(self) -> None:
        """Delete what was made, right now: whoever still holds this file must not do it."""
        self.stop_drawing()
        Shiboken.delete(self._document)


class PdfFiles(QObject):
    """The thread that opens files and closes them; it belongs to the thread that makes it."""

    opened = Signal(object)
    """A `PdfFile`, or the `CannotDraw` that says why there is none."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._open: list[PdfFile] = []
        self._thread = threading.Thread(target=self._work, name="viewer-qtpdf")
        self._thread.start()

    def open(self, path: Path, password: str | None) -> None:
        """Open a file; `opened` tells how it went."""
        self._tasks.put(lambda: self._open_one(path, password))

    def close(self, file: PdfFile) -> None:
        """Close a file of which no page is being drawn."""
        file.stop_drawing()
        self._tasks.put(lambda: self._close_one(file))

    def shutdown(self, drawing: PdfFile | None) -> None:
        """Close every file and join the thread. drawing: a file whose page is not there yet."""
        for file in list(self._open):
            file.give_back()
        if drawing is not None:
            self._tasks.put(drawing.wait_for_page)
        self._tasks.put(None)
        self._thread.join()

    def _open_one(self, path: Path, password: str | None) -> None:
        try:
            file = PdfFile(path, password)
        except CannotDraw as problem:
            self.opened.emit(problem)
            return
        self._open.append(file)
        self.opened.emit(file)

    def _close_one(self, file: PdfFile) -> None:
        self._open.remove(file)
        file.close()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
        for file in self._open:
            file.close()


_log = logging.getLogger(__name__)
_OPEN_FILES = 4
_PATIENCE_MS = 700
"""After it the parser helps out."""


class QtPdfDrawing(QObject):
    """Takes wishes from the queue whenever it is idle; keeps the last few files open."""

    def __init__(
        self,
        wishes: RenderQueue,
        deliver: Callable[[ImageKey, QImage], None],
        parent: QObject | None = None,
    ) -> None:
        """deliver: gets each image, clear where the paper is empty."""
        super().__init__(parent)
        self._queue, self._deliver = wishes, deliver
        self._lent: OrderedDict[tuple[Path, str | None], PdfFile] = OrderedDict()
        self._wish: DrawRequest | None = None
        self._drawing: PdfFile | None = None
        self._closed = False
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(wishes.help_wanted)
        self._files = PdfFiles(self)
        self._files.opened.connect(self._opened, Qt.ConnectionType.QueuedConnection)

    def look(self) -> None:
        """Begin with the most urgent wish, unless one is under way."""
        while self._wish is None and not self._closed:
            self._wish = self._queue.take_now("qtpdf")
            if self._wish is None:
                return
            self._patience.start()
            key = self._wish.path, self._wish.password
            if key in self._lent:
                self._lent.move_to_end(key)
                self._draw(self._wish, self._lent[key])
            else:
                if len(self._lent) >= _OPEN_FILES:
                    _, oldest = self._lent.popitem(last=False)
                    self._files.close(oldest)
                self._files.open(*key)

    def shutdown(self) -> None:
        """Close every file; returns when the page being drawn is done."""
        self._closed = True
        self._patience.stop()
        self._files.shutdown(self._drawing)

    def _opened(self, file: PdfFile | CannotDraw) -> None:
        wish = self._wish
        if wish is None or self._closed:
            return
        if isinstance(file, CannotDraw):
            self._pass_on(file)
        else:
            self._lent[wish.path, wish.password] = file
            file.renderer.pageRendered.connect(self._drawn)
            self._draw(wish, file)
        self.look()

    def _draw(self, wish: DrawRequest, file: PdfFile) -> None:
        page, size = wish.key.page, QSize(*wish.key.pixel_size)
        if not 0 <= page < file.pages:  # QtPdf would answer with silence
            self._pass_on(CannotDraw("The file has no such page."))
            return
        self._drawing = file
        file.renderer.requestPage(page, size, options_for(wish.key))

    def _drawn(
        self, _page: int, _size: QSize, image: QImage, _options: object, _request: int
    ) -> None:
        wish, self._wish, self._drawing = self._wish, None, None
        self._patience.stop()
        if wish is None or self._closed:
            return
        if image.isNull():
            self._wish = wish
            self._pass_on(CannotDraw("This page could not be drawn."))
        else:
            self._queue.finish("qtpdf")
            self._deliver(wish.key, QImage(image))
        self.look()

    def _pass_on(self, why: CannotDraw) -> None:
        assert self._wish is not None
        _log.info("QtPdf cannot draw page %s: %s", self._wish.key.page, why)
        self._wish = None
        self._queue.pass_on("qtpdf")


def options_for(key: ImageKey) -> QPdfDocumentRenderOptions:
    """Return what QtPdf is told about an image besides its page and size."""
    options = QPdfDocumentRenderOptions()
    options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
    if key.clip is not None:
        options.setScaledSize(QSize(key.width, key.height))
        # QtPdf takes right minus left as the width, which in a QRect is one less: tiles
        # came out shrunk by 1/width and up to 3 px beside their place
        x, y, width, height = key.clip
        options.setScaledClipRect(QRect(x, y, width + 1, height + 1))
    return options


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
