"""Short sections told whole: with their sub-sections, to their end, on whatever page that is.

What a manual says of how to do something is a list of steps, or a section: sentences, captions
beside drawings, a list for the panel and one for the web.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import TYPE_CHECKING, Final

from desktop.core.reader.steps import begins_anew, is_step, joined_quote, list_items
from desktop.core.reader.units import COLONS, LIST, is_line_of_contents
from desktop.core.structure.captions import is_caption
from desktop.core.structure.safety import warning_level
from desktop.core.structure.signs import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.reader.quotes import Quote

Paragraph = tuple["Quote", ...]
"""The quotes of a passage."""

MOST_WORDS: Final = 320
"""A longer section is not told whole.

Of 144 procedures that are asked for (`scripts/labels/procedures`) all steps are told of 60 with
250 and 61 with 320; of 153 questions of `choose` that ask for steps 94 and 97.
"""
_MOST_PAGES: Final = 6
_ENDS: Final = (*".!?;\N{IDEOGRAPHIC FULL STOP}", *COLONS)
_CLOSING: Final = (
    "\"')]\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK} "
)
_SENTENCE: Final = 8
"""So many words are a sentence without its stop; fewer may be the words of a drawing."""


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A paragraph, an item or a sentence beside a drawing.

    page: counted from 0. heading: of the sub-section that it begins, "" if it begins none.
    """

    page: int
    quote: Quote
    heading: str = ""


def home_of(quote: Quote) -> str:
    """Return the headings above a quote, without the line that announces the list it is of."""
    above, _, last = quote.context.rpartition(CONTEXT_SEPARATOR)
    is_listed = quote.kind in ("item", LIST) or is_step(quote)
    return above if is_listed and last.endswith(COLONS) else quote.context


def whole_section(
    page: int, unit: Quote, passages_of: Callable[[int], Sequence[Paragraph]]
) -> list[SectionPart]:
    """Return what a section says, its pictures, tables and warnings apart; [] if it is long.

    passages_of: the quotes of each passage of a page, in reading order; nothing for a page that
    is not there.
    """
    home = home_of(unit)
    own = set(unit.indices)
    here = passages_of(page)
    at = next((n for n, each in enumerate(here) if _has(each, own)), None)
    if at is None or CONTEXT_SEPARATOR not in home:
        return []
    before = takewhile(lambda each: _goes_on_above(each[1], home), _upwards(page, at, passages_of))
    after = takewhile(lambda each: _within(each[1], home), _downwards(page, at, passages_of))
    every = (*reversed(list(before)), *after)
    passages = [
        (on, quotes)
        for at, (on, quotes) in enumerate(every)
        if _belongs(quotes, after=every[at - 1][1] if at else None)
        or (on == page and _has(quotes, own))
    ]
    passages = _of_one_list(passages, page, own)
    words = sum(len(quote.text.split()) for _, quotes in passages for quote in quotes)
    return list(_told(passages, passages_of)) if words <= MOST_WORDS else []


def _of_one_list(
    passages: list[tuple[int, Paragraph]], page: int, own: set[int]
) -> list[tuple[int, Paragraph]]:
    """Return the part of a section that a unit is in, where steps are numbered anew.

    They are right below other steps: nothing between says of what they are.
    """
    cuts = [
        at
        for at, ((_, above), (_, quotes)) in enumerate(pairwise(passages), 1)
        if begins_anew(above[0], quotes[0])
    ]
    parts = [passages[start:end] for start, end in pairwise((0, *cuts, len(passages)))]
    mine = (part for part in parts if any(on == page and _has(quotes, own) for on, quotes in part))
    return next(mine, passages)


def _told(
    passages: Sequence[tuple[int, Paragraph]], passages_of: Callable[[int], Sequence[Paragraph]]
) -> Iterator[SectionPart]:
    heading = ""
    for (page, listed), members in groupby(passages, key=lambda each: (each[0], is_item(each[1]))):
        if listed:
            every = [quote for each in passages_of(page) for quote in each]
            quotes = list_items([quote for _, each in members for quote in each], every)
        else:
            quotes = [joined_quote(each) for _, each in members]
        for quote in quotes:
            if quote.kind == "heading":
                heading = quote.text
                continue
            yield SectionPart(page, quote, heading)
            heading = ""


def is_item(quotes: Paragraph) -> bool:
    """Whether a passage is an item of a list or a numbered step."""
    return quotes[0].kind == "item" or is_step(quotes[0])


def _has(quotes: Paragraph, own: set[int]) -> bool:
    return any(not own.isdisjoint(quote.indices) for quote in quotes)


def _within(quotes: Paragraph, home: str) -> bool:
    context = quotes[0].context
    return context == home or context.startswith(home + CONTEXT_SEPARATOR)


def _belongs(quotes: Paragraph, after: Paragraph | None) -> bool:
    """Whether a passage is told with its section: no table, word of a drawing, or warning.

    after: what stands before it, None if nothing does; a colon announces whatever follows it.
    """
    kind, text = quotes[0].kind, quotes[-1].text
    if is_line_of_contents(text) or warning_level(quotes[0].text):
        return False
    if kind == "heading" or is_item(quotes):
        return True
    is_text = kind == "paragraph" or (kind == "caption" and not is_caption(quotes[0].text))
    is_sentence = text.rstrip(_CLOSING).endswith(_ENDS) or len(text.split()) >= _SENTENCE
    is_announced = after is not None and after[-1].text.rstrip().endswith(COLONS)
    return is_text and (is_sentence or is_announced)


def _goes_on_above(quotes: Paragraph, home: str) -> bool:
    """Whether a section neither begins with a passage nor below it."""
    begins = quotes[0].kind == "heading" and quotes[0].context == home
    return _within(quotes, home) and not begins


def _upwards(
    page: int, at: int, passages_of: Callable[[int], Sequence[Paragraph]]
) -> Iterator[tuple[int, Paragraph]]:
    """Yield what stands above a passage, the nearest first, each with its page."""
    for on in range(page, max(-1, page - _MOST_PAGES), -1):
        above = passages_of(on)[: at if on == page else None]
        yield from ((on, quotes) for quotes in reversed(above) if quotes)


def _downwards(
    page: int, at: int, passages_of: Callable[[int], Sequence[Paragraph]]
) -> Iterator[tuple[int, Paragraph]]:
    """Yield a passage and what stands below it, each with its page, up to an empty page."""
    for on in range(page, page + _MOST_PAGES):
        below = passages_of(on)[at if on == page else 0 :]
        if on > page and not below:
            return
        yield from ((on, quotes) for quotes in below if quotes)
