"""Which end of a growing text may still become one of some words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def undecided_length(text: str, words: Iterable[str]) -> int:
    """Count the last characters of a text that begin a word without completing it.

    Returns: the greatest such number over all words, 0 if none fits.
    """
    longest = 0
    for word in words:
        for length in range(min(len(text), len(word) - 1), longest, -1):
            if text.endswith(word[:length]):
                longest = length
                break
    return longest
