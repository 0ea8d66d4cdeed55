"""The words of a quote that carry what is asked: what is highlighted of it.

A sentence of three lines is read whole, but the eye is led to the clause that answers: runs
of neighbouring clauses, and the cells of a row, are compared by a linear model fitted by
`scripts/fit_ranking.py`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.stopwords import STOPWORDS
from desktop.core.retrieval.tokens import index_term_set, query_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question

KEY_OBSERVATIONS = (
    "words",  # weighted share of the question's words in the span
    "value",  # share of asked-for kinds of value
    "number",  # a number was asked for and it has one
    "first",  # it opens the quote
    "size",  # logarithm of its area against a usual clause
    "far",  # that logarithm squared
    "whole",  # it is all of the quote
    "new",  # how much it says beyond the question's words
    "cut",  # it ends in the middle of a phrase
    "tail",  # it ends the quote without opening it
)
KEY_WEIGHTS = np.array([1.89, 0.26, 0.01, 0.79, 0.27, -0.10, 0.41, 0.43, -0.16, -0.30])

_CLAUSE_END = re.compile(r"[,;:.!?)]$|^[-–—=]$")
_CLAUSE_START = frozenset(
    "and or but if when which that unless while because until after before then where by for to"
    " with from und oder aber wenn sondern dass damit bis nach sobald weil mit durch so".split()
)
_FEWEST_WORDS = 2
_MOST_WORDS = 26
_MOST_CLAUSES = 5
# Of such words the box is wider than high, unless their line runs up the page.
_SHORT_WORD = 2
# A row with more cells is a whole table that was read as one: its first cell names nothing.
_MOST_COLUMNS = 10
# Areas are counted in squares of the line's height: a clause is about this long.
_USUAL_LENGTH = 25.0
MOST_LENGTH = 60.0
"""In heights of the line. What is longer is no key: it says no more than the quote itself."""


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of a quote.

    indices: of the page's words. boxes: one a line. length: in heights of the line.
    """

    indices: tuple[int, ...]
    text: str
    boxes: tuple[Box, ...]
    opens: bool
    ends: bool
    length: float


def key_boxes(
    question: Question,
    weights: Sequence[float],
    quote: Quote,
    words: PageWords,
    most_length: float = MOST_LENGTH,
) -> tuple[Box, ...]:
    """Return the boxes of the words to highlight.

    weights: of the question's term groups. most_length: in heights of the line. A label,
    which means nothing in part, is returned whole.
    """
    return key_span(question, weights, quote, words, most_length).boxes


def key_span(
    question: Question,
    weights: Sequence[float],
    quote: Quote,
    words: PageWords,
    most_length: float = MOST_LENGTH,
) -> Span:
    """Return the words to highlight; see `key_boxes`."""
    spans = spans_of(quote, words, most_length)
    if len(spans) < 2:
        return spans[0]
    scores = observe_spans(question, weights, spans) @ KEY_WEIGHTS
    return spans[int(scores.argmax())]


def spans_of(quote: Quote, words: PageWords, most_length: float = MOST_LENGTH) -> list[Span]:
    """Return what may be highlighted of a quote, all of it first if that is not too long."""
    indices = quote.indices
    texts = [words.texts[index] for index in indices]
    height = _width_of_upright_line(indices, words)
    length = _length(quote.boxes, height)
    whole = Span(indices, quote.text, quote.boxes, opens=True, ends=True, length=length)
    if quote.kind == "label" or not indices:
        return [whole]
    runs = _cell_runs(quote, texts) if quote.kind == "row" else _clause_runs(texts)
    spans = [_span(quote, texts, run, words, height) for run in runs if len(run) < len(indices)]
    short = [span for span in (whole, *spans) if span.length <= most_length]
    return short or [min((whole, *spans), key=lambda span: span.length)]


