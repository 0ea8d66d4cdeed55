"""PDF written from top to bottom: pages of literal text, and a report on them."""

from __future__ import annotations

import io
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop.core.paths import resources_folder
from desktop.core.reports.contents import NOTES, SOURCES, printable, quote_of
from desktop.sentences import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from fpdf import FPDF

    from desktop.core.events import WarningBlockEvent
    from desktop.core.reports.cited_pictures import CitedPicture
    from desktop.core.reports.contents import ReportContents

REGULAR, BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"
"""Latin, Greek, Cyrillic, arrows, and the signs of technical texts."""
FALLBACKS = (
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
    "/Library/Fonts/Arial Unicode.ttf",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/arphic/uming.ttc",
    "/usr/share/fonts/truetype/unifont/unifont.ttf",
)
"""Typefaces that have Chinese, Japanese and Korean, where systems keep them."""
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
_LINE = 0.5  # millimetres of line per point of letter
_PADDING = 2
_NOT_PRINTABLE = "\N{WHITE SQUARE}"
_TITLE, _HEADING, _BODY, _SMALL = 16.0, 12.0, 10.5, 9.0  # points
_HIGHEST_PICTURE = 200.0  # millimetres
_APART = 2.5  # millimetres between rows
_ROOM_FOR_SOURCE = 30.0
"""A source does not begin lower than this above the bottom margin."""


def shipped(name: str) -> Path:
    """Return the file of a shipped typeface."""
    return resources_folder() / "fonts" / name


def fallbacks() -> Iterator[Path]:
    """Yield the machine's fallback typefaces that are present."""
    for path in map(Path, FALLBACKS):
        if path.is_file():
            yield path


class PdfPage:
    """Pages that follow each other as they fill. Lengths in millimetres, letters in points."""

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

        measures: nothing is kept; the page is endless and only tells how far down the
        text goes.
        """
        self._measures = measures
        size = (PAPER[paper][0], _ENDLESS) if measures else PAPER[paper]
        self.pdf, unknown = _new_pdf(characters, size, margin, numbered=numbered)
        self._unknown = dict.fromkeys(unknown, _NOT_PRINTABLE)

    def begin(self, title: str, when: datetime) -> None:
        """Say what the document is called and when it was made, and begin its first page."""
        self.pdf.set_title(title)
        self.pdf.set_creator("Groundwork")
        self.pdf.set_creation_date(when)
        self.pdf.add_page()

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
        self, png: bytes, widest: float, highest: float, said: str, after: float = 5.0
    ) -> None:
        """Put a framed picture where the text has got to. said: for those who cannot see it."""
        from PIL import Image

        image = Image.open(io.BytesIO(png))
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
    """Return an empty document, and the characters that it cannot print."""
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


def write_pdf(contents: ReportContents, path: Path, characters: Collection[str]) -> None:
    """Write a report. characters: all that it has.

    Characters of scripts with joined forms (Arabic, Indian) are printed unjoined.

    Raises: OSError.
    """
    path.write_bytes(_Sheet(contents, characters).render())


class _Sheet:
    """Writes from top to bottom; every text is literal."""

    def __init__(self, contents: ReportContents, characters: Collection[str]) -> None:
        self._contents = contents
        self._page = PdfPage(characters)
        self._pdf, self._text = self._page.pdf, self._page.text

    def render(self) -> bytes:
        """Return the file."""
        turn = self._contents.turn
        title = printable(turn.question, one_line=True)
        self._page.begin(title, turn.answered_at)
        self._text(title, _TITLE, bold=True)
        self._text(self._contents.byline, _SMALL, colour=MUTED, after=4)
        for block in turn.warnings:
            self._warning(block)
        if turn.doubt:
            self._text(turn.doubt, _BODY, bold=True, after=3)
        for line in printable(self._contents.answer).split("\n"):
            if line.strip():
                is_key = line in self._contents.keys
                self._text(line.strip(), _BODY, bold=is_key, after=1.5)
            else:
                self._pdf.ln(_APART)
        self._text(self._contents.notice, _SMALL, colour=MUTED, after=4)
        if self._contents.pictures:
            self._text(self._contents.said(SOURCES), _HEADING, bold=True, after=2)
        for picture in self._contents.pictures:
            self._source(picture)
        if turn.notes:
            self._text(self._contents.said(NOTES), _HEADING, bold=True, after=2)
        for label, quote in self._contents.notes:
            self._text(label, _BODY, bold=True)
            self._quote(quote, after=4)
        return bytes(self._pdf.output())

    def _warning(self, block: WarningBlockEvent) -> None:
        where = self._contents.place(block.source)
        wash = WASH[block.level]
        self._text(self._contents.signal_word(block), _BODY, bold=True, fill=wash)
        self._text(f"{printable(block.text, one_line=True)} ({where})", _BODY, fill=wash, after=3)

    def _quote(self, quote: str, after: float) -> None:
        self._text(quoted(quote, self._contents.turn.language), _SMALL, colour=MUTED, after=after)

    def _source(self, picture: CitedPicture) -> None:
        citation = picture.citation
        if self._pdf.will_page_break(_ROOM_FOR_SOURCE):
            self._pdf.add_page()
        where = self._contents.place(citation.source)
        self._text(f"[{citation.number}] {where}", _BODY, bold=True)
        quote = quote_of(citation)
        if quote:
            self._quote(quote, after=1)
        if picture.png:
            widest = picture.points * MM_PER_POINT
            self._page.picture(picture.png, widest, _HIGHEST_PICTURE, where)
        else:
            self._text(self._contents.said(picture.problem), _SMALL, colour=MUTED, after=4)
