"""How fast a pass gets on, and how often anybody is told."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from desktop.core.library.values import PassName, PassProgress

if TYPE_CHECKING:
    from collections.abc import Callable

_REPORT_SECONDS = 0.2
_WINDOW_SECONDS = 15.0


class PassMeter:
    """Counts the pages of one pass of one document; the rate is that of the last 15 s.

    done: pages that were over when the meter was made; they do not count for the rate.
    """

    def __init__(
        self,
        document_id: int,
        pass_name: PassName,
        done: int,
        total: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._document_id = document_id
        self._pass_name = pass_name
        self._done = done
        self._total = total
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque([(clock(), done)])
        self._reported_at = float("-inf")
        self._reported_done = -1

    def advance(self, pages: int) -> list[PassProgress]:
        """Count pages that were committed; return a report if one is due."""
        now = self._clock()
        if pages:
            self._done += pages
            self._marks.append((now, self._done))
            while now - self._marks[0][0] > _WINDOW_SECONDS and len(self._marks) > 2:
                self._marks.popleft()
        if now - self._reported_at < _REPORT_SECONDS:
            return []
        return self.last()

    def last(self) -> list[PassProgress]:
        """Return a report of how it stands now, unless that was the last one."""
        if self._done == self._reported_done:
            return []
        self._reported_at = self._clock()
        self._reported_done = self._done
        rate = self._rate()
        left = (self._total - self._done) / rate if rate > 0 else None
        return [
            PassProgress(self._document_id, self._pass_name, self._done, self._total, rate, left)
        ]

    def _rate(self) -> float:
        (began, first), (ended, last) = self._marks[0], self._marks[-1]
        return (last - first) / (ended - began) if ended > began else 0.0
