"""A report as PDF: text that can be selected and searched, and the cited parts of pages."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

from desktop.core.reports.report_fonts import BOLD, REGULAR, fallbacks, shipped
from desktop.core.reports.wording import NOTES, place, printable, warning_text

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from fpdf import FPDF

    from desktop.core.events import WarningBlockEvent
    from desktop.core.reports.cited_pictures import CitedPicture
    from desktop.core.reports.contents import ReportContents

_MARGIN = 20.0  # millimetres, as everything here but the sizes of letters
_FAMILY = "report"
_TITLE, _HEADING, _BODY, _SMALL = 16.0, 12.0, 10.5, 9.0  # points
_LINE = 0.5  # millimetres of line per point of letter
_INK, _MUTED = (20, 20, 20), (95, 95, 95)
_WASH = {
    "DANGER": (253, 226, 226),
    "WARNING": (255, 236, 214),
    "CAUTION": (255, 247, 209),
    "NOTE": (226, 238, 252),
}
_PADDING = 2
_MM_PER_POINT = 25.4 / 72
_HIGHEST_PICTURE = 200.0
_NOT_PRINTABLE = "\N{WHITE SQUARE}"
_ROOM_FOR_SOURCE = 30.0
"""A source does not begin lower than this above the bottom margin."""


def write_pdf(contents: ReportContents, path: Path) -> None:
    """Write a report.

    Characters of scripts that are written in joined forms (Arabic, Indian) stand unjoined.

    Raises: OSError.
    """
    path.write_bytes(_Sheet(contents).render())


class _Sheet:
    """Writes from top to bottom; every text is literal."""

    def __init__(self, contents: ReportContents) -> None:
        self._contents = contents
        self._pdf, unknown = _new_pdf(_characters(contents))
        self._unknown = dict.fromkeys(unknown, _NOT_PRINTABLE)

    def render(self) -> bytes:
        """Return the file."""
        turn = self._contents.turn
        self._pdf.set_title(printable(turn.question, one_line=True))
        self._pdf.set_creator("Groundwork")
        self._pdf.set_creation_date(turn.answered_at)
        self._pdf.add_page()
        self._text(printable(turn.question, one_line=True), _TITLE, bold=True)
        self._text(self._contents.byline, _SMALL, colour=_MUTED, after=4)
        for block in turn.warnings:
            self._warning(block)
        for line in printable(turn.answer).split("\n"):
            if line.strip():
                self._text(line.strip(), _BODY, after=1.5)
        self._text(self._contents.notice, _SMALL, colour=_MUTED, after=4)
        if self._contents.pictures:
            self._text("Sources", _HEADING, bold=True, after=2)
        for picture in self._contents.pictures:
            self._source(picture)
        if turn.notes:
            self._text(NOTES, _HEADING, bold=True, after=2)
        for label, quote in self._contents.notes:
            self._text(label, _BODY, bold=True)
            self._text(f"“{quote}”", _SMALL, colour=_MUTED, after=4)
        return bytes(self._pdf.output())

    def _warning(self, block: WarningBlockEvent) -> None:
        where = place(block.source, self._contents.title_of(block.source))
        self._pdf.set_fill_color(*_WASH[block.level])
        self._text(block.level, _BODY, bold=True, fill=True)
        self._text(f"{warning_text(block)} ({where})", _BODY, fill=True, after=3)

    def _source(self, picture: CitedPicture) -> None:
        citation = picture.citation
        if self._pdf.will_page_break(_ROOM_FOR_SOURCE):
            self._pdf.add_page()
        where = place(citation.source, self._contents.title_of(citation.source))
        self._text(f"[{citation.number}] {where}", _BODY, bold=True)
        quote = printable(citation.quote, one_line=True)
        if quote:
            self._text(f"“{quote}”", _SMALL, colour=_MUTED, after=1)
        if picture.png:
            self._picture(picture, where)
        else:
            self._text(picture.problem, _SMALL, colour=_MUTED, after=4)

    def _picture(self, picture: CitedPicture, where: str) -> None:
        from PIL import Image

        image = Image.open(io.BytesIO(picture.png))
        width = min(self._pdf.epw, picture.points * _MM_PER_POINT)
        height = width * image.height / image.width
        if height > _HIGHEST_PICTURE:
            width, height = width * _HIGHEST_PICTURE / height, _HIGHEST_PICTURE
        if self._pdf.will_page_break(height):
            self._pdf.add_page()
        left, top = self._pdf.l_margin, self._pdf.get_y()
        self._pdf.image(image, left, top, width, height, alt_text=where)
        self._pdf.set_draw_color(*_MUTED)
        self._pdf.rect(left, top, width, height)
        self._pdf.set_y(top + height + 5)

    def _text(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: tuple[int, int, int] = _INK,
        fill: bool = False,
        after: float = 0.0,
    ) -> None:
        self._pdf.set_font(_FAMILY, "B" if bold else "", size)
        self._pdf.set_text_color(*colour)
        self._pdf.multi_cell(
            0,
            size * _LINE,
            text.translate(self._unknown),
            align="L",
            fill=fill,
            new_x="LMARGIN",
            new_y="NEXT",
            padding=_PADDING if fill else 0,
        )
        self._pdf.ln(after)


def _new_pdf(characters: Collection[str]) -> tuple[FPDF, set[int]]:
    """Return an empty document, and those of the characters that it cannot print."""
    from fpdf import FPDF

    # its warnings quote characters of the text
    logging.getLogger("fpdf").setLevel(logging.ERROR)
    logging.getLogger("fontTools").setLevel(logging.ERROR)

    class Numbered(FPDF):
        def footer(self) -> None:
            """Write the page's number."""
            self.set_y(-_MARGIN * 0.75)
            self.set_font(_FAMILY, "", _SMALL)
            self.set_text_color(*_MUTED)
            self.cell(0, 5, str(self.page_no()), align="C")

    pdf = Numbered(unit="mm", format="A4")
    pdf.set_margins(_MARGIN, _MARGIN)
    pdf.set_auto_page_break(True, _MARGIN)
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


def _characters(contents: ReportContents) -> set[str]:
    turn = contents.turn
    texts = [turn.question, turn.answer, *contents.titles.values()]
    texts += [block.text for block in turn.warnings]
    for citation in turn.citations:
        texts += [citation.quote, citation.source.document, citation.source.label]
    texts += [text for note in contents.notes for text in note]
    return set(printable("\n".join(texts)))
