"""The lists and the entries of tables that quotes of an answer are of: what of them is told."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from desktop.core.answering.procedures import StepList, lists_on
from desktop.core.question.tokens import index_term_set
from desktop.core.reader.steps import PROSE, opening_number
from desktop.core.reader.units import PASSAGE
from desktop.core.structure.signs import CELL_SEPARATOR
from desktop.core.structure.units import column_headings
from desktop.sentences import joined, said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from desktop.core.answering.procedures import PageQuotes
    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reader.quotes import Quote

Told = tuple["Evidence", "Quote"]

_MOST_ROWS: Final = 8
"""A cell beside more of them names a part of the table, not an entry, as E05 does four causes."""
MOST_ITEMS: Final = 12
"""A list that is longer is told whole only if it is a procedure that is asked for."""
_NOTE_SIGN: Final = re.compile(r"\s?(\*{1,3}|[†‡]|\d\)|\[\d{1,2}\])(?=\s|$)")
_MOST_NOTES: Final = 2
_MEANT: Final = 2
"""A list of which so many items are told is meant itself, as the critic takes a procedure.

Of 567 questions (321 of `learn`, 246 of `choose`) 3 tell two bullets of one list and ask for no
amount: of 1 more of the answer is told now, of none less.
"""


def lists_meant(around: Sequence[StepList], *, steps: bool, one: bool) -> list[StepList]:
    """Return the lists that are told whole.

    around: that of each place that is told, the best first. steps: they are asked for; where they
    are not, a long list may be the legend of a drawing. one: an amount is asked for, or several
    things; then a list is meant only if it is a procedure.
    """

    def is_meant(each: StepList) -> bool:
        is_procedure = each.kind == "numbered"
        is_asked = is_procedure and steps
        several = around.count(each) >= _MEANT and (is_procedure or not one)
        return (is_asked and each == around[0]) or (
            several and (is_asked or len(each.steps) <= MOST_ITEMS)
        )

    return [each for each in dict.fromkeys(around) if each.steps and is_meant(each)]


class Lists:
    """Finds the lists around quotes; for one answer, as it remembers the pages that it reads."""

    def __init__(self, pages: PageQuotes) -> None:
        self.passages = cache(pages.passages)
        self._page = cache(
            lambda document, page: [q for each in self.passages(document, page) for q in each]
        )
        self._on = cache(lambda document, page: lists_on(page, self.quotes_of(document)))

    def quotes_of(self, document_id: int) -> Callable[[int], Sequence[Quote]]:
        """Return what returns the quotes of a page of a manual, in reading order."""
        return partial(self._page, document_id)

    def around(self, page: Evidence, quote: Quote) -> StepList:
        """Return the whole list that a quote is an item of, an empty one if it is in none."""
        if quote.kind not in (*PROSE, PASSAGE):
            return StepList()
        lists = self._on(page.document_id, page.page)
        return next((each for each in lists if each.has(page.page, quote)), StepList())

    def page_order(self, told: Sequence[Told], sections: Sequence[str] = ()) -> list[int]:
        """Return in which order quotes are read, the best of which comes first.

        Those of one section stand as they do on their pages; sections follow by their best.
        sections: of each quote, the one that is told whole with its sub-sections, "" if none is.
        """
        homes = [
            (page.document_id, -1, section) if section else self.home(page, quote)
            for (page, quote), section in zip(told, sections or [""] * len(told), strict=True)
        ]
        return sorted(
            range(len(told)), key=lambda at: (homes.index(homes[at]), self._place(*told[at]))
        )

    def left_out(self, told: Sequence[Told], *, one: bool, steps: bool) -> list[str]:
        """Return, for each quote, what is said above it of a list that begins with it.

        It says which of its items are told; "" if all are. one: see `lists_meant`; of a list
        without numbers nothing is said then, nor of a single item of it. steps: they are asked for.
        """
        lines = [""] * len(told)
        items: dict[tuple[int, StepList], list[int]] = defaultdict(list)
        for at, (page, quote) in enumerate(told):
            items[page.document_id, self.around(page, quote)].append(at)
        for (_, around), members in items.items():
            known = {n for at in members for n in around.has(told[at][0].page, told[at][1])}
            items_left = around.kind == "item" and len(known) > 1 and not one
            if around.kind == "numbered" or items_left:
                lines[members[0]] = _told_of(around, known, steps=steps)
        return lines

    def home(self, page: Evidence, quote: Quote) -> tuple[int, int, str]:
        """Return the manual, page and section of a quote; a step has those of the first one."""
        around = self.around(page, quote)
        home = around.home if around.steps else (page.page, quote.context)
        return page.document_id, *home

    def _place(self, page: Evidence, quote: Quote) -> tuple[int, int]:
        own = set(quote.indices)
        on_page = enumerate(self._page(page.document_id, page.page))
        places = (at for at, each in on_page if not own.isdisjoint(each.indices))
        return page.page, next(places, 0)


def _told_of(around: StepList, known: Collection[int], *, steps: bool) -> str:
    """Return which items of a list are told, "" if all are. steps: what they are called."""
    if len(known) == len(around.steps):
        return ""
    if around.kind != "numbered":
        return said(
            "{some} of the {n} points of this section:", some=len(known), n=len(around.steps)
        )
    numbers, number = [], 0
    for step in around.steps:
        found = opening_number(step.quote.kind, step.quote.text)
        number = found[0] if found else number  # what it lists has its number
        numbers.append(number)
    told = [str(number) for number in dict.fromkeys(numbers[at] for at in sorted(known))]
    which = joined(told, last=said(" and "))
    one = len(told) == 1
    if not steps:
        points = said("Point {which} of {n}:", which=which, n=numbers[-1])
        return points if one else said("Points {which} of {n}:", which=which, n=numbers[-1])
    if one:
        return said("Step {which} of {n}:", which=which, n=numbers[-1])
    return said("Steps {which} of {n}:", which=which, n=numbers[-1])


def notes_to(rows: Iterable[Quote], page: Sequence[Quote]) -> list[Quote]:
    """Return the notes below a table that signs in some of its rows lead to: "85 °C *", "5 A 1)".

    page: everything on it that can be quoted, in reading order.
    """
    rows = list(rows)
    cells = [cell for row in rows for cell in row.text.split(CELL_SEPARATOR)]
    cells += [heading for row in rows for heading in column_headings(row.context)]
    signs = {sign[1] for cell in cells for sign in _NOTE_SIGN.finditer(cell) if sign.start()}
    own = {index for row in rows for index in row.indices}
    last = max((n for n, each in enumerate(page) if not own.isdisjoint(each.indices)), default=0)
    notes = [
        each
        for each in page[last:]
        if each.kind in PROSE and any(_opens_with(each.text, sign) for sign in signs)
    ]
    return notes[:_MOST_NOTES]


def _opens_with(text: str, sign: str) -> bool:
    return text.startswith(sign) and text[len(sign) : len(sign) + 1] not in (sign[-1], "")


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
