"""What a person reads of a quote: a row with its headings, a drawing with its caption."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop.core.answering.asked_cell import asked_cell, asked_line
from desktop.core.events import QuotedForm
from desktop.core.reader.steps import is_step
from desktop.core.structure.headings import LONGEST_HEADING
from desktop.core.structure.signs import (
    CELL_SEPARATOR,
    CONTEXT_SEPARATOR,
    DRAWN_SIGN,
    shape_of,
    with_plain_signs,
)
from desktop.core.structure.units import headed_cell, without_title
from desktop.core.whole_words import CUT, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.events import QuotedKind
    from desktop.core.page_words import PageWords
    from desktop.core.question.query import Question
    from desktop.core.reader.quotes import Quote
    from desktop.core.structure.units import StandsOnPage
    from desktop.models.roles import TextEmbedder

_MOST_DRAWN_WORDS = 12
_LEFT_OUT = "…"
_FOOTNOTE = re.compile(r"\[(\d{1,3})\]")
_SPACE = 0.25  # between two words, in heights of a line
# Signs that fill a table's cell by themselves.
_SIGNS = frozenset(f"-–—+±%‰°✓✔✗✘×•●○{DRAWN_SIGN}")


def shown_text(quote: StandsOnPage) -> str:
    """Return what is said of a quote."""
    if quote.kind == "label":
        return drawing_with_caption(*map(as_told, (quote.text, quote.context)))
    if quote.kind == "row":
        return as_told(_with_headings(quote) or quote.text)
    return as_told(quote.text)


def as_told(text: str) -> str:
    """Return words of a manual as an answer says them: its footnote "[1]" is no citation there."""
    return _FOOTNOTE.sub(r"(\1)", with_plain_signs(text))


def quoted_form(
    quote: Quote,
    words: PageWords,
    question: Question,
    embedder: TextEmbedder | None,
    *,
    asked_of: slice = slice(None),
) -> QuotedForm:
    """Return how a quote stands on its page, and, for a row, which cell answers the question.

    words: of the quote's page. asked_of: the cells that may answer, see `answering_cells`.
    """
    told = shown_text(quote).strip()
    context = with_plain_signs(without_title(quote.context))
    section = tuple(part for part in context.split(CONTEXT_SEPARATOR) if part)
    cells = quote.text.split(CELL_SEPARATOR)
    if quote.kind != "row" or len(cells) < 2:
        kind: QuotedKind = "step" if is_step(quote) else "item" if quote.kind == "item" else "text"
        return QuotedForm("drawing" if quote.kind == "label" else kind, told, _names(section))
    headings = tuple(section[-1].split(CELL_SEPARATOR)) if section else ()
    headed = len(headings) == len(cells)
    asked = asked_cell(question, headings[asked_of], cells[asked_of], embedder)
    asked += (asked_of.start or 0) if asked >= 0 else 0
    # a cell has no words where they were not found on the page
    places = quote.cells if len(quote.cells) == len(cells) else ((),) * len(cells)
    lines = [_lines(cell, place, words) for cell, place in zip(cells, places, strict=True)]
    return QuotedForm(
        "row",
        told,
        _names(section[:-1] if headed else section),
        headings if headed else (),
        tuple(with_plain_signs("\n".join(cell)) for cell in lines),
        asked,
        asked_line(question, lines[asked], embedder) if asked >= 0 else -1,
    )


def _names(section: Sequence[str]) -> tuple[str, ...]:
    """Return headings without those that name nothing: "F", or all words of a drawing."""
    return tuple(
        part
        for part in section
        if sum(map(str.isalnum, part)) > 1 and len(part.split()) <= LONGEST_HEADING
    )


def _lines(cell: str, place: Sequence[int], words: PageWords) -> list[str]:
    """Return the lines of a cell that end only because whoever wrote it ended them there.

    A line that is full is joined with the next one, whose first word had no room there,
    unless that begins with a code as lines of the cell do ("303: Off").
    """
    place = sorted(place)  # of a word that stands there twice either may have been found first
    lines = _drawn_lines(place, words)
    if len(lines) < 2 or text_of(words.texts[index] for index in place) != cell:
        return [cell]
    texts = [[words.texts[index] for index in line] for line in lines]
    ends = _ended(lines, words)
    shapes = [shape_of(opened[0]) for opened in texts[1:]]
    codes = {shape for shape, ended in zip(shapes, ends, strict=True) if ended}
    told = [texts[0]]
    for opened, shape, ended in zip(texts[1:], shapes, ends, strict=True):
        if ended or ("#" in shape and shape in codes):
            told.append(opened)
        else:
            told[-1] = told[-1] + opened
    return [text_of(each) for each in told]


def _ended(lines: Sequence[Sequence[int]], words: PageWords) -> list[bool]:
    """Return, for each line but the last, whether the next word had room in it."""
    boxes = words.boxes
    right = max(float(boxes[line[-1], 2]) for line in lines)
    ended = []
    for line, after in pairwise(lines):
        x0, y0, x1, y1 = map(float, boxes[after[0]])
        had_room = x1 - x0 + _SPACE * (y1 - y0) <= right - float(boxes[line[-1], 2])
        ended.append(had_room and not words.texts[line[-1]].endswith(CUT))
    return ended


def _drawn_lines(place: Sequence[int], words: PageWords) -> list[list[int]]:
    """Return the words of a cell by line: one starts where a word stands below the one before."""
    lines: list[list[int]] = []
    for index in place:
        middle = words.boxes[index, [1, 3]].mean()
        if lines and middle < words.boxes[lines[-1][-1], 3]:
            lines[-1].append(index)
        else:
            lines.append([index])
    return lines


def _with_headings(quote: StandsOnPage) -> str:
    """Return the filled cells of a row, each after its column heading; "" without headings."""
    cells = quote.text.split(CELL_SEPARATOR)
    headings = quote.context.split(CONTEXT_SEPARATOR)[-1].split(CELL_SEPARATOR)
    if len(cells) != len(headings) or len(cells) < 2:
        return ""
    pairs = zip(headings, cells, strict=True)
    return "; ".join(headed_cell(*pair) for pair in pairs if _says_something(pair[1]))


def _says_something(cell: str) -> bool:
    """Whether a cell is neither empty nor a mere sign of an icon font."""
    return any(character.isalnum() or character in _SIGNS for character in cell)


def drawing_with_caption(text: str, context: str) -> str:
    """Return a drawing's caption, with its words if they are few; nothing that needs a language.

    Many words are labels whose places in the drawing matter: a line of them would mislead.
    """
    caption = context.split(CONTEXT_SEPARATOR)[-1].rstrip(".: ")
    words = text.split()
    if len(words) > _MOST_DRAWN_WORDS:
        return caption or " ".join([*words[:_MOST_DRAWN_WORDS], _LEFT_OUT])
    return ": ".join(filter(None, (caption, " ".join(words))))
