"""A comparer of statements that says what a test has written down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_CHANCES = {
    "agree": (0.98, 0.01, 0.01),
    "contradict": (0.01, 0.98, 0.01),
    "open": (0.05, 0.05, 0.9),
}


class ScriptedComparer:
    """Satisfies `StatementComparer`.

    verdicts: by a piece of the manual's words and a piece of what is said, "agree", "contradict",
    or a chance of agreement; any other pair is open. asked: every pair that it was given.
    """

    def __init__(self, verdicts: dict[tuple[str, str], str | float] | None = None) -> None:
        self._verdicts = verdicts or {}
        self.asked: list[tuple[str, str]] = []

    def compare(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the chances of the script."""
        self.asked += pairs
        return np.array([self._chances(*pair) for pair in pairs], np.float32).reshape(-1, 3)

    def _chances(self, manual: str, said: str) -> tuple[float, float, float]:
        for (one, other), verdict in self._verdicts.items():
            if one in manual and other in said:
                if isinstance(verdict, float):
                    return (verdict, 0.0, 1 - verdict)
                return _CHANCES[verdict]
        return _CHANCES["open"]


class WordComparer:
    """Satisfies `StatementComparer`: what has most of its words in the manual's agrees."""

    def __init__(self, share: float = 0.6) -> None:
        self._share = share

    def compare(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return high chances of agreement, or that it is open."""
        rows = [_CHANCES["agree" if self._alike(*pair) else "open"] for pair in pairs]
        return np.array(rows, np.float32).reshape(-1, 3)

    def _alike(self, manual: str, said: str) -> bool:
        words, there = _words(said), _words(manual)
        return bool(words) and len(words & there) >= self._share * len(words)


def _words(text: str) -> set[str]:
    # without the signs that tell how amounts compare
    return set(re.findall(r"[\w+-]+", re.sub(r"\([=<>?]+\)", " ", text.casefold())))
