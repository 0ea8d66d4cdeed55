"""A page as the parser reads it, drawn line by line by a test.

page = DrawnPage().line("Wiring", 72, 100, size=16, bold=True).paragraph(["Connect J1C."], 72, 140)
blocks, units = structure_page(page.raw(), style())
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.structure.page import Heading, understand_page
from desktop.core.structure.raw import DocumentStyle, RawPage, RawRegion, RawSpan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.values import Block, BoxTuple, OutlineEntry, Unit

# Shares of the font size: the width of a letter, the height of a line, the way to the next.
_LETTER, _HEIGHT, _LEADING = 0.5, 1.2, 1.3
BODY = 10.0


class DrawnPage:
    """Letters are half as wide as the font is high; x and y are a line's top left corner."""

    def __init__(self, page: int = 0, width: float = 600.0, height: float = 800.0) -> None:
        self._page, self._width, self._height = page, width, height
        self._spans: list[RawSpan] = []
        self._texts: list[str] = []
        self._boxes: list[BoxTuple] = []
        self._lines: list[int] = []
        self._regions: list[RawRegion] = []
        self._images: list[BoxTuple] = []
        self._drawings: list[BoxTuple] = []
        self._blocks = 0

    def line(
        self,
        text: str,
        x: float,
        y: float,
        *,
        size: float = BODY,
        bold: bool = False,
        font: str = "",
    ) -> DrawnPage:
        """Draw one line, a text block of its own."""
        return self.paragraph([text], x, y, size=size, bold=bold, font=font)

    def paragraph(
        self,
        lines: Sequence[str],
        x: float,
        y: float,
        *,
        size: float = BODY,
        bold: bool = False,
        font: str = "",
    ) -> DrawnPage:
        """Draw lines below each other, one text block."""
        for number, text in enumerate(lines):
            self._line(text, x, y + number * _LEADING * size, size, bold, font)
        self._blocks += 1
        return self

    def turned(self, text: str, x: float, y: float, *, size: float = BODY) -> DrawnPage:
        """Draw one word that runs up the page; x and y are the top left corner of its box."""
        box = (x, y, x + _HEIGHT * size, y + len(text) * _LETTER * size)
        self._spans.append(RawSpan(text, box, size, False, self._blocks, turned=True))
        self._texts.append(text)
        self._boxes.append(box)
        self._lines.append(self._lines[-1] + 1 if self._lines else 0)
        self._blocks += 1
        return self

    def row(
        self, cells: Sequence[str], columns: Sequence[float], y: float, *, bold: bool = False
    ) -> DrawnPage:
        """Draw cells on one height, each a text block of its own; "" leaves a cell empty."""
        for text, x in zip(cells, columns, strict=True):
            if text:
                self.line(text, x, y, bold=bold)
        return self

    def grid(
        self, rows: Sequence[Sequence[str]], columns: Sequence[float], y: float, step: float = 20
    ) -> DrawnPage:
        """Draw rows of cells below each other, all of them one text block."""
        for number, cells in enumerate(rows):
            for text, x in zip(cells, columns, strict=True):
                if text:
                    self._line(text, x, y + number * step, BODY, bold=False)
        self._blocks += 1
        return self

    def region(self, kind: str, box: BoxTuple) -> DrawnPage:
        """Let the layout model have seen something."""
        self._regions.append(RawRegion(kind, box))
        return self

    def image(self, box: BoxTuple) -> DrawnPage:
        """Place a picture."""
        self._images.append(box)
        return self

    def rule(self, x0: float, x1: float, y: float) -> DrawnPage:
        """Draw a horizontal line."""
        self._drawings.append((x0, y, x1, y))
        return self

    def shade(self, box: BoxTuple) -> DrawnPage:
        """Fill an area."""
        self._drawings.append(box)
        return self

    def fence(self, x: float, y0: float, y1: float) -> DrawnPage:
        """Draw an upright line."""
        self._drawings.append((x, y0, x, y1))
        return self

    def words(self, *, from_ocr: bool = False) -> PageWords:
        """Return the page's words in the order they were drawn."""
        return PageWords(
            tuple(self._texts),
            np.asarray(self._boxes, np.float32).reshape(-1, 4),
            np.asarray(self._lines, np.int32),
            from_ocr,
        )

    def raw(self) -> RawPage:
        """Return the page as the parser reads it."""
        return RawPage(
            self._page,
            self._width,
            self._height,
            tuple(self._spans),
            self.words(),
            tuple(self._drawings),
            tuple(self._images),
            tuple(self._regions),
            ocr=False,
        )

    def scanned(self) -> RawPage:
        """Return the page as OCR reads it: words without fonts and without text blocks."""
        return replace(self.raw(), spans=(), words=self.words(from_ocr=True), ocr=True)

    def aslant(self, text: str, box: BoxTuple, *, size: float) -> DrawnPage:
        """Draw one word that runs from corner to corner of a box, as a watermark does."""
        self._spans.append(RawSpan(text, box, size, False, self._blocks))
        self._texts.append(text)
        self._boxes.append(box)
        self._lines.append(self._lines[-1] + 1 if self._lines else 0)
        self._blocks += 1
        return self

    def _line(self, text: str, x: float, y: float, size: float, bold: bool, font: str = "") -> None:
        bottom = y + _HEIGHT * size
        right = x + len(text) * _LETTER * size
        box = (x, y, right, bottom)
        self._spans.append(RawSpan(text, box, size, bold, self._blocks, font))
        line = self._lines[-1] + 1 if self._lines else 0
        column = 0
        for word in text.split():
            column = text.index(word, column)
            left = x + column * _LETTER * size
            self._texts.append(word)
            self._boxes.append((left, y, left + len(word) * _LETTER * size, bottom))
            self._lines.append(line)
            column += len(word)


def style(*outline: OutlineEntry, title: str = "", repeated: Sequence[str] = ()) -> DocumentStyle:
    """Return the style of a document whose text is as large as `DrawnPage` draws it."""
    return DocumentStyle(BODY, frozenset(repeated), outline, title)


def structure_page(
    raw: RawPage, style: DocumentStyle, continued: tuple[str, ...] = ()
) -> tuple[tuple[Block, ...], tuple[Unit, ...]]:
    """Return the blocks and units of a page that stands alone; see `understand_page`."""
    found = understand_page(raw, style, tuple(map(Heading, continued)))
    return found.blocks, found.units
