"""Which cell of a quoted table row answers the question: it leads the answer.

In a row that has two table entries side by side, under the same headings, the cell is
looked for in the entry that is asked for (`asked_entry`).

A softmax over the cells that say something which the question does not: what it names
is not what it asks for. Learnt from the labelled rows of `learn`
(`python -m scripts.reader.asked_cells`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from desktop.core.question.tokens import index_term_set
from desktop.core.reader.steps import opening_number
from desktop.core.structure.signs import CELL_SEPARATOR, CONTEXT_SEPARATOR
from desktop.core.structure.units import column_headings
from desktop.core.whole_words import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reader.quotes import Quote
    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float32]

SURE: Final = 2.0
"""How many times as likely as any other cell the best one must be to be told apart.

Of 162 rows of `choose` 101 cells are then right and 17 wrong, of 794 of `learn` 440 and 74; from a
chance of 0.45 on they were 121 and 30, 497 and 152. A wrong value in large type is worse than none.
"""
NAMED: Final = 0.6
"""Share of its words in the question from which on a cell is not what is asked for."""
LEAST_LEAD: Final = 0.02
"""By how much a line of a cell must be more like the question than any other one."""
_LEAST_ROWS: Final = 3
_COUNT: Final = re.compile(r"(\d{1,3})[.)]?")
_PAGES: Final = re.compile(r"\d+(?:\s?[-–~]\s?\d+)?")
OBSERVATIONS: Final = (
    "named",  # share of its words in the question
    "first",  # of the row
    "heading",  # share of its heading's words in the question
    "heading_like",  # likeness of its heading to the question, less that of the likest
    "like",  # the same of the cell
    "digit",
    "words",  # logarithm of their number
)
_WITH_MODEL: Final = np.array([0.08, 0.47, 1.36, 1.24, -0.09, 2.05, 0.88], np.float32)
_WORDS_ALONE: Final = np.array([0.07, 0.48, 1.61, 0.0, 0.0, 2.06, 0.87], np.float32)


def asked_cell(
    question: Question,
    headings: Sequence[str],
    cells: Sequence[str],
    embedder: TextEmbedder | None = None,
) -> int:
    """Return the place of the cell that answers, -1 if none is clearly it.

    headings: of the columns; unless there is one for each cell, they count for nothing.
    """
    weights = _WORDS_ALONE if embedder is None else _WITH_MODEL
    return likeliest_cell(question, headings, cells, embedder, weights)


def likeliest_cell(
    question: Question,
    headings: Sequence[str],
    cells: Sequence[str],
    embedder: TextEmbedder | None,
    weights: Floats,
) -> int:
    """Return what `asked_cell` does, by these weights of what is seen of a cell."""
    open_ = open_cells(question, cells)
    if len(cells) < 2 or not open_.any():
        return -1
    scores = np.where(open_, observed(question, headings, cells, embedder) @ weights, -np.inf)
    chances = np.exp(scores - scores.max())
    best = int(chances.argmax())
    return best if np.delete(chances, best).max() * SURE <= chances[best] else -1


def open_cells(question: Question, cells: Sequence[str]) -> NDArray[np.bool_]:
    """Return which cells say something that the question does not say itself."""
    shares = np.array([_share(question, cell) for cell in cells])
    says = np.array([any(map(str.isalnum, cell)) for cell in cells], bool)
    unnamed = says & (shares < NAMED)
    return unnamed if unnamed.any() else says & (shares < 1)


def observed(
    question: Question, headings: Sequence[str], cells: Sequence[str], embedder: TextEmbedder | None
) -> Floats:
    """Return what is seen of each cell, shape (cells, len(OBSERVATIONS))."""
    headed = len(headings) == len(cells)
    heads = headings if headed else [""] * len(cells)
    seen = np.zeros((len(cells), len(OBSERVATIONS)), np.float32)
    seen[:, 0] = [_share(question, cell) for cell in cells]
    seen[0, 1] = 1.0
    seen[:, 2] = [_share(question, each) for each in heads]
    if embedder is not None:
        seen[:, 3] = _likeness(question, heads, embedder) if headed else 0.0
        seen[:, 4] = _likeness(question, cells, embedder)
    seen[:, 2:5] *= 1 - seen[:, :1]
    seen[:, 5] = [any(map(str.isdigit, cell)) for cell in cells]
    seen[:, 6] = [np.log1p(len(cell.split())) for cell in cells]
    return seen


def asked_entry(question: Question, row: Quote, words: PageWords) -> Quote:
    """Return the part of a row that the question names, where headings occur twice or more.

    "# of flashes | Trouble | # of flashes | Trouble" has two entries a row. The whole
    row is returned if it has one, or if none has more words of the question than the
    others.
    words: of the row's page.
    """
    *above, heading = row.context.split(CONTEXT_SEPARATOR)
    headings, cells = heading.split(CELL_SEPARATOR), row.text.split(CELL_SEPARATOR)
    known = [each.casefold() for each in headings]
    sizes = (size for size in range(2, len(known)) if len(known) % size == 0)
    again = (size for size in sizes if known == known[:size] * (len(known) // size))
    wide = next(again, len(known))  # after so many columns the headings repeat
    if row.kind != "row" or wide == len(headings) or len(headings) != len(cells):
        return row
    if len(row.cells) != len(cells) or not all(row.cells):
        return row
    starts = range(0, len(cells), wide)
    terms = [index_term_set(" ".join(cells[start : start + wide])) for start in starts]
    named = [sum(not of.isdisjoint(group) for group in question.groups) for of in terms]
    best = int(np.argmax(named))
    if named.count(named[best]) > 1:
        return row
    kept = slice(starts[best], starts[best] + wide)
    indices = tuple(sorted(index for cell in row.cells[kept] for index in cell))
    lines = words.visual_lines(indices)
    return replace(
        row,
        text=CELL_SEPARATOR.join(cells[kept]),
        context=CONTEXT_SEPARATOR.join((*above, CELL_SEPARATOR.join(headings[kept]))),
        lines=tuple(text_of(words.texts[index] for index in line) for line in lines),
        boxes=tuple(map(words.hull, lines)),
        indices=indices,
        cells=row.cells[kept],
    )


def answering_cells(question: Question, row: Quote, page: Evidence, page_count: int) -> slice:
    """Return the cells of a row that may answer, when read among the rows of its table.

    Its last cell does not if it names a page to read on: numbers from here on that never fall. In
    150 manuals no other column is like that. Its first one does not if it counts the rows, unless
    its heading is asked for. page: of the row. page_count: of its manual.
    """
    alike = (each.unit for each in page.units if each.unit.context == row.context)
    rows = {each.boxes[0].y0: each.text.split(CELL_SEPARATOR) for each in alike}
    width = row.text.count(CELL_SEPARATOR) + 1
    table = [cells for _, cells in sorted(rows.items()) if len(cells) == width]
    if len(table) < _LEAST_ROWS:
        return slice(None)
    first, last = [cells[0] for cells in table], [cells[-1] for cells in table]
    here = int(page.label) if page.label.isdecimal() else page.page + 1
    headings = column_headings(row.context)
    named = len(headings) == width and _share(question, headings[0]) > 0
    counts = _counts(first) and not named
    return slice(int(counts), width - _names_pages(last, here, page_count))


def _counts(column: Sequence[str]) -> bool:
    """Whether numbers go up by one, but for rows that are missing."""
    numbers = [match and int(match[1]) for match in map(_COUNT.fullmatch, column)]
    steps = [b - a for a, b in pairwise(numbers) if a is not None and b is not None]
    return len(steps) == len(column) - 1 and min(steps) >= 1 and steps.count(1) * 2 >= len(steps)


def _names_pages(column: Sequence[str], here: int, page_count: int) -> bool:
    if not all(map(_PAGES.fullmatch, column)):
        return False
    told = [int(re.findall(r"\d+", cell)[-1]) for cell in column]
    return told == sorted(told) and here <= told[0] < told[-1] <= page_count


def asked_line(
    question: Question, lines: Sequence[str], embedder: TextEmbedder | None = None
) -> int:
    """Return which line of the cell that answers has most of the question, -1 if none is ahead.

    Of steps, which begin with 1 and 2, none is: what to check for a fault is all of them.
    """
    numbers = [opening_number("item", line) for line in lines[:2]]
    if len(lines) < 2 or [number and number[0] for number in numbers] == [1, 2]:
        return -1
    terms = [index_term_set(line) for line in lines]
    told = [[not each.isdisjoint(group) for group in question.groups] for each in terms]
    had = np.array(told, np.float32).reshape(len(lines), -1).sum(axis=1) / max(1, len(told[0]))
    if embedder is not None:
        had += _alike(question, lines, embedder, axis=1)
    best = int(had.argmax())
    return best if np.delete(had, best).max() <= had[best] - LEAST_LEAD else -1


def _share(question: Question, text: str) -> float:
    """Return the share of a text's words that the question has, also "E 75" for "E75"."""
    words = [terms for word in text.split() if (terms := index_term_set(word))]
    asked = set().union(*question.groups)
    codes = " ".join(c for c in asked & index_term_set(text) if any(map(str.isdigit, c)))
    met = sum(any(term in asked or term in codes for term in terms) for terms in words)
    return met / len(words) if words else 0.0


def _likeness(question: Question, texts: Sequence[str], embedder: TextEmbedder) -> Floats:
    """Return how like the question each text is, less that of the one most like it."""
    alike = _alike(question, texts, embedder, axis=0)
    return np.array(alike, np.float32) - max(alike)


def _alike(
    question: Question, texts: Sequence[str], embedder: TextEmbedder, axis: int
) -> list[float]:
    """Return how near tokens come on average; axis: 0 each of the text's, 1 of the question's."""
    asked, *found = embedder.embed_tokens([question.wording, *texts])
    return [
        float((asked @ each.T).max(axis=axis).mean()) if len(each) and len(asked) else 0.0
        for each in found
    ]
