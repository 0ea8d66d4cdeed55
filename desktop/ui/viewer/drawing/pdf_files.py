"""Opens files for QtPdf and closes them again, on a thread beside the window's.

QtPdf has one global lock, and PySide6 holds the interpreter lock while it waits for that one:
opening or closing a file while a heavy page is drawn would freeze the window from any Python
thread. So a file is only opened while nothing is drawn, and the end of the last page is waited
for in an event loop.
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

    Made and closed on the thread of `PdfFiles`; between, the renderer is lent to another one.
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
        self.renderer = QPdfPageRenderer()
        self.renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self.renderer.setDocument(self._document)
        self._home = QThread.currentThread()

    def give_back(self) -> None:
        """Return the renderer to the thread that closes the file; called where it is lent to."""
        self.renderer.moveToThread(self._home)

    def wait_for_page(self) -> None:
        """Wait for the page that is being drawn, without holding any lock."""
        loop = QEventLoop()
        self.renderer.pageRendered.connect(loop.quit)
        loop.exec()

    def close(self) -> None:
        """Delete what was made, here and now: whoever still knows this file must not do it."""
        Shiboken.delete(self.renderer)
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
        file.give_back()
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
        file.renderer.moveToThread(self.thread())
        self.opened.emit(file)

    def _close_one(self, file: PdfFile) -> None:
        self._open.remove(file)
        file.close()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
        for file in self._open:
            file.close()
