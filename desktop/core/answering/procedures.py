"""Numbered procedures whole: all their steps, also those of the next pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from desktop.core.errors import DocumentNotFound
from desktop.core.retrieval.grounding import STEP, Quote, quotes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.core.library.library import Library

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
    found = [Step(page, step) for step in run]
    for further in range(page + 1, page + 1 + _MOST_PAGES):
        if _number(found[-1].quote) != _last_number(quotes_of_page(found[-1].page)):
            break
        wanted = len(found) + 1
        for quote in quotes_of_page(further):
            number = _number(quote)
            if number == wanted:
                found.append(Step(further, quote))
                wanted += 1
            elif number is not None:
                break
        if found[-1].page != further:
            break
    return found


class PageQuotes:
    """What can be quoted of a page of the library; may be used from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __call__(self, document_id: int, page: int) -> list[Quote]:
        """Return the sentences, rows and steps of a page, in reading order; [] if it is gone."""
        try:
            words = self._library.page_words(document_id, page)
        except DocumentNotFound:
            return []
        passages = self._library.passages(document_id, page)
        return [
            quote for each in passages if each.kind != _WINDOW for quote in quotes_of(each, words)
        ]


def _number(quote: Quoted) -> int | None:
    match = None if quote.kind == _WINDOW else STEP.match(quote.text)
    return int(match.group(1)) if match else None


def _last_number(quotes: Sequence[Quoted]) -> int | None:
    return next((n for quote in reversed(quotes) if (n := _number(quote)) is not None), None)
