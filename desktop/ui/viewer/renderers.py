"""The two that draw pages: QtPdf, and the parser for what QtPdf is too slow at.

Each is used by one thread only. That matters for QtPdf: it has one global lock, and
constructing a document while another thread draws holds the interpreter lock until
that page is done. With a single thread nobody ever waits for it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.ui.viewer.render_queue import DrawRequest
    from desktop.ui.viewer.source import PageDrawer

_OPEN_DOCUMENTS = 4


class CannotDraw(Exception):  # noqa: N818 - says what happened, for the page itself
    """A page could not be drawn; the text is for people."""


class QtPdfRenderer:
    """Draws with QtPdf; keeps the last few documents open."""

    def __init__(self) -> None:
        self._documents: OrderedDict[tuple[Path, str | None], QPdfDocument] = OrderedDict()

    def draw(self, request: DrawRequest) -> QImage:
        """Return the image of the request on white paper.

        Raises: CannotDraw, if the file cannot be opened or the page gives no image.
        """
        document = self._open(request.path, request.password)
        key = request.key
        options = QPdfDocumentRenderOptions()
        options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
        if key.clip is not None:
            options.setScaledSize(QSize(key.width, key.height))
            options.setScaledClipRect(QRect(*key.clip))
        drawn = document.render(key.page, QSize(*key.pixel_size), options)
        if drawn.isNull():
            raise CannotDraw("This page could not be drawn.")
        return _on_paper(drawn)

    def close(self) -> None:
        """Close every document, in the thread that opened them."""
        self._documents.clear()

    def _open(self, path: Path, password: str | None) -> QPdfDocument:
        key = (path, password)
        if key in self._documents:
            self._documents.move_to_end(key)
            return self._documents[key]
        document = QPdfDocument()
        if password is not None:
            document.setPassword(password)
        error = document.load(str(path))
        if error is QPdfDocument.Error.IncorrectPassword:
            raise CannotDraw("This manual needs its password.")
        if error is not QPdfDocument.Error.None_:
            raise CannotDraw("This file could not be opened for drawing.")
        self._documents[key] = document
        if len(self._documents) > _OPEN_DOCUMENTS:
            self._documents.popitem(last=False)
        return document


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


def _on_paper(drawn: QImage) -> QImage:
    # QtPdf leaves the background transparent
    paper = QImage(drawn.size(), QImage.Format.Format_RGB32)
    paper.fill(0xFFFFFFFF)
    painter = QPainter(paper)
    painter.drawImage(0, 0, drawn)
    painter.end()
    return paper
