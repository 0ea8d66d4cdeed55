"""Pages drawn as pictures, with what it takes to find boxes on them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from desktop.core.errors import DocumentNotFound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop.core.geometry import Box
    from desktop.core.library.library import Library
    from desktop.core.parsing.parser import Parser
    from desktop.core.parsing.values import PageImage

PixelArea = tuple[int, int, int, int]
"""(x0, y0, x1, y1): pixels, top-left origin."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page as drawn; width and height are those of the displayed page, in points."""

    image: PageImage
    width: float
    height: float

    def pixels(self) -> NDArray[np.uint8]:
        """Return the picture: RGB, uint8, shape (height, width, 3)."""
        flat = np.frombuffer(self.image.rgb, np.uint8)
        return flat.reshape(self.image.height, self.image.width, 3)

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
