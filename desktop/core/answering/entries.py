"""The rows of one entry of a table: those that one cell names, as E05 does four causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.question.tokens import index_term_set
from desktop.core.structure.signs import CELL_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.question.query import Question
    from desktop.core.reader.quotes import Quote

_MOST_ROWS = 8  # a cell beside more of them names a part of the table


def whole_entry(question: Question, row: Quote, page: Iterable[Quote]) -> Sequence[Quote]:
    """Return the rows of the entry that is asked for, in the order of the page; else the row alone.

    A question with more words of the row itself than of the cell it shares asks for that row.
    page: everything on it that can be quoted.
    """
    texts = row.text.split(CELL_SEPARATOR)
    if len(row.cells) != len(texts):
        return [row]
    others = [each for each in page if each.kind == "row"]
    entries: list[tuple[int, Sequence[Quote]]] = []
    own: list[str] = []
    for text, cell in zip(texts, row.cells, strict=True):
        beside = [each for each in others if cell and set(cell) <= set(each.indices)]
        if len(beside) > 1:
            entries.append((_met(question, text), beside))
        else:
            own.append(text)
    least = max(1, _met(question, " ".join(own)))
    asked = [rows for met, rows in entries if met >= least]
    entry = min(asked, key=len, default=[row])
    return entry if len(entry) <= _MOST_ROWS else [row]


def _met(question: Question, text: str) -> int:
    """Return how many words of a question a text has."""
    terms = index_term_set(text)
    return sum(not terms.isdisjoint(group) for group in question.groups)
