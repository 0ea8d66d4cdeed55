"""Pages drawn as pictures, with what it takes to find boxes on them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from desktop.core.errors import DocumentNotFound
from desktop.core.marking import on_white

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

    from desktop.core.geometry import Box
    from desktop.core.library.library import Library
    from desktop.core.parsing.parser import Parser
    from desktop.core.structure.values import PageImage

PixelArea = tuple[int, int, int, int]
"""(x0, y0, x1, y1): pixels, top-left origin."""
MARGIN_POINTS = 2.0
RADIUS_POINTS = 2.0


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page as drawn; width and height are those of the displayed page, in points."""

    image: PageImage
    width: float
    height: float

    def area(self, box: Box) -> PixelArea | None:
        """Return the pixels of a box in points, None if it has none on the page."""
        across, down = self.image.width / self.width, self.image.height / self.height
        x0, x1 = (_within(x * across, self.image.width) for x in (box.x0, box.x1))
        y0, y1 = (_within(y * down, self.image.height) for y in (box.y0, box.y1))
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


class PageDrawer(Protocol):
    """Draws pages of the library; blocking, callable from any thread."""

    def draw(self, document_id: int, page: int, scale: float) -> DrawnPage:
        """Draw a page at `scale` pixels per point; a very large one comes smaller.

        Raises: LibraryError, OSError.
        """


class LibraryDrawer:
    """Draws through the parser, with the password that a person gave."""

    def __init__(self, library: Library, parser: Parser) -> None:
        self._library = library
        self._parser = parser

    def draw(self, document_id: int, page: int, scale: float) -> DrawnPage:
        """Draw a page; see `PageDrawer.draw`."""
        known = next((p for p in self._library.pages(document_id) if p.page == page), None)
        if known is None:
            raise DocumentNotFound(document_id)
        image = self._parser.draw(
            self._library.original_path(document_id),
            page,
            scale,
            password=self._library.password(document_id),
        )
        return DrawnPage(image, known.width, known.height)


def _within(value: float, limit: int) -> int:
    return int(min(max(round(value), 0), limit))


def highlight(image: PageImage, page_width: float, boxes: Iterable[Box]) -> NDArray[np.uint8]:
    """Return the page with every region marked as by a pen, as the viewer marks them.

    page_width: displayed width of the page in points; boxes are in the same points,
        top-left origin. Parts of a box outside the page are cut off.

    Returns: RGB, uint8, shape (height, width, 3).
    """
    from PIL import Image, ImageDraw

    pixels = image.pixels().copy()
    # from the image, not from the scale asked for: a large page is drawn smaller
    scale = image.width / page_width if page_width > 0 else 1.0
    mask = Image.new("1", (image.width, image.height))
    pen = ImageDraw.Draw(mask)
    for box in boxes:
        part = box.inflated(MARGIN_POINTS)
        corners = [round(value * scale) for value in part.as_tuple()]
        corners[2:] = (max(corners[0], corners[2] - 1), max(corners[1], corners[3] - 1))
        pen.rounded_rectangle(tuple(corners), radius=RADIUS_POINTS * scale, fill=1)
    # Multiplied like a marker pen, so that black stays black; once for all boxes, so that
    # the page stays readable where two overlap.
    marked = np.asarray(mask)
    tint = np.array(on_white(), np.float32) / 255
    pixels[marked] = np.rint(pixels[marked] * tint).astype(np.uint8)
    return pixels


def write_png(target: Path | BinaryIO, pixels: NDArray[np.uint8]) -> None:
    """Write RGB pixels, shape (height, width, 3), as PNG."""
    from PIL import Image

    Image.fromarray(pixels).save(target, "PNG")
