"""An answer's text: cut into prose and quotes, as rich text, for the clipboard, and shown.

QTextBrowser by itself opens `file://` links and loads `file://` images. `SafeBrowser` refuses
every resource, only ever emits links, and gets its text from `answer_html`, which escapes
whatever came from a manual, a file name or a model.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, cast

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from desktop.core.answering.quoted_lines import PROSE_FORMS, QuotedLines, with_rows
from desktop.core.events import (
    CitationEvent,
    NoteCitationEvent,
    PageRegion,
    QuotedForm,
    TextPiece,
    WarningBlockEvent,
)
from desktop.core.notes.note import note_place
from desktop.core.structure.signs import cells_apart
from desktop.ui import wording
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.design.tokens import Type
from desktop.ui.language import spoken_language, told, tr
from desktop.ui.wording import signal_word

if TYPE_CHECKING:
    from desktop.ui.design.tokens import Colours

LineKind = Literal["text", "heading", "bullet", "numbered", "row", "rule", "empty"]

_BEGINNING = re.compile(
    r"(?:(?P<heading>#{1,6})|\s*(?P<bullet>[-•*])|\s*(?P<numbered>\d{1,2}[.)])) +(?=\S)"
)
# a sign counts only at the edge of a word: "5*3*2" and "__init__" are no emphasis
_INLINE = re.compile(
    r"(?<![\w*])\*\*(?P<b>[^\s*](?:[^*\n]*[^\s*])?)\*\*(?![\w*])"
    r"|(?<![\w*])\*(?P<i>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
    r"|(?<!`)`(?P<code>[^`\n]+)`(?!`)"
)
"""Its groups are named after the tags of what they hold."""


def line_of(text: str) -> tuple[LineKind, int]:
    """Return what a line is, and how many characters at its beginning only mark it."""
    said = text.strip()
    if not said:
        return "empty", 0
    if len(said) > 1 and said[0] == said[-1] == "|":
        return "rule" if "-" in said and not "".join(said.split()).strip(":|-") else "row", 0
    found = _BEGINNING.match(text)
    if found is None:
        return "text", 0
    kind = cast("LineKind", found.lastgroup)
    return kind, 0 if kind == "numbered" else found.end()  # a number is part of what is said


Pieces = list[TextPiece]


@dataclass(frozen=True, slots=True)
class Prose:
    """Text that stands as it was written."""

    pieces: tuple[TextPiece, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Quotes that are shown as one card, in the form that they have on the page.

    citations: each has a form, all of one place: rows of one table, paragraphs, steps and items
    of one section.
    """

    citations: tuple[CitationEvent, ...]

    @property
    def kind(self) -> str:
        """The kind of the first of them."""
        return _form(self.citations[0]).kind

    @property
    def forms(self) -> tuple[QuotedForm, ...]:
        """How each stands on the page."""
        return tuple(map(_form, self.citations))

    @property
    def is_list(self) -> bool:
        """Whether its quotes stand one below the other, under their heading."""
        return self.kind != "row" and (self.kind == "step" or len(self.citations) > 1)


Block = Prose | Quoted


def answer_blocks(
    pieces: Sequence[TextPiece], citations: Mapping[int, CitationEvent], *, running: bool = False
) -> list[Block]:
    """Return the blocks of an answer in order.

    running: more is to come; a line that is still being written and will be shown as a quote is
    held back.
    """
    found: list[Block] = []
    quoted = QuotedLines(citations.values())
    lines = list(_lines(pieces))
    for at, line in enumerate(lines):
        whole = "".join(piece.text for piece in line)
        if running and at == len(lines) - 1 and quoted.may_be_at(whole):
            continue
        quote = quoted.at(whole)
        if quote is None or any(piece.withdrawn or piece.unsupported for piece in line):
            _add_prose(found, line)
            continue
        citation, end = quote
        last = found[-1] if found else None
        if isinstance(last, Prose) and not _says_something(last):
            found.pop()
            last = found[-1] if found else None
        if isinstance(last, Quoted) and _goes_on(last.citations[-1], citation, quoted):
            found[-1] = Quoted((*last.citations, citation))
        else:
            found.append(Quoted((citation,)))
        rest = _without(line, end)
        if any(piece.text.strip() for piece in rest):
            _add_prose(found, rest)
    return [
        each
        for each, below in pairwise((*found, None))
        if isinstance(each, Quoted)
        or (each is not None and _says_something(each) and not _heads(each, below))
    ]


def _heads(prose: Prose, below: Block | None) -> bool:
    """Whether a text is the heading that the card below it has anyway."""
    text = "".join(piece.text for piece in prose.pieces).strip()
    return isinstance(below, Quoted) and below.is_list and below.forms[0].section[-1:] == (text,)