def _span(
    quote: Quote, texts: Sequence[str], run: Sequence[int], words: PageWords, height: float
) -> Span:
    """Return the words at some positions of a quote."""
    own = tuple(quote.indices[i] for i in run)
    boxes = tuple(words.hull(line) for line in words.visual_lines(own))
    return Span(
        own,
        " ".join(texts[i] for i in run),
        boxes,
        opens=run[0] == 0 and not _is_table(quote),
        ends=run[-1] == len(quote.indices) - 1,
        length=_length(boxes, height),
    )


def observe_spans(
    question: Question, weights: Sequence[float], spans: Sequence[Span]
) -> NDArray[np.float64]:
    """Return the observations, shape (len(spans), len(KEY_OBSERVATIONS))."""
    share = np.array(weights or (1.0,) * len(question.groups))
    share = share / (share.sum() or 1.0)
    asked = {term for group in question.groups for term in group}
    most = max(len(span.indices) for span in spans)
    rows = np.zeros((len(spans), len(KEY_OBSERVATIONS)))
    for row, span in zip(rows, spans, strict=True):
        terms = index_term_set(span.text)
        said = [any(term in terms for term in group) for group in question.groups]
        own = [group[0] for group in query_terms(span.text)]
        size = math.log(max(span.length, 1.0) / _USUAL_LENGTH)
        last = span.text.split()[-1].strip("(.,;").lower() if span.text.split() else ""
        row[:] = (
            share @ np.array(said, bool),
            question.value_share(span.text),
            question.wants_number and any(c.isdigit() for c in span.text),
            span.opens,
            max(-2.0, min(2.0, size)),
            min(4.0, size**2),
            len(span.indices) == most,
            min(1.0, sum(term not in asked for term in own) / 5),
            last in STOPWORDS,
            span.ends and not span.opens,
        )
    return rows


def _clause_runs(texts: Sequence[str]) -> Iterator[range]:
    """Yield runs of neighbouring clauses, as positions in the quote."""
    cut = clauses(texts)
    for first in range(len(cut)):
        for last in range(first, min(first + _MOST_CLAUSES, len(cut))):
            run = range(cut[first][0], cut[last][1])
            if _FEWEST_WORDS <= len(run) <= _MOST_WORDS:
                yield run


def clauses(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return first and last + 1 of each clause: cut at marks and before joining words."""
    cuts = [0]
    for position in range(1, len(texts)):
        word = texts[position]
        opens = word.startswith("(") or word.lower().strip("(") in _CLAUSE_START
        ends = _CLAUSE_END.search(texts[position - 1])
        if (opens or ends) and position - cuts[-1] >= _FEWEST_WORDS:
            cuts.append(position)
    return list(zip(cuts, [*cuts[1:], len(texts)], strict=True))


def _cell_runs(quote: Quote, texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield each cell of a row, each with the first one, which names the row, and their clauses.

    Only the cells that hold whole sentences have clauses.
    """
    position = {index: i for i, index in enumerate(quote.indices)}
    cells = [[position[index] for index in cell] for cell in quote.cells if cell]
    for number, cell in enumerate(cells):
        yield sorted(cell)
        if number and not _is_table(quote):
            yield sorted(cells[0] + cell)
        if len(cell) > _MOST_WORDS:
            yield from ([cell[i] for i in run] for run in _clause_runs([texts[i] for i in cell]))


def _is_table(quote: Quote) -> bool:
    return quote.kind == "row" and len(quote.cells) > _MOST_COLUMNS


def _width_of_upright_line(indices: Sequence[int], words: PageWords) -> float:
    """Return how thick a line is that runs up or down the page; 0 if the lines lie flat."""
    long = [index for index in indices if len(words.texts[index]) > _SHORT_WORD]
    if not long:
        return 0.0
    boxes = words.boxes[long]
    width, height = np.median(boxes[:, 2:] - boxes[:, :2], axis=0)
    return float(width) if height > width else 0.0


def _length(boxes: Sequence[Box], height: float) -> float:
    """Return the area of some boxes in squares of their line's height.

    height: of the line if it is not that of the boxes, else 0.
    """
    if not boxes:
        return 0.0
    height = height or sorted(box.height for box in boxes)[len(boxes) // 2] or 1.0
    return sum(box.area for box in boxes) / height**2
