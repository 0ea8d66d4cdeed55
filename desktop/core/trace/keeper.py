"""Writing traces down behind the running question: the caller never waits for the disk."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from desktop.core.problems import failure_place
from desktop.core.trace import rows

if TYPE_CHECKING:
    from concurrent.futures import Future

    import apsw

    from desktop.core.store.database import Database
    from desktop.core.trace.entry import ReasoningEntry
    from desktop.core.trace.reasoning_trace import ReasoningTrace

logger = logging.getLogger(__name__)

DELAY_SECONDS: Final = 0.2
"""Entries are gathered this long, because each write waits for the disk. With the write itself
an entry is on the disk within 250 ms; what a killed program loses is what is younger."""


class TraceKeeper:
    """Satisfies `KeepsTraces` for the traces of one conversation."""

    def __init__(self, database: Database, conversation_id: int) -> None:
        self._database = database
        self._conversation_id = conversation_id
        self._lock = threading.Lock()
        self._entries: dict[tuple[str, int], ReasoningEntry] = {}
        self._scheduled = False
        self._last: Future[Any] | None = None
        self.failure: BaseException | None = None

    def keep_trace(self, trace: ReasoningTrace) -> None:
        """Queue the trace at once, with what waits: it must know the turn it belongs to."""
        snapshot = replace(trace, entries=[], fulfilled=list(trace.fulfilled))
        conversation_id = self._conversation_id

        def write(connection: apsw.Connection) -> None:
            rows.put_trace(connection, conversation_id, snapshot)
            self._write_entries(connection)

        self._submit(write)

    def keep_entry(self, interaction_id: str, position: int, entry: ReasoningEntry) -> None:
        """Keep an entry until the next write; several changes of it become one."""
        with self._lock:
            self._entries[interaction_id, position] = entry
            if self._scheduled:
                return
            self._scheduled = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no question is running on this thread: nothing to wait for
            self.flush()
            return
        loop.call_later(DELAY_SECONDS, self.flush)

    def flush(self) -> None:
        """Queue what was kept since the last write."""
        self._submit(self._write_entries)

    def wait(self) -> None:
        """Wait until everything that was queued is on the disk; blocks."""
        self.flush()
        if self._last is not None:
            self._last.exception()

    def _write_entries(self, connection: apsw.Connection) -> None:
        with self._lock:
            waiting, self._entries, self._scheduled = self._entries, {}, False
        for (_, position), entry in waiting.items():
            rows.put_entry(connection, position, entry)

    def _submit(self, write: Any) -> None:
        try:
            self._last = self._database.submit(write)
        except RuntimeError as error:  # the library was closed meanwhile
            self._note(error)
            return
        self._last.add_done_callback(lambda done: self._note(done.exception()))

    def _note(self, failure: BaseException | None) -> None:
        if failure is not None and self.failure is None:
            self.failure = failure
            logger.error("a trace was not stored: %s", failure_place(failure))