def _goes_on(before: CitationEvent, after: CitationEvent, quoted: QuotedLines) -> bool:
    """Whether two quotes are of one table, or of the prose of one section."""
    one, other = _form(before), _form(after)
    places = {(each.source.document_id, each.source.page) for each in (before, after)}
    if len(places) > 1:
        return False
    if one.kind == other.kind == "row":
        alike = one.headings == other.headings and len(one.cells) == len(other.cells)
        return alike and one.section == other.section
    prose = one.kind in PROSE_FORMS and other.kind in PROSE_FORMS
    return prose and quoted.section(one) == quoted.section(other)


def _add_prose(found: list[Block], line: Pieces) -> None:
    if found and isinstance(found[-1], Prose):
        found[-1] = Prose((*found[-1].pieces, TextPiece("\n"), *line))
    else:
        found.append(Prose(tuple(line)))


def _lines(pieces: Sequence[TextPiece]) -> Iterator[Pieces]:
    line: Pieces = []
    for piece in pieces:
        for number, part in enumerate(told(piece.text).split("\n")):
            if number:
                yield line
                line = []
            if part:
                line.append(replace(piece, text=part))
    yield line


def _without(line: Pieces, count: int) -> Pieces:
    """Return a line without so many characters at its beginning."""
    left: Pieces = []
    for piece in line:
        kept = piece.text[count:]
        count = max(0, count - len(piece.text))
        if kept:
            left.append(replace(piece, text=kept if left else kept.lstrip()))
    return left


def _says_something(prose: Prose) -> bool:
    return any(piece.text.strip() for piece in prose.pieces)


def _form(citation: CitationEvent) -> QuotedForm:
    assert citation.form is not None
    return citation.form


_MARK = re.compile(r"\[(\d{1,3})\]")


def cited_in(blocks: Sequence[Block], citations: Mapping[int, CitationEvent]) -> list[list[int]]:
    """Return the numbers that prose cites, those of one page together, in the order of the text.

    What a card shows with its picture is left out, and so is what was withdrawn.
    """
    quotes = [each for block in blocks if isinstance(block, Quoted) for each in block.citations]
    shown = {each.number for each in quotes}
    pages: dict[tuple[int, int], list[int]] = {}
    for block in blocks:
        for piece in block.pieces if isinstance(block, Prose) else ():
            for number in map(int, () if piece.withdrawn else _MARK.findall(piece.text)):
                if number in citations and number not in shown:
                    shown.add(number)
                    place = citations[number].source
                    pages.setdefault((place.document_id, place.page), []).append(number)
    return list(pages.values())


CHIP_GAP = "\u202f"
"""Narrow, and no line ends there: a chip stays with the words that it is the proof of."""


def answer_html(
    pieces: Sequence[TextPiece],
    citations: Mapping[int, str],
    colours: Colours,
    notes: Collection[int] = (),
) -> str:
    """Return an answer with "[1]" as a chip wherever citation 1 is known.

    citations: what each chip says: its page. Their washes are drawn by `ProseView`.
    notes: the numbers that cite notes of the site; their chips look and read otherwise.

    Unsupported text is amber, withdrawn text is struck out. None of the text is ever
    markup: a manual may contain tags, a model may write them.
    """
    chips = {n: _link(n, text, colours.accent) for n, text in citations.items()}
    chips |= {n: _link(n, f"{tr('note')}\u00a0{n}", colours.site) for n in notes}
    written: list[str] = []
    rows: list[str] = []
    for line in _lines(pieces):
        plain = "".join(piece.text for piece in line)
        kind, sign = line_of(plain)
        if kind == "rule" and rows:
            rows[-1] = rows[-1].replace(_CELL, f"{_CELL}; color:{colours.muted}")
            continue
        if kind == "row":
            cells = plain.strip().strip("|").split("|")
            rows.append("".join(f'{_CELL}">{_inline(cell.strip(), chips)}</td>' for cell in cells))
            continue
        written += [_table(rows)] if rows else []
        rows = []
        inner = "".join(_piece(piece, chips, colours) for piece in _without(line, sign))
        written.append(_paragraph(kind, inner))
    written += [_table(rows)] if rows else []
    return "".join(written)


def answer_for_copying(
    question: str,
    text: str,
    citations: Sequence[CitationEvent],
    warnings: Sequence[WarningBlockEvent],
    notes: Sequence[NoteCitationEvent] = (),
) -> str:
    """Return the answer with its warnings and sources as plain text."""
    parts = [question.strip(), "", with_rows(text.strip(), citations)]
    for block in warnings:
        words = f"{signal_word(block.level)}: {block.text.strip()}"
        parts += ["", f"{words} ({_source(block.source)})"]
    if citations or notes:
        parts.append("")
    for each in citations:
        parts.append(f"[{each.number}] {_source(each.source)}: {_words(each.quote)}")
    language = spoken_language()
    for cited in notes:
        place = note_place(cited.note, language=language)
        parts.append(f"[{cited.number}] {place}: {wording.quoted(cited.quote)}")
    return "\n".join(parts) + "\n"


def _words(quote: str) -> str:
    return wording.quoted(cells_apart(quote))


