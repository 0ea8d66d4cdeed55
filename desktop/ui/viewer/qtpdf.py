"""Draws pages with QtPdf, one after the other, in a thread of Qt's own.

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
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, QRect, QSize, Qt, QThread, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer
from shiboken6 import Shiboken

from desktop.ui.viewer.render_queue import CannotDraw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.ui.viewer.render_queue import DrawRequest, ImageKey, RenderQueue


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
                self._make_room()
                self._files.open(*key)

    def shutdown(self) -> None:
        """Close every file; returns when the page being drawn is done."""
        self._closed = True
        self._patience.stop()
        self._files.shutdown(self._drawing)

    def _make_room(self) -> None:
        if len(self._lent) >= _OPEN_FILES:
            _, oldest = self._lent.popitem(last=False)
            self._files.close(oldest)

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
