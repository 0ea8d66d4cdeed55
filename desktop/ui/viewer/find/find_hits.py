"""The hits of a search within a manual, growing while it runs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box

MOST_HITS = 5000


@dataclass(frozen=True, slots=True)
class FindHit:
    """One hit: its page and a box per line that it covers."""

    page: int
    boxes: tuple[Box, ...]


class FindHits:
    """Hits in the order of the document; the current one is at or after a start page."""

    def __init__(self, start_page: int = 0) -> None:
        self._hits: list[FindHit] = []
        self._by_page: defaultdict[int, list[tuple[Box, ...]]] = defaultdict(list)
        self._start_page = start_page
        self._current: int | None = None
        self.finished = False

    def __len__(self) -> int:
        return len(self._hits)

    @property
    def full(self) -> bool:
        """Whether no more hits are taken."""
        return len(self._hits) >= MOST_HITS

    @property
    def current(self) -> FindHit | None:
        return None if self._current is None else self._hits[self._current]

    @property
    def number(self) -> int:
        """Which one is current, from 1."""
        return (self._current or 0) + 1

    def add(self, hits: Sequence[FindHit]) -> bool:
        """Append hits; tell whether one of them became the current one."""
        was = self._current
        for hit in hits:
            self._hits.append(hit)
            self._by_page[hit.page].append(hit.boxes)
            if self._current is None and hit.page >= self._start_page:
                self._current = len(self._hits) - 1
        return self._current != was

    def finish(self) -> bool:
        """Say that no more hits come; tell whether the first became the current one."""
        self.finished = True
        if self._current is None and self._hits:
            self._current = 0
            return True
        return False

    def step(self, by: int) -> FindHit | None:
        """Make the next (or previous) hit current, round and round."""
        if self._hits:
            self._current = ((self._current or 0) + by) % len(self._hits)
        return self.current

    def on_page(self, page: int) -> list[tuple[Box, ...]]:
        return self._by_page.get(page, [])
