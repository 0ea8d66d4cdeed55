"""What a citation's boxes cover: the words that answer, and nothing but what is quoted.

Areas pay for boxes that are small or large; words do not. A word is inside if its middle is.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords

LEAST_RECALL = 0.95
"""Share of the gold words of one place that the citations must cover to hit it."""
_EDGE_POINTS = 1.0


@dataclass(frozen=True, slots=True)
class CitedWords:
    """The words in a citation's boxes. page: a manual's name and a zero-based page index.

    precision: see `region_precision`.
    """

    page: tuple[str, int]
    marked: frozenset[int]
    precision: float | None


def words_inside(words: PageWords, boxes: Sequence[Box]) -> frozenset[int]:
    """Return the indices of the words whose middle lies in a box, up to a point beside it."""
    x, y = words.centres
    inside = np.zeros(len(words), bool)
    for box in boxes:
        wide = box.inflated(_EDGE_POINTS)
        inside |= (wide.x0 <= x) & (x <= wide.x1) & (wide.y0 <= y) & (y <= wide.y1)
    return frozenset(np.flatnonzero(inside).tolist())


def region_recall(gold: Collection[int], marked: Collection[int]) -> float:
    """Return the share of the gold words that are marked. gold: at least one."""
    return len(set(gold) & set(marked)) / len(set(gold))


def region_precision(
    words: PageWords, marked: Collection[int], quote: str, headings: Iterable[str] = ()
) -> float | None:
    """Return the share of the marked words that belong to the quote or to its headings.

    Each word of the quote and of each heading stands for one word of the page, so that a mark
    around more of them is not excused by one "the".

    Returns: None if no word is marked: there is nothing that could be too much.
    """
    if not marked:
        return None
    allowed = Counter(_signs(quote))
    for heading in headings:
        allowed.update(_signs(heading))
    belong = 0
    for index in sorted(marked):
        signs = _signs(words.texts[index])
        if all(allowed[sign] >= count for sign, count in Counter(signs).items()):
            allowed.subtract(signs)
            belong += 1
    return belong / len(set(marked))


def mean_precision(citations: Iterable[CitedWords]) -> float | None:
    """Return the mean precision of an answer's citations; None without a marked word."""
    known = [each.precision for each in citations if each.precision is not None]
    return sum(known) / len(known) if known else None


def marked_words(citations: Iterable[CitedWords]) -> dict[tuple[str, int], set[int]]:
    """Return all words that an answer's citations mark, by page."""
    marked: dict[tuple[str, int], set[int]] = defaultdict(set)
    for citation in citations:
        marked[citation.page] |= citation.marked
    return dict(marked)


def _signs(text: str) -> list[str]:
    """Return the words of a text without the signs around and inside them, each in small letters.

    A sign of its own ("|", "•") is no word: a quote may set other ones between cells.
    """
    folded = (
        "".join(sign for sign in word if sign.isalnum())
        for word in unicodedata.normalize("NFKC", text).casefold().split()
    )
    return [word for word in folded if word]
