"""A report as PDF: text that can be selected and searched, and the cited parts of pages."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from desktop.core.reports.pdf_page import MM_PER_POINT, MUTED, WASH, PdfPage
from desktop.core.reports.wording import (
    NOTES,
    NOTICE,
    NOTICE_WITH_NOTES,
    SOURCES,
    printable,
    warning_text,
)
from desktop.core.spoken import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.events import WarningBlockEvent
    from desktop.core.reports.cited_pictures import CitedPicture
    from desktop.core.reports.contents import ReportContents

_TITLE, _HEADING, _BODY, _SMALL = 16.0, 12.0, 10.5, 9.0  # points
_HIGHEST_PICTURE = 200.0  # millimetres
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
        self._page = PdfPage(characters_of(contents))
        self._pdf, self._text = self._page.pdf, self._page.text

    def render(self) -> bytes:
        """Return the file."""
        turn = self._contents.turn
        self._pdf.set_title(printable(turn.question, one_line=True))
        self._pdf.set_creator("Groundwork")
        self._pdf.set_creation_date(turn.answered_at)
        self._pdf.add_page()
        self._text(printable(turn.question, one_line=True), _TITLE, bold=True)
        self._text(self._contents.byline, _SMALL, colour=MUTED, after=4)
        for block in turn.warnings:
            self._warning(block)
        for line in printable(turn.answer).split("\n"):
            if line.strip():
                self._text(line.strip(), _BODY, after=1.5)
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
        self._text(f"{warning_text(block)} ({where})", _BODY, fill=wash, after=3)

    def _quote(self, quote: str, after: float) -> None:
        self._text(quoted(quote, self._contents.turn.language), _SMALL, colour=MUTED, after=after)

    def _source(self, picture: CitedPicture) -> None:
        citation = picture.citation
        if self._pdf.will_page_break(_ROOM_FOR_SOURCE):
            self._pdf.add_page()
        where = self._contents.place(citation.source)
        self._text(f"[{citation.number}] {where}", _BODY, bold=True)
        quote = printable(citation.quote, one_line=True)
        if quote:
            self._quote(quote, after=1)
        if picture.png:
            self._picture(picture, where)
        else:
            self._text(self._contents.said(picture.problem), _SMALL, colour=MUTED, after=4)

    def _picture(self, picture: CitedPicture, where: str) -> None:
        from PIL import Image

        image = Image.open(io.BytesIO(picture.png))
        self._page.picture(image, picture.points * MM_PER_POINT, _HIGHEST_PICTURE, where)


def characters_of(contents: ReportContents) -> set[str]:
    """Return every character that a report writes."""
    turn = contents.turn
    texts = [turn.question, turn.answer, *contents.titles.values()]
    texts += [contents.said(each) for each in (NOTICE, NOTICE_WITH_NOTES, SOURCES, NOTES)]
    texts += [contents.said(each.problem) for each in contents.pictures]
    texts += [block.text for block in turn.warnings]
    for citation in turn.citations:
        texts += [citation.quote, citation.source.document, citation.source.label]
    texts += [text for note in contents.notes for text in note]
    return set(printable("\n".join(texts)))
