"""Numbered procedures whole: all their steps, also those of the next pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from desktop.core.errors import DocumentNotFound
from desktop.core.retrieval.grounding import STEP, Quote, quotes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.core.library.library import Library
    from desktop.core.page_words import PageWords

_MOST_PAGES: Final = 3
"""A procedure is followed over so many pages after its first."""
_WINDOW = "window"


@dataclass(frozen=True, slots=True)
class Step:
    """A step, and the page it is on, counted from 0."""

    page: int
    quote: Quote


class Quoted(Protocol):
    """A sentence, row or step as it stands on a page."""

    @property
    def text(self) -> str:
        """Its words."""

    @property
    def kind(self) -> str:
        """What it is."""


Q = TypeVar("Q", bound=Quoted)


def numbered_runs(quotes: Iterable[Q]) -> list[list[Q]]:
    """Return the numbered lists of a page, each from its step 1 on, in order."""
    runs: list[list[Q]] = []
    for quote in quotes:
        number = _number(quote)
        if number == 1:
            runs.append([quote])
        elif number is not None and runs and number == len(runs[-1]) + 1:
            runs[-1].append(quote)
    return [run for run in runs if len(run) > 1]


def whole_procedure(
    page: int, steps: Sequence[Quote], quotes_of_page: Callable[[int], Sequence[Quote]]
) -> list[Step]:
    """Return all steps of the procedure that some are of; the same steps if they are of none.

    page: where they are, counted from 0. quotes_of_page: of a page, in reading order; nothing
    for a page that is not there.
    """
    quotes = quotes_of_page(page)
    told = {index for step in steps for index in step.indices}
    run = next(
        (run for run in numbered_runs(quotes) if any(told & set(step.indices) for step in run)),
        None,
    )
    if run is None or not told <= {index for step in run for index in step.indices}:
        return [Step(page, step) for step in steps]
    return to_its_end(run, page, quotes, quotes_of_page)


def to_its_end(
    run: Sequence[Quote],
    page: int,
    quotes: Sequence[Quote],
    quotes_of_page: Callable[[int], Sequence[Quote]],
) -> list[Step]:
    """Return the steps of a numbered list of a page, and those with which next pages go on.

    run: from its step 1 on. page: where it is, counted from 0; quotes: of that page, in reading
    order. quotes_of_page: as for `whole_procedure`.
    """
    found = [Step(page, step) for step in run]
    for further in range(page + 1, page + 1 + _MOST_PAGES):
        if len(found) != _last_number(quotes):
            break
        quotes = quotes_of_page(further)
        before = len(found)
        for quote in quotes:
            number = _number(quote)
            if number == len(found) + 1:
                found.append(Step(further, quote))
            elif number is not None:
                break
        if len(found) == before:
            break
    return found


class PageQuotes:
    """What can be quoted of a page of the library; may be used from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def words(self, document_id: int, page: int) -> PageWords | None:
        """Return the words of a page, None if its manual is gone."""
        try:
            return self._library.page_words(document_id, page)
        except DocumentNotFound:
            return None

    def of(self, document_id: int, page: int, words: PageWords | None = None) -> list[Quote]:
        """Return the sentences, rows and steps of a page, in reading order; [] if it is gone.

        words: of the page, where they were read before.
        """
        known = words if words is not None else self.words(document_id, page)
        if known is None:
            return []
        return [
            quote
            for passage in self._library.passages(document_id, page)
            if passage.kind != _WINDOW
            for quote in quotes_of(passage, known)
        ]


def _number(quote: Quoted) -> int | None:
    match = None if quote.kind == _WINDOW else STEP.match(quote.text)
    return int(match.group(1)) if match else None


def _last_number(quotes: Sequence[Quoted]) -> int | None:
    return next((n for quote in reversed(quotes) if (n := _number(quote)) is not None), None)
