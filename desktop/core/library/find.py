"""Finding what somebody types, letter by letter, in the words of a page."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords


def normalized_needle(text: str) -> str:
    """Return `text` as it is compared: without case, one space between words."""
    return " ".join(text.casefold().split())


def find_in_words(words: PageWords, needle: str) -> Iterator[tuple[Box, ...]]:
    """Yield the boxes of every place where `needle` stands, one box per line it covers.

    needle: as `normalized_needle` returns it. It may begin and end inside a word and run
    over several words and lines; a place that is found is not searched again.
    """
    if not needle:
        return
    # Folding may lengthen a word ("ß" becomes "ss"), so positions are those of folded words.
    folded = [word.casefold() for word in words.texts]
    text = " ".join(folded)
    position = text.find(needle)
    if position < 0:
        return
    starts = list(accumulate((len(word) + 1 for word in folded), initial=0))
    while position >= 0:
        end = position + len(needle)
        first = bisect_right(starts, position) - 1
        last = bisect_right(starts, end - 1) - 1
        yield words.line_boxes(first, last)
        position = text.find(needle, end)
