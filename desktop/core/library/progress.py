"""A pass in batches: when one is written, and how far the pass is."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop.core.library.values import PassName, PassProgress

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    import apsw

    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database

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


ItemT = TypeVar("ItemT")

_IDLE_SHARE = 4


class Batches(Generic[ItemT]):
    """Collects items and stores a portion every so many milliseconds or items at the latest.

    One portion is being written while the next is collected; an idle writer gets smaller
    ones, so that little is left to write at the end. What `add` and `flush` return is
    committed: it survives a power cut and may be reported.

    store: called on the writer's thread with one portion, in a transaction.
    """

    def __init__(
        self,
        database: Database,
        store: Callable[[apsw.Connection, list[ItemT]], None],
        settings: IngestionSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._store = store
        self._settings = settings
        self._clock = clock
        self._waiting: list[ItemT] = []
        self._since = 0.0
        self._writing: tuple[Future[None], list[ItemT]] | None = None

    def add(self, item: ItemT) -> list[ItemT]:
        """Take an item and return the items that were committed since the last call.

        Raises: what writing an earlier portion raised.
        """
        if not self._waiting:
            self._since = self._clock()
        self._waiting.append(item)
        committed = self._finished() if self._writing and self._writing[0].done() else []
        if self._due():
            committed += self._finished()
            self._start()
        return committed

    def flush(self) -> list[ItemT]:
        """Write everything, wait, and return the items that were not returned before.

        Raises: what writing raised.
        """
        committed = self._finished()
        if self._waiting:
            self._start()
            committed += self._finished()
        return committed

    def _due(self) -> bool:
        milliseconds = (self._clock() - self._since) * 1000
        most = self._settings.commit_pages
        return (
            len(self._waiting) >= (most if self._writing else max(1, most // _IDLE_SHARE))
            or milliseconds >= self._settings.commit_milliseconds
        )

    def _start(self) -> None:
        portion, self._waiting = self._waiting, []
        self._writing = (self._database.submit(lambda c: self._store(c, portion)), portion)

    def _finished(self) -> list[ItemT]:
        if self._writing is None:
            return []
        future, portion = self._writing
        self._writing = None
        future.result()
        return portion
