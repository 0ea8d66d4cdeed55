"""Pages and parts of them as pictures, drawn by the parser, which has time limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.structure.values import PageImage
    from desktop.ui.viewer.manuals.open_document import OpenDocument
    from desktop.ui.viewer.manuals.source import PageDrawer

POINTS_PER_INCH = 72.0


def draw_picture(
    drawer: PageDrawer, document: OpenDocument, page: int, dpi: float, box: Box | None = None
) -> QImage:
    """Draw a page, or a box of it in points, upright on white; very large ones come smaller.

    Blocks. Raises: LibraryError, OSError; ValueError, if there is nothing to draw.
    """
    clip = None if box is None else box.as_tuple()
    drawn = drawer.draw(document.path, page, dpi / POINTS_PER_INCH, clip, document.password)
    if not drawn.width or not drawn.height:
        raise ValueError("there is nothing to draw")
    return as_image(drawn)


def as_image(drawn: PageImage) -> QImage:
    """Return drawn pixels as an image that owns them."""
    row = 3 * drawn.width
    shown = QImage(drawn.rgb, drawn.width, drawn.height, row, QImage.Format.Format_RGB888)
    return shown.copy()
