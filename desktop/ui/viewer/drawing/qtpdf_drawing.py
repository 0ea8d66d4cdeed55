"""Draws wishes with QtPdf, one after the other, in a thread of Qt's own.

`QPdfDocument.render` would hold the interpreter lock while it draws. `QPdfPageRenderer` does not,
and is asked straight from the window's thread: no Python thread has to wake up on the way to the
page or back.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocumentRenderOptions

from desktop.ui.viewer.drawing.pdf_files import PdfFile, PdfFiles
from desktop.ui.viewer.drawing.render_queue import HELP_AFTER_SECONDS, CannotDraw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.ui.viewer.drawing.render_queue import DrawRequest, RenderQueue
    from desktop.ui.viewer.drawing.wishes import ImageKey

_log = logging.getLogger(__name__)
_OPEN_FILES = 4


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
        self._patience = QTimer(self, singleShot=True, interval=round(HELP_AFTER_SECONDS * 1000))
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
    """Return what QtPdf is told about an image beside its page and size."""
    options = QPdfDocumentRenderOptions()
    options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
    if key.clip is not None:
        options.setScaledSize(QSize(key.width, key.height))
        # QtPdf takes right minus left as the width, which in a QRect is one less: tiles
        # came out shrunk by 1/width and up to 3 px beside their place
        x, y, width, height = key.clip
        options.setScaledClipRect(QRect(x, y, width + 1, height + 1))
    return options
