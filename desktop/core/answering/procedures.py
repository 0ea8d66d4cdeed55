"""Whole procedures: all their steps, including those on the pages before and after."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal

from desktop.core.errors import DocumentNotFound
from desktop.core.reader.quotes import Quote, quotes_of
from desktop.core.reader.steps import (
    OF_PICTURES,
    PROSE,
    Run,
    goes_over,
    is_below,
    is_step,
    items_of,
    list_items,
    runs_of,
    steps_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from desktop.core.library.library import Library
    from desktop.core.page_words import PageWords

_MOST_PAGES: Final = 6
"""A procedure is followed over so many pages before and after."""
_WINDOW = "window"


@dataclass(frozen=True, slots=True)
class Step:
    """A step, and the page it is on, counted from 0."""

    page: int
    quote: Quote


@dataclass(frozen=True, slots=True)
class StepList:
    """A whole list, in the page's order.

    kind: its items are numbered, or marked as items.
    """

    steps: tuple[Step, ...] = ()
    kind: Literal["numbered", "item"] = "item"

    @property
    def home(self) -> tuple[int, str]:
        """Where it begins: the page and the section."""
        return self.steps[0].page, self.steps[0].quote.context

    def has(self, page: int, quote: Quote) -> list[int]:
        """Return which of its items, from 0, have words of a quote."""
        own = set(quote.indices)
        return [
            at
            for at, step in enumerate(self.steps)
            if step.page == page and not own.isdisjoint(step.quote.indices)
        ]


def whole_procedure(
    page: int, steps: Sequence[Quote], quotes_of_page: Callable[[int], Sequence[Quote]]
) -> list[Step]:
    """Return all steps of the procedures that some belong to, with what else was given.

    page: where they are, counted from 0. quotes_of_page: of a page, in reading order;
    nothing for a page that is not there.
    """
    quotes_of_page = cache(quotes_of_page)
    quotes = quotes_of_page(page)
    given = {index for step in steps for index in step.indices}
    found = [
        step
        for run in runs_of(quotes)
        if any(not given.isdisjoint(quotes[place].indices) for place in run.places)
        for step in _whole(run, page, quotes_of_page)
    ]
    known = {index for step in found if step.page == page for index in step.quote.indices}
    others = [step for step in steps if known.isdisjoint(step.indices)]
    found += [Step(page, item) for item in list_items(others, quotes)]
    told = [found[at] for at in told_once([(step.page, step.quote) for step in found])]
    places = {quote.indices[:1]: place for place, quote in enumerate(quotes)}

    def position(step: Step) -> tuple[int, int]:
        here = step.page == page  # on the other pages they stand in order already
        return step.page, places.get(step.quote.indices[:1], 0) if here else 0

    return sorted(told, key=position)


def lists_on(page: int, quotes_of_page: Callable[[int], Sequence[Quote]]) -> list[StepList]:
    """Return the lists of a page: its procedures, on all their pages, then those without numbers.

    Those are items below one heading with nothing between.
    """
    quotes = quotes_of_page(page)
    procedures = (_whole(run, page, quotes_of_page) for run in runs_of(quotes))
    lists = [
        StepList(tuple(steps), "numbered")
        for steps in procedures
        if sum(is_step(step.quote) for step in steps) > 1
    ]
    prose = [each for each in quotes if each.kind not in OF_PICTURES]
    for (_, kind), members in groupby(prose, key=lambda each: (each.context, each.kind)):
        if kind == "item":
            items = list_items(list(members), quotes)
            lists.append(StepList(tuple(Step(page, item) for item in items), kind))
    return [each for each in lists if len(each.steps) > 1]


def _whole(run: Run, page: int, quotes_of_page: Callable[[int], Sequence[Quote]]) -> list[Step]:
    """Return the steps of a run, with those on the pages before and after, all of one section."""
    page, run = _beginning(run, page, quotes_of_page)
    quotes = quotes_of_page(page)
    found = [Step(page, step) for step in steps_of(run, quotes)]
    for further in range(page + 1, page + 1 + _MOST_PAGES):
        is_last = run.places == _numbered_like(run, quotes)[-1].places
        following = _numbered_like(run, quotes_of_page(further))[:1]
        if not (is_last and goes_over(run, quotes) and following):
            break
        if not run.goes_on_with(following[0].first, following[0].mark):
            break
        run, quotes = following[0], quotes_of_page(further)
        above, first = quotes[: run.places[0]], quotes[run.places[0]]
        rest = [
            quote
            for quote in above
            if quote.kind in PROSE and not is_step(quote) and is_below(quote, first)
        ]
        if rest and all(quote.kind != "heading" for quote in above):  # of the last step
            found += [Step(further, item) for item in items_of(rest)]
        found += [Step(further, step) for step in steps_of(run, quotes)]
    section = found[0].quote.context
    return [replace(step, quote=replace(step.quote, context=section)) for step in found]


def _beginning(
    run: Run, page: int, quotes_of_page: Callable[[int], Sequence[Quote]]
) -> tuple[int, Run]:
    """Return the page that a procedure begins on, and its run there."""
    for earlier in range(page - 1, max(-1, page - 1 - _MOST_PAGES), -1):
        is_first = run.places == _numbered_like(run, quotes_of_page(page))[0].places
        quotes = quotes_of_page(earlier)
        before = _numbered_like(run, quotes)[-1:]
        if not (run.first > 1 and is_first and before and goes_over(before[0], quotes)):
            break
        if not before[0].goes_on_with(run.first, run.mark):
            break
        page, run = earlier, before[0]
    return page, run


def _numbered_like(run: Run, quotes: Sequence[Quote]) -> list[Run]:
    """Return the runs of a page whose numbers look like those of another run."""
    return [each for each in runs_of(quotes) if each.mark == run.mark]


def told_once(told: Sequence[tuple[Hashable, Quote]]) -> list[int]:
    """Return which quotes, each with its page, to tell: none whose words another one contains."""
    words = [(page, frozenset(quote.indices)) for page, quote in told]

    def is_part(at: int, other: int) -> bool:
        (page, mine), (other_page, others) = words[at], words[other]
        same = mine == others and other < at
        return page == other_page and bool(mine) and (mine < others or same)

    return [
        at for at in range(len(told)) if not any(is_part(at, other) for other in range(len(told)))
    ]


class PageQuotes:
    """What can be quoted from a page of the library; may be used from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def words(self, document_id: int, page: int) -> PageWords | None:
        """Return the words of a page, None if its manual is gone."""
        try:
            return self._library.page_words(document_id, page)
        except DocumentNotFound:
            return None

    def count(self, document_id: int) -> int:
        """Return how many pages a manual has, 0 if it is gone."""
        try:
            return self._library.document(document_id).page_count
        except DocumentNotFound:
            return 0

    def of(self, document_id: int, page: int, words: PageWords | None = None) -> list[Quote]:
        """Return the sentences, rows and steps of a page, in reading order; [] if it is gone.

        words: of the page, where they were read before.
        """
        return [quote for quotes in self.passages(document_id, page, words) for quote in quotes]

    def passages(
        self, document_id: int, page: int, words: PageWords | None = None
    ) -> list[tuple[Quote, ...]]:
        """Return the same for each passage of a page."""
        known = words if words is not None else self.words(document_id, page)
        if known is None:
            return []
        return [
            quotes_of(passage, known)
            for passage in self._library.passages(document_id, page)
            if passage.kind != _WINDOW
        ]
