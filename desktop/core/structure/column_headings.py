"""Whether the first row of a table says what its columns are: a model learnt from labelled tables.

A logistic regression over the observations below (`scripts/learn_structure.py`); nothing
overrides it. Learnt from the others, it tells 0.93 of 160 tables rightly on 42 manuals; twelve
rules about words, print and numbers, which it replaces, told 0.81. Of all 753 labelled tables on
224 manuals, each manual left out once: 0.94, and 0.86.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from desktop.core.structure.signs import shape_of
from desktop.core.structure.table_columns import extent_of
from desktop.core.structure.table_rows import text_of_cell
from desktop.resources import words_by_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.structure.raw import Segment
    from desktop.core.structure.table_rows import TableRow

OBSERVATIONS: Final = (
    "bold",  # share of its text
    "bolder",  # that share less the one of the rows below
    "words",  # of a cell, their mean
    "numbers",  # share of its cells that have one
    "values_below",  # share of the cells below that begin with a number, less that of its own
    "number_above_words",  # share of the columns that it has a number over, and few below have one
    "like_those_below",  # share of its cells that are built like most of those below: "E42"
    "number_like_some",  # share of those with a number that are built like some below
    "named_alike",  # it begins with a name and a colon, times the share of rows below that do
    "words_of_another",  # the largest share of a cell's words that a cell below has: "Water outlet"
    "counts",  # its numbers count up or down
    "line_below",  # a line is drawn right below it
    "column_names",  # share of its cells that begin or end with a word for a column
    "drawn",  # upright lines part the columns
    "two_columns",
    "lines",  # of text that it has
    "apart",  # how much further the next row is off than others are, in lines
)
# Learnt from the tables of `scripts/labels/column_headings.json`.
_WEIGHTS: Final = (
    0.61, 1.51, -0.58, -1.43, 3.07, 1.23, -2.11, -2.44, -2.79,
    -1.93, 4.16, 0.68, 1.56, 1.49, -0.73, 0.57, -0.20,
)  # fmt: skip
_BIAS: Final = -0.75

_COLUMN_NAMES: Final = frozenset(
    word for words in words_by_language("column_names.txt").values() for word in words
)
_LONGEST_NAME = 4  # words
_MOST_WORDS, _MOST_LINES, _MOST_APART = 8.0, 5.0, 2.0
_MOSTLY, _SOME, _FEW = 0.5, 0.3, 0.4
_LEAST_COUNTED = 3
_BESIDE_LINE = 2.0  # points
_VALUE = re.compile(r"\W*\d")
_WORD = re.compile(r"[^\W\d_]+")


def heads_columns(rows: Sequence[TableRow], rules: Sequence[float], *, drawn: bool) -> bool:
    """Whether the first of a table's rows, two at least, says what its columns are.

    rules: heights of the lines drawn through the table, in points from the top of the page. drawn:
    whether upright lines part its columns.
    """
    seen = observed(rows, rules, drawn=drawn)
    return math.fsum(map(float.__mul__, _WEIGHTS, seen)) + _BIAS > 0


def observed(rows: Sequence[TableRow], rules: Sequence[float], *, drawn: bool) -> list[float]:
    """Return the observations of the first row among the others, as `heads_columns` takes them."""
    first, others = rows[0], rows[1:]
    cells = [text_of_cell(cell) for cell in first.cells]
    every = [text_of_cell(cell) for row in others for cell in row.cells]
    below = [[text_of_cell(cell) for cell in column] for column in _columns(first, others)]
    columns = [(cell, column) for cell, column in zip(cells, below, strict=True) if column]
    alike = [(_has_number(cell), _alike(cell, column)) for cell, column in columns]
    bold = _share(_bolds(first))
    names = [row.cells[0][-1].text for row in others]
    tops = [(min(box[1] for box in row.boxes), max(box[3] for box in row.boxes)) for row in rows]
    height = median(s.box[3] - s.box[1] for cell in first.cells for s in cell)
    gaps = [after[0] - before[1] for before, after in pairwise(tops)]
    apart = (gaps[0] - median(gaps)) / max(height, 1.0)
    begin, end = tops[0][1] - _BESIDE_LINE, tops[1][0] + _BESIDE_LINE
    named = cells[0].endswith(":") * _share(name.endswith(":") for name in names)
    found = {
        "bold": bold,
        "bolder": max(0.0, bold - _share(each for row in others for each in _bolds(row))),
        "words": min(_MOST_WORDS, fmean(len(cell.split()) for cell in cells)),
        "numbers": _share(map(_has_number, cells)),
        "values_below": _share(map(is_value, every)) - _share(map(is_value, cells)),
        "number_above_words": _share(
            _has_number(cell) and _share(map(_has_number, column)) < _FEW
            for cell, column in columns
        ),
        "like_those_below": _share(share > _MOSTLY for _, share in alike),
        "number_like_some": _share(number and share > _SOME for number, share in alike),
        "named_alike": named,
        "words_of_another": max((_words_in(cell, column) for cell, column in columns), default=0.0),
        "counts": float(_counts(cells)),
        "line_below": float(any(begin <= height <= end for height in rules)),
        "column_names": _share(map(_names_a_column, cells)),
        "drawn": float(drawn),
        "two_columns": float(max(len(row.cells) for row in rows) == 2),
        "lines": min(_MOST_LINES, (tops[0][1] - tops[0][0]) / max(height, 1.0)),
        "apart": max(-_MOST_APART, min(_MOST_APART, apart)),
    }
    return [found[name] for name in OBSERVATIONS]


def _columns(first: TableRow, others: Sequence[TableRow]) -> list[list[Sequence[Segment]]]:
    """Return the cells below each cell of the first row: those that stand most below it."""
    extents = [extent_of(cell) for cell in first.cells]
    found: list[list[Sequence[Segment]]] = [[] for _ in extents]
    for cell in (cell for row in others for cell in row.cells):
        left, right = extent_of(cell)
        shared = [min(right, end) - max(left, begin) for begin, end in extents]
        if max(shared) > 0:
            found[shared.index(max(shared))].append(cell)
    return found


def _bolds(row: TableRow) -> list[bool]:
    """Return which text is bold, but for signs, which a font may have in one weight alone: "Ω"."""
    segments = [segment for cell in row.cells for segment in cell]
    return [s.bold for s in segments if len(s.text) > 1] or [s.bold for s in segments]


def is_value(text: str) -> bool:
    """Whether a text begins with a number."""
    return _VALUE.match(text) is not None


def _has_number(text: str) -> bool:
    return any(map(str.isdigit, text))


def _alike(cell: str, column: Sequence[str]) -> float:
    shape = build_of(cell)
    return _share(build_of(other) == shape for other in column)


def build_of(text: str) -> str:
    """Return how a text is built, "#" for each number and "a" for each word: "E42" as "a#"."""
    return _WORD.sub("a", shape_of(text))


def _words_in(cell: str, column: Sequence[str]) -> float:
    """Return the largest share of a cell's words, if it has several, that one below it has."""
    own = set(cell.casefold().split())
    if len(own) < 2:
        return 0.0
    return max(len(own & set(other.casefold().split())) / len(own) for other in column)


def _names_a_column(cell: str) -> bool:
    words = _WORD.findall(cell.casefold())
    named = words and len(words) <= _LONGEST_NAME
    return bool(named) and not _COLUMN_NAMES.isdisjoint((words[0], words[-1]))


def _counts(cells: Sequence[str]) -> bool:
    """Whether the numbers among cells are one apart: "Byte | 0 | 1 | 2", "7 | 6 | 5"."""
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(numbers) >= _LEAST_COUNTED and steps in ({1}, {-1})


def _share(which: Iterable[bool]) -> float:
    told = list(which)
    return sum(told) / len(told) if told else 0.0
