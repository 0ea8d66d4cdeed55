"""Dots that lead from a name to its value, "Weight ........ 18 kg", or from a heading to its page.

Those to a value part two cells of a row and say nothing. Those of a table of contents are left: it
is known by them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.page_words import PageWords

_WITH_ELLIPSIS = r"[.·]*…[.·…]+"
RUN = re.compile(rf"[.·]{{4,}}|(?<![\d.·]){_WITH_ELLIPSIS}|{_WITH_ELLIPSIS}(?![\d.·])")
"""The dots where they are one word, or part of one; "22.32.….1xx0" is a code."""
_DOT = frozenset(".·…")
_LEAST_DOTS, _LEAST_LINES = 4, 3
_SAME_LEFT = 6.0  # points
_PAGE = re.compile(
    r"(?:[A-Z]-?)?\d{1,4}(?:[-–.]\d{1,4})?(?:\s*,\s*\d{1,4})*|[ivxlc]+", re.IGNORECASE
)
_AROUND_PAGE = " .·…-–"
_MOSTLY, _LEAST_ERRORS = 0.6, 5
"""Of the lines below each other: so many lead to a page in a table of contents."""


@dataclass(frozen=True, slots=True)
class _Leader:
    """A line with dots: which words they are, where it begins, what stands behind them."""

    dots: tuple[int, ...]
    left: float
    behind: str


def words_between_cells(words: PageWords) -> NDArray[np.bool_]:
    """Return which words of a page are dots between a name and its value, shape (n,)."""
    found = np.zeros(len(words), np.bool_)
    leaders = _leaders(words) if _may_have_some(words) else []
    if len(leaders) < _LEAST_LINES:
        return found
    if _are_contents(leaders):
        return found
    for leader in leaders:
        below = [each for each in leaders if abs(each.left - leader.left) <= _SAME_LEFT]
        if len(below) < _LEAST_LINES or not _are_contents(below):
            found[list(leader.dots)] = True
    return found


def _are_contents(leaders: Sequence[_Leader]) -> bool:
    """Whether most lines lead to a page, or to the error that stands in the place of many."""
    pages = [_PAGE.fullmatch(each.behind.strip(_AROUND_PAGE)) is not None for each in leaders]
    others = Counter(
        each.behind for each, is_page in zip(leaders, pages, strict=True) if not is_page
    )
    errors = max(others.values(), default=0)
    return sum(pages) + (errors if errors >= _LEAST_ERRORS else 0) >= _MOSTLY * len(leaders)


def _may_have_some(words: PageWords) -> bool:
    return any(text[0] in _DOT for text in words.texts)


def _leaders(words: PageWords) -> list[_Leader]:
    """Return the lines that have dots with something behind them."""
    starts = np.flatnonzero(np.diff(words.lines, prepend=-1))
    ends = [*starts[1:].tolist(), len(words)]
    found = []
    for first, end in zip(starts.tolist(), ends, strict=True):
        texts = words.texts[first:end]
        dots = [n for n, text in enumerate(texts) if set(text) <= _DOT]
        if not dots or dots[-1] == len(texts) - 1:
            continue
        run = range(dots[0], dots[-1] + 1)
        if len(run) != len(dots) or not _is_leader("".join(texts[n] for n in run)):
            continue
        behind = " ".join(texts[run.stop :])
        left = float(words.boxes[first, 0])
        found.append(_Leader(tuple(first + n for n in run), left, behind))
    return found


def _is_leader(dots: str) -> bool:
    return len(dots) >= _LEAST_DOTS or ("…" in dots and len(dots) > 1)
