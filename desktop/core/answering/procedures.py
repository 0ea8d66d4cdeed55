"""Whole numbered procedures: all their steps, including those on the next pages.

Steps with a dot or bracket ("4.", "4)") are recognised by it anywhere. A bare number
("4 Unload") may be any number, so it counts only where a list that is told breaks off
before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from desktop.core.errors import DocumentNotFound
from desktop.core.reader.quotes import STEP, Quote, quotes_of
from desktop.core.structure.signs import CELL_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from desktop.core.library.library import Library
    from desktop.core.page_words import PageWords

_MOST_PAGES: Final = 3
"""A procedure is followed over so many pages after its first."""
_WINDOW = "window"
_STEP_KINDS = frozenset({"item", "paragraph", "row"})
"""What a step, or a line of one that a layout model takes for something else, may be."""


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
    """Return all steps of the procedure that some belong to; the same steps if to none.

    page: where they are, counted from 0. quotes_of_page: of a page, in reading order;
    nothing for a page that is not there.
    """
    quotes = quotes_of_page(page)
    told = {index for step in steps for index in step.indices}
    run = next(
        (run for run in numbered_runs(quotes) if any(told & set(step.indices) for step in run)),
        None,
    )
    if run is None or not told <= {index for step in run for index in step.indices}:
        return [Step(page, step) for step in _with_bare_numbers(steps, quotes)]
    return to_its_end(run, page, quotes, quotes_of_page)


def _with_bare_numbers(steps: Sequence[Quote], quotes: Sequence[Quote]) -> list[Quote]:
    """Return steps, and those of the same section that continue from the last number.

    A layout model takes some steps for rows or text, and the list ends there. What
    stands between two numbers belongs to the step before. quotes: of the page, in
    reading order.
    """
    found = list(steps)
    number = _bare_number(found[-1]) if found else None
    at = next((i for i, quote in enumerate(quotes) if quote.indices == found[-1].indices), None)
    if number is None or at is None:
        return found
    section = found[-1].context
    between: list[Quote] = []
    for quote in quotes[at + 1 :]:
        if quote.kind not in _STEP_KINDS or not quote.context.startswith(section):
            break
        if _bare_number(quote) == number + 1:
            found[-1] = _joined((found[-1], *between))
            found.append(_as_step(quote))
            number, between = number + 1, []
        else:
            between.append(quote)
    items = [quote for quote in between if quote.kind == "item" and _bare_number(quote) is None]
    if len(found) > len(steps) and items == between:
        found[-1] = _joined((found[-1], *between))
    return found


def _bare_number(quote: Quoted) -> int | None:
    number, _, text = quote.text.partition(" ")
    is_step = number.isdecimal() and len(number) <= 2 and text[:1].strip()
    return int(number) if is_step and quote.kind in _STEP_KINDS else None


def _as_step(quote: Quote) -> Quote:
    text = quote.text.replace(CELL_SEPARATOR, " ")
    return replace(quote, kind="item", text=text, cells=(), header=())


def _joined(parts: Sequence[Quote]) -> Quote:
    """Return a step with the lines that belong to it."""
    if len(parts) == 1:
        return parts[0]
    return replace(
        parts[0],
        text=" ".join(_as_step(part).text for part in parts),
        lines=tuple(line for part in parts for line in part.lines),
        boxes=tuple(box for part in parts for box in part.boxes),
        indices=tuple(index for part in parts for index in part.indices),
    )


def to_its_end(
    run: Sequence[Quote],
    page: int,
    quotes: Sequence[Quote],
    quotes_of_page: Callable[[int], Sequence[Quote]],
) -> list[Step]:
    """Return the steps of a numbered list of a page, and those that next pages add to it.

    run: from its step 1 on. page: where it is, counted from 0; quotes: of that page, in
    reading order. quotes_of_page: as for `whole_procedure`.
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
