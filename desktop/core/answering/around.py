"""How much of a page is told around what answers: its paragraph or list, or a short section.

A sentence alone often means nothing ("The setting is made there"), or announces what follows.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from desktop.core.answering.lists import MOST_ITEMS
from desktop.core.answering.sections import home_of, is_item
from desktop.core.reader.steps import OF_PICTURES, PROSE, is_step, joined_quote, list_items
from desktop.core.reader.units import COLONS, LIST, is_line_of_contents
from desktop.core.structure.safety import warning_level
from desktop.core.structure.signs import CELL_SEPARATOR, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.answering.sections import Paragraph
    from desktop.core.reader.quotes import Quote

SHORT_SECTION: Final = 80
"""A section of at most so many words is told whole."""
SHORT_PARAGRAPH: Final = 60
"""A paragraph of at most so many words is told whole, of a longer one the sentences around."""
SHORT_LIST: Final = 120
"""A list of at most so many words is told whole, with the line that announces it."""
ANNOUNCED: Final = 250
"""What a paragraph that answers announces is told with it, up to so many words."""
_OF_OTHER_LISTS: Final = 3
_NAMED: Final = re.compile(r"([^\W\d_][\w/-]*(?: [\w/-]+){0,2}): ")


def told_around(unit: Quote, page: Sequence[Paragraph], *, amount: bool) -> list[Quote]:
    """Return what is told for a unit of prose: paragraphs and items, in the page's order.

    page: the quotes of each passage of its page, in reading order. The unit's words are among
    them, else it is returned alone. amount: one is asked for; what the section says of other
    things is no part of that.
    """
    own = set(unit.indices)
    # a warning has a place of its own beside the answer, and a picture may part a list
    page = _before_tables([quotes for quotes in page if not _is_beside(quotes, own)])
    at = [n for n, quotes in enumerate(page) if any(not own.isdisjoint(q.indices) for q in quotes)]
    if not at or not all(is_prose(page[n]) for n in at):
        return [unit]
    first, last = at[0], at[-1] + 1
    begin, end = _section(page, first, last)
    if not amount and words_of(page[begin:end]) <= SHORT_SECTION:
        return _told(page[begin : _table_end(page, end)])
    if all(is_item(quotes) for quotes in page[first:last]):
        start, stop = _items(page, first, begin), _items_end(page, last, end)
        if stop - start > MOST_ITEMS or words_of(page[start:stop]) > SHORT_LIST:
            return [item for item in _told(page[start:stop]) if not own.isdisjoint(item.indices)]
        first, last = start, stop
    elif words_of(page[first:last]) > SHORT_PARAGRAPH:
        return _told([_sentences_around(own, page[first:last])])
    else:
        last = last if amount else _entry_end(page, first, last, end)
        announced = _announced(page, last, end)
        short = words_of(page[first:announced]) <= ANNOUNCED
        if short or _are_steps(page[last:announced]):
            last = announced
        last = _table_end(page, last)
    if first > begin and announces(page[first - 1]):
        first -= 1
    return _told(page[first:last])


def briefly(unit: Quote) -> Sequence[Quote]:
    """Return what is told of a place that may answer as well: the beginning of a long list."""
    return unit.parts[:_OF_OTHER_LISTS] if unit.kind == LIST else (unit,)


def is_prose(quotes: Sequence[Quote]) -> bool:
    """Whether a passage is a paragraph or an item, not a row, a heading or a drawing."""
    return bool(quotes) and quotes[0].kind in PROSE and not is_line_of_contents(quotes[0].text)


def _is_beside(quotes: Sequence[Quote], own: set[int]) -> bool:
    """Whether a passage is a warning that the unit is not of, or is of a picture.

    A picture without words of its own may lie over those of a paragraph.
    """
    if not quotes or quotes[0].kind in OF_PICTURES:
        return bool(quotes)
    is_own = any(not own.isdisjoint(quote.indices) for quote in quotes)
    return not is_own and bool(warning_level(quotes[0].text))


def _before_tables(page: Sequence[Paragraph]) -> list[Paragraph]:
    """Return passages without words of a picture between an announcement and its table."""
    kept: list[Paragraph] = []
    for quotes in page:
        alone = bool(quotes) and quotes[0].kind == "row" and not _is_row(quotes)
        if not (alone and kept and announces(kept[-1]) and is_prose(kept[-1])):
            kept.append(quotes)
    return kept


def announces(quotes: Sequence[Quote]) -> bool:
    """Whether a passage ends with a colon."""
    return bool(quotes) and quotes[-1].text.rstrip().endswith(COLONS)


def words_of(passages: Iterable[Sequence[Quote]]) -> int:
    """Return how many words passages have."""
    return sum(len(quote.text.split()) for quotes in passages for quote in quotes)


def _section(page: Sequence[Paragraph], first: int, last: int) -> tuple[int, int]:
    """Return where the prose below one heading begins and ends around some passages."""
    home = home_of(page[first][0])

    def belongs(quotes: Sequence[Quote]) -> bool:
        return is_prose(quotes) and home_of(quotes[0]) == home

    while first and belongs(page[first - 1]):
        first -= 1
    while last < len(page) and belongs(page[last]):
        last += 1
    return first, last


def _items(page: Sequence[Paragraph], first: int, begin: int) -> int:
    while first > begin and is_item(page[first - 1]):
        first -= 1
    return first


def _items_end(page: Sequence[Paragraph], last: int, end: int) -> int:
    while last < end and is_item(page[last]):
        last += 1
    return last


def _announced(page: Sequence[Paragraph], last: int, end: int) -> int:
    """Return where the list, or what a colon announces, below a passage ends; else `last`."""
    if last == end:
        return last
    if is_item(page[last]):
        return _items_end(page, last, end)
    if not announces(page[last - 1]):
        return last
    return _items_end(page, last + 1, end)  # a note may stand before them


def _table_end(page: Sequence[Paragraph], last: int) -> int:
    """Return where a short table ends that the passage before `last` announces; else `last`."""
    if not announces(page[last - 1]):
        return last
    end = next((n for n in range(last, len(page)) if not _is_row(page[n])), len(page))
    return end if end - last <= MOST_ITEMS else last


def _is_row(quotes: Paragraph) -> bool:
    """Whether a passage is a row of several cells: of one, it may be a word of a picture."""
    return bool(quotes) and quotes[0].kind == "row" and CELL_SEPARATOR in quotes[0].text


def _entry_end(page: Sequence[Paragraph], first: int, last: int, end: int) -> int:
    """Return where the entry that a passage begins ends: "Fault F10: ..." with its "Remedy: ...".

    Both names stand on the page several times, for several entries; else `last`. What is seen of a
    fault may stand above it without a name.
    """
    every = [_name_of(quotes) for quotes in page]
    names = Counter(every)
    own, following = every[first], every[last] if last < end else ""
    begins = own or following
    above = [before for before, name in pairwise(every) if name == begins]
    seen_above = "#" in begins and above.count("") > 1
    if not own:
        return _entry_end(page, last, last + 1, end) if seen_above else last
    if not following or own == following or min(names[own], names[following]) < 2:
        return last
    stop = next((at for at in range(last, end) if every[at] == own), end)
    if seen_above and stop < len(every) and every[stop] == own and not every[stop - 1]:
        stop -= 1
    return stop if words_of(page[first:stop]) <= ANNOUNCED else last


def _name_of(quotes: Paragraph) -> str:
    """Return what a passage is called before a colon, without its numbers; "" if it is not."""
    name = _NAMED.match(quotes[0].text) if quotes else None
    return shape_of(name[1]) if name else ""


def _are_steps(passages: Sequence[Paragraph]) -> bool:
    """Whether passages are the steps of a procedure that is short enough to be told whole."""
    steps = sum(is_step(quotes[0]) for quotes in passages if quotes)
    return steps > 1 and len(passages) <= MOST_ITEMS


def _sentences_around(own: set[int], passages: Sequence[Paragraph]) -> Paragraph:
    """Return the sentences of a long paragraph that have some words, and those next to them."""
    sentences = [quote for quotes in passages for quote in quotes]
    at = [n for n, quote in enumerate(sentences) if not own.isdisjoint(quote.indices)]
    first, last = at[0], at[-1] + 1
    for before, after in ((1, 0), (0, 1)):
        begin, end = max(first - before, 0), min(last + after, len(sentences))
        if words_of([sentences[begin:end]]) <= SHORT_PARAGRAPH:
            first, last = begin, end
    return tuple(sentences[first:last])


def _told(passages: Sequence[Paragraph]) -> list[Quote]:
    """Return passages as they are told: each paragraph and each item as one quote."""
    every = [quote for quotes in passages for quote in quotes]
    told: list[Quote] = []
    items: list[Quote] = []
    for quotes in passages:
        if is_item(quotes):
            items += quotes
            continue
        told += list_items(items, every) if items else []
        items = []
        told.append(joined_quote(quotes))
    return told + (list_items(items, every) if items else [])
