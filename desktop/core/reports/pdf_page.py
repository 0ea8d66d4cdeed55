"""A PDF that is written from top to bottom; every text in it is literal."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Literal

from desktop.core.reports.report_fonts import BOLD, REGULAR, fallbacks, shipped

if TYPE_CHECKING:
    from collections.abc import Collection

    from fpdf import FPDF
    from PIL.Image import Image

INK, MUTED = (20, 20, 20), (95, 95, 95)
Colour = tuple[int, int, int]
WASH: dict[str, Colour] = {
    "DANGER": (253, 226, 226),
    "WARNING": (255, 236, 214),
    "CAUTION": (255, 247, 209),
    "NOTE": (226, 238, 252),
}
MM_PER_POINT = 25.4 / 72
PAPER = {"A4": (210.0, 297.0), "A5": (148.0, 210.0)}
_ENDLESS = 5_000.0
"""Height of a page on which something is measured."""
_FAMILY = "report"
_SMALL = 9.0  # points
_LINE = 0.5  # millimetres of line per point of letter
_PADDING = 2
_NOT_PRINTABLE = "\N{WHITE SQUARE}"


class PdfPage:
    """Pages that follow each other as they fill. Lengths are millimetres, letters points."""

    def __init__(
        self,
        characters: Collection[str],
        paper: Literal["A4", "A5"] = "A4",
        margin: float = 20.0,
        *,
        numbered: bool = True,
        measures: bool = False,
    ) -> None:
        """characters: all that will be written, so that typefaces for them are there.

        measures: nothing is kept; a page is endless and only tells how far down one comes.
        """
        self._measures = measures
        size = (PAPER[paper][0], _ENDLESS) if measures else PAPER[paper]
        self.pdf, unknown = _new_pdf(characters, size, margin, numbered=numbered)
        self._unknown = dict.fromkeys(unknown, _NOT_PRINTABLE)

    def text(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: Colour = INK,
        fill: Colour | None = None,
        after: float = 0.0,
    ) -> None:
        """Write a paragraph. fill: the colour behind it. after: room below it."""
        self.pdf.set_font(_FAMILY, "B" if bold else "", size)
        self.pdf.set_text_color(*colour)
        if fill is not None:
            self.pdf.set_fill_color(*fill)
        self.pdf.multi_cell(
            0,
            size * _LINE,
            text.translate(self._unknown),
            align="L",
            fill=fill is not None,
            new_x="LMARGIN",
            new_y="NEXT",
            padding=_PADDING if fill is not None else 0,
        )
        self.pdf.ln(after)

    def picture(
        self, image: Image, widest: float, highest: float, said: str, after: float = 5.0
    ) -> None:
        """Put a framed picture where the text has come to. said: for who cannot see it."""
        width = min(self.pdf.epw, widest)
        height = width * image.height / image.width
        if height > highest:
            width, height = width * highest / height, highest
        if self.pdf.will_page_break(height):
            self.pdf.add_page()
        if self._measures:
            self.pdf.set_y(self.pdf.get_y() + height + after)
            return
        left, top = self.pdf.l_margin, self.pdf.get_y()
        self.pdf.image(image, left, top, width, height, alt_text=said)
        self.pdf.set_draw_color(*MUTED)
        self.pdf.rect(left, top, width, height)
        self.pdf.set_y(top + height + after)


def _new_pdf(
    characters: Collection[str], size: tuple[float, float], margin: float, *, numbered: bool
) -> tuple[FPDF, set[int]]:
    """Return an empty document, and those of the characters that it cannot print."""
    from fpdf import FPDF

    # its warnings quote characters of the text
    logging.getLogger("fpdf").setLevel(logging.ERROR)
    logging.getLogger("fontTools").setLevel(logging.ERROR)

    class Numbered(FPDF):
        def footer(self) -> None:
            """Write the page's number."""
            if not numbered:
                return
            self.set_y(-margin * 0.75)
            self.set_font(_FAMILY, "", _SMALL)
            self.set_text_color(*MUTED)
            self.cell(0, 5, str(self.page_no()), align="C")

    pdf = Numbered(unit="mm", format=size)
    pdf.set_margins(margin, margin)
    pdf.set_auto_page_break(True, margin)
    pdf.c_margin = 0  # texts and pictures begin at the same place
    pdf.add_font(_FAMILY, "", shipped(REGULAR))
    pdf.add_font(_FAMILY, "B", shipped(BOLD))
    return pdf, _add_fallbacks(pdf, characters)


def _add_fallbacks(pdf: FPDF, characters: Collection[str]) -> set[int]:
    """Add typefaces of this machine for characters that the shipped one lacks.

    Returns: those that no typeface has.
    """
    missing = {ord(c) for c in characters} - set(_known(pdf, _FAMILY)) - {ord("\n")}
    added: list[str] = []
    for path in fallbacks() if missing else ():
        name = f"other{len(added)}"
        pdf.add_font(name, "", path)
        found = missing & set(_known(pdf, name))
        if found:
            added.append(name)
            missing -= found
    if added:
        pdf.set_fallback_fonts(added, exact_match=False)
    return missing


def _known(pdf: FPDF, family: str) -> Collection[int]:
    from fpdf.fonts import TTFFont

    font = pdf.fonts[family]
    assert isinstance(font, TTFFont)
    return font.cmap.keys()
