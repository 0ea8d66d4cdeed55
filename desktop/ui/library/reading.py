"""How much of the manuals that are being read is read, and how long the rest takes."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from desktop.ui.library.row import row_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.core.library.values import DocumentRecord, PassName, PassProgress


WATCHED_S = 60.0
"""How far back is looked to tell how fast it goes."""
ENOUGH_S = 20.0
"""Before so many seconds have been watched, nothing is said."""
SLOWLY = 0.05
"""How much of a new estimate counts beside the one that is told."""
STEADY = 1.5
"""How many times as fast one half of the time watched may be as the other."""


class AmountRead:
    """Of all manuals that are read together: one that is finished still counts beside the others.

    clock: seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._pages: dict[int, int] = {}
        self._seen: deque[tuple[float, float]] = deque()
        self._ends: float | None = None
        self.count = 0
        self.finished = 0
        self.share = 0.0

    def take(
        self,
        records: Sequence[DocumentRecord],
        progress: Callable[[int], Mapping[PassName, PassProgress]],
    ) -> None:
        """Look at the manuals as they stand now."""
        busy = {each.id: each for each in records if each.state in ("queued", "indexing")}
        if not busy:
            self._pages.clear()
        known = {each.id for each in records}
        before = set(self._pages)
        self._pages = {id_: pages for id_, pages in self._pages.items() if id_ in known}
        self._pages |= {id_: each.page_count for id_, each in busy.items()}
        if set(self._pages) != before:
            self._seen.clear()
            self._ends = None
        self.count, self.finished = len(self._pages), len(self._pages.keys() - busy.keys())
        # the same share as the bar of its card
        read = {id_: row_view(each, progress(id_)).read or 0.0 for id_, each in busy.items()}
        done = sum(read.get(id_, 1.0) * max(1, pages) for id_, pages in self._pages.items())
        self.share = done / max(1, sum(max(1, pages) for pages in self._pages.values()))
        self._watch()

    @property
    def seconds_left(self) -> float | None:
        """Seconds until all is read; None until it is read steadily. It counts down meanwhile."""
        return None if self._ends is None else max(0.0, self._ends - self._clock())

    def _watch(self) -> None:
        now = self._clock()
        self._seen.append((now, self.share))
        while now - self._seen[0][0] > WATCHED_S:
            self._seen.popleft()
        (began, share), (_, half) = self._seen[0], self._seen[len(self._seen) // 2]
        middle = self._seen[len(self._seen) // 2][0]
        if now - began < ENOUGH_S or not began < middle < now:
            return
        first, second = (half - share) / (middle - began), (self.share - half) / (now - middle)
        if min(first, second) <= 0 or max(first, second) > STEADY * min(first, second):
            return
        ends = now + (1 - self.share) * (now - began) / (self.share - share)
        self._ends = ends if self._ends is None else self._ends + SLOWLY * (ends - self._ends)
