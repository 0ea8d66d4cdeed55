"""The stored traces of a library: what the trace panel, exports and reopened sessions read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.trace import rows

if TYPE_CHECKING:
    from desktop.core.store.database import Database
    from desktop.core.trace.reasoning_trace import ReasoningTrace

FIRST_VERSION = 6
"""Of the schema: an older library that is only read has no traces."""


class TraceStore:
    """Reads traces; blocks, callable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_turn(self, turn_id: int) -> ReasoningTrace | None:
        """Return the trace of a turn of a conversation, None if it was asked without one."""
        if not self._has_tables():
            return None
        return self._database.read(lambda c: rows.trace_of_turn(c, turn_id))

    def of_conversation(self, conversation_id: int) -> list[ReasoningTrace]:
        """Return the traces of a conversation, oldest first; [] if it has none."""
        if not self._has_tables():
            return []
        return self._database.read(lambda c: rows.traces_of(c, conversation_id))

    def mark_interrupted(self) -> int:
        """Finish what an earlier run of the program left pending; returns how many traces.

        To be called once, when the library was opened for writing and nothing runs yet.
        """
        return self._database.write(rows.skip_pending)

    def _has_tables(self) -> bool:
        version = self._database.read(lambda c: int(c.pragma("user_version")))
        return version >= FIRST_VERSION
