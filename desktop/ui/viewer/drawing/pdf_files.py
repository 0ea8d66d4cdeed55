"""Opens files for QtPdf and closes them again, on a thread beside the window's.

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

import queue
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, QThread, Signal
from PySide6.QtPdf import QPdfDocument, QPdfPageRenderer
from shiboken6 import Shiboken

from desktop.ui.viewer.drawing.render_queue import CannotDraw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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
        """What draws the pages; made on the window's thread when it first asks."""
        if self._renderer is None:
            self._renderer = QPdfPageRenderer()
            self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
            self._renderer.setDocument(self._document)
        return self._renderer

    def stop_drawing(self) -> None:
        """Delete what draws the pages, on the window's thread, while none is being drawn."""
        if self._renderer is not None:
            Shiboken.delete(self._renderer)
            self._renderer = None

    def give_back(self) -> None:
        """Leave what draws the pages to the thread that closes the file, the window's waiting."""
        if self._renderer is not None:
            self._renderer.moveToThread(self._home)

    def wait_for_page(self) -> None:
        """Wait for the page that is being drawn, without holding any lock."""
        loop = QEventLoop()
        self.renderer.pageRendered.connect(loop.quit)
        loop.exec()

    def close(self) -> None:
        """Delete what was made, here and now: whoever still knows this file must not do it."""
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
