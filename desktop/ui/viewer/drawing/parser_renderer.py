"""Draws pages with the parser: those that QtPdf is too slow at, or cannot draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from desktop.ui.viewer.drawing.render_queue import CannotDraw

if TYPE_CHECKING:
    from desktop.ui.viewer.drawing.render_queue import DrawRequest
    from desktop.ui.viewer.manuals.source import PageDrawer


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
