"""The two that draw pages: QtPdf, and the parser for what QtPdf is too slow at.

QtPdf has one global lock, and PySide6 holds the interpreter lock both while it waits for
that one and during `QPdfDocument.render`: a heavy page would freeze the window from any
Python thread. So pages are drawn by `QPdfPageRenderer` in a thread of Qt's own, while the
only Python thread that ever calls QtPdf sleeps in an event loop until the page is there.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.ui.viewer.drawing.render_queue import DrawRequest
    from desktop.ui.viewer.manuals.source import PageDrawer

_OPEN_DOCUMENTS = 4


class CannotDraw(Exception):  # noqa: N818 - says what happened, for the page itself
    """A page could not be drawn; the text is for people."""


class QtPdfRenderer:
    """Draws with QtPdf; keeps the last few documents open. For one thread only."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Path, str | None], _OpenPdf] = OrderedDict()

    def draw(self, request: DrawRequest) -> QImage:
        """Return the image of the request, clear where the paper is empty.

        Raises: CannotDraw, if the file cannot be opened or the page gives no image.
        """
        key = request.key
        options = QPdfDocumentRenderOptions()
        options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
        if key.clip is not None:
            options.setScaledSize(QSize(key.width, key.height))
            # QtPdf takes right minus left as the width, which in a QRect is one less: tiles
            # came out shrunk by 1/width and up to 3 px beside their place
            x, y, width, height = key.clip
            options.setScaledClipRect(QRect(x, y, width + 1, height + 1))
        pdf = self._opened(request.path, request.password)
        drawn = pdf.draw(key.page, QSize(*key.pixel_size), options)
        if drawn.isNull():
            raise CannotDraw("This page could not be drawn.")
        # in place, and then it is painted as fast as an image without holes
        drawn.convertTo(QImage.Format.Format_ARGB32_Premultiplied)
        return drawn

    def close(self) -> None:
        """Close every document, in the thread that opened them."""
        self._open.clear()

    def _opened(self, path: Path, password: str | None) -> _OpenPdf:
        key = (path, password)
        if key not in self._open:
            self._open[key] = _OpenPdf(path, password)
            if len(self._open) > _OPEN_DOCUMENTS:
                self._open.popitem(last=False)
        self._open.move_to_end(key)
        return self._open[key]


class _OpenPdf:
    """One document with its renderer."""

    def __init__(self, path: Path, password: str | None) -> None:
        self._document = QPdfDocument()
        if password is not None:
            self._document.setPassword(password)
        error = self._document.load(str(path))
        if error is QPdfDocument.Error.IncorrectPassword:
            raise CannotDraw("This manual needs its password.")
        if error is not QPdfDocument.Error.None_:
            raise CannotDraw("This file could not be opened for drawing.")
        self._pages = self._document.pageCount()
        self._renderer = QPdfPageRenderer()
        self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self._renderer.setDocument(self._document)
        self._loop = QEventLoop()
        self._image = QImage()
        # direct: both live in the thread that waits in the loop
        self._renderer.pageRendered.connect(self._take, Qt.ConnectionType.DirectConnection)

    def draw(self, page: int, size: QSize, options: QPdfDocumentRenderOptions) -> QImage:
        """Return the page's image; waits without holding any lock."""
        if not 0 <= page < self._pages:
            # QtPdf would answer with silence
            raise CannotDraw("The file has no such page.")
        self._renderer.requestPage(page, size, options)
        self._loop.exec()
        # not kept here too: an image that is shared is copied when it is changed
        drawn, self._image = self._image, QImage()
        return drawn

    def _take(
        self, _page: int, _size: QSize, image: QImage, _options: object, _request: int
    ) -> None:
        self._image = QImage(image)
        self._loop.quit()


class ParserRenderer:
    """Draws through the parser, which can be stopped when a page takes too long."""

    def __init__(self, drawer: PageDrawer) -> None:
        self._drawer = drawer

    def draw(self, request: DrawRequest) -> QImage:
        """Return the image of the request; raises what the parser raises."""
        key = request.key
        scale = key.width / max(request.page_width, 1.0)
        clip = None
        if key.clip is not None:
            x, y, width, height = key.clip
            clip = (x / scale, y / scale, (x + width) / scale, (y + height) / scale)
        drawn = self._drawer.draw(request.path, key.page, scale, clip, request.password)
        image = QImage(
            drawn.rgb, drawn.width, drawn.height, drawn.width * 3, QImage.Format.Format_RGB888
        ).convertToFormat(QImage.Format.Format_RGB32)
        if image.isNull():
            raise CannotDraw("This page could not be drawn.")
        size = QSize(*key.pixel_size)
        return image if image.size() == size else image.scaled(size)
