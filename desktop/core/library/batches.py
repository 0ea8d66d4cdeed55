"""Committing what a pass has read, in portions, while the pass reads on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    import apsw

    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database

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