def _source(source: PageRegion) -> str:
    return f"{source.document}, {wording.page_label(source.label, source.page)}"


def _paragraph(kind: LineKind, inner: str) -> str:
    match kind:
        case "empty":
            return ""
        case "heading":
            return _spaced("8px 0 4px 0", _tagged("b", inner))
        case "bullet":
            return _spaced("0 0 8px 16px; text-indent:-12px", f"•\u00a0\u00a0{inner}")
        case "numbered":
            return _spaced("0 0 8px 16px", inner)
        case _:
            return _spaced("0 0 12px 0", inner)


def _spaced(margin: str, inner: str) -> str:
    return f'<p style="margin:{margin}; line-height:{Type.LEADING}%">{inner}</p>'


def _tagged(tag: str, inner: str) -> str:
    """Return emphasised text; bold is the interface's, not the browser's heavier one."""
    if tag == "b":
        return f'<span style="font-weight:600">{inner}</span>'
    return f"<{tag}>{inner}</{tag}>"


_CELL = '<td style="padding:3px 16px 3px 0'
"""A cell's begin, whose style goes on."""


def _table(rows: Sequence[str]) -> str:
    """Return a table without lines, as a card has them: Qt draws those of a table in part."""
    return (
        '<table border="0" cellspacing="0" cellpadding="0" style="margin:0 0 8px 0">'
        f"{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
    )


def _piece(piece: TextPiece, chips: Mapping[int, str], colours: Colours) -> str:
    part = piece.text
    if piece.withdrawn:
        struck = f"text-decoration:line-through; color:{colours.muted}"
        return _span(part, struck, tr("Withdrawn: the manuals do not say this"))
    if not piece.unsupported:
        return _inline(part, chips)
    wrong = ", ".join(piece.unsupported)
    tip = tr("The cited pages do not say this: {what}").format(what=wrong)
    amber = f"color:{colours.attention}; background-color:{colours.caution.wash}"
    strong = f"{amber}; font-weight:600; text-decoration:underline"
    marked = re.compile("|".join(re.escape(each) for each in piece.unsupported))
    end, inner = 0, ""
    for found in marked.finditer(part):
        inner += _span(part[end : found.start()], amber, tip) + _span(found.group(), strong, tip)
        end = found.end()
    return inner + _span(part[end:], amber, tip)


def _span(text: str, style: str, tip: str) -> str:
    if not text:
        return ""
    title = html.escape(plain_tooltip(tip))
    return f'<span style="{style}" title="{title}">{html.escape(text)}</span>'


def _inline(text: str, chips: Mapping[int, str]) -> str:
    """Return a stretch of a line with its emphasis and its chips."""
    written, end = "", 0
    for found in _INLINE.finditer(text):
        tag = found.lastgroup or ""
        written += _with_chips(text[end : found.start()], chips)
        written += _tagged(tag, _with_chips(found[tag], chips))
        end = found.end()
    return written + _with_chips(text[end:], chips)


def _with_chips(text: str, chips: Mapping[int, str]) -> str:
    written, end = "", 0
    for mark in _MARK.finditer(text):
        number = int(mark[1])
        if number in chips:  # the chip brings its own space
            written += html.escape(text[end : mark.start()].removesuffix(" ")) + chips[number]
        else:
            written += html.escape(text[end : mark.end()])
        end = mark.end()
    return written + html.escape(text[end:])


def _link(number: int, text: str, ink: str) -> str:
    text = html.escape(text.replace(" ", "\u00a0"))
    style = f"text-decoration:none; font-weight:600; font-size:small; color:{ink}"
    chip = f'<a href="{LINK_SCHEME}:{number}" style="{style}">&nbsp;&nbsp;{text}&nbsp;&nbsp;</a>'
    return f"{CHIP_GAP}{chip}"


def chip_number(url: QUrl) -> int:
    """Return the citation that a chip stands for, 0 for any other link."""
    number = url.path()
    return int(number) if url.scheme() == LINK_SCHEME and number.isdecimal() else 0


LINK_SCHEME = "cite"


class SafeBrowser(QTextBrowser):
    """As tall as its text; `citation_clicked(number)` for links of our own scheme."""

    citation_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.anchorClicked.connect(self._follow)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        self.refused.append(name if isinstance(name, str) else name.toString())
        return None

    def doSetSource(
        self,
        name: QUrl | str,
        kind: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource,
    ) -> None:
        self.refused.append(name if isinstance(name, str) else name.toString())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The conversation scrolls, never the answer inside it.
        event.ignore()

    def _height(self) -> int:
        return int(self.document().size().height() + 0.999)

    def _fit(self) -> None:
        if self.maximumHeight() != self._height():
            self.setFixedHeight(self._height())

    def _follow(self, url: QUrl) -> None:
        number = url.path()
        if url.scheme() == LINK_SCHEME and number.isdecimal():
            self.citation_clicked.emit(int(number))
