"""The sessions of a library: one memory for each conversation, made when it is first asked."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

from desktop.core.errors import LibraryError
from desktop.core.trace.keeper import TraceKeeper
from desktop.core.trace.session_memory import MOST_TRACES, SessionMemory
from desktop.core.trace.store import TraceStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.settings.reasoning_trace import ReasoningTraceSettings
    from desktop.core.store.database import Database
    from desktop.core.trace.entry import ReasoningEntry
    from desktop.core.trace.reasoning_trace import ReasoningTrace

_MOST_SESSIONS = 16


class Sessions:
    """Hands out the memory of a conversation; may be used from any thread, may block.

    A conversation that is opened again remembers what was corrected in it before.
    """

    def __init__(self, settings: ReasoningTraceSettings, database: Database | None = None) -> None:
        """Without a database, or with one that is only read, traces are not written down."""
        self._settings = settings
        self._database = database
        self._guard = threading.Lock()
        self._memories: OrderedDict[int, SessionMemory] = OrderedDict()
        self._listeners: list[Callable[[ReasoningTrace, ReasoningEntry], None]] = []

    @property
    def in_prompts(self) -> Literal["off", "corrections", "all"]:
        """How much of a trace a language model is told."""
        return self._settings.in_prompts

    def memory(self, conversation_id: int) -> SessionMemory:
        """Return the memory of a conversation; 0, a question of its own, has none before it."""
        if not self._settings.enabled:
            return SessionMemory()
        if conversation_id == 0:
            return self._listened(SessionMemory(enable_reasoning_trace=True))
        with self._guard:
            memory = self._memories.get(conversation_id)
            if memory is None:
                memory = self._listened(self._opened(conversation_id))
                self._memories[conversation_id] = memory
            self._memories.move_to_end(conversation_id)
            while len(self._memories) > _MOST_SESSIONS:
                self._memories.popitem(last=False)
        return memory

    def on_entry(self, listener: Callable[[ReasoningTrace, ReasoningEntry], None]) -> None:
        """Have `listener` called with every entry of sessions that are opened from now on.

        See `SessionMemory.on_entry`: it is called where the entry is written.
        """
        self._listeners.append(listener)

    def _opened(self, conversation_id: int) -> SessionMemory:
        database = self._database
        if database is None:
            return SessionMemory(enable_reasoning_trace=True)
        try:
            earlier = TraceStore(database).of_conversation(conversation_id)[-MOST_TRACES:]
        except LibraryError:  # a question is asked all the same
            earlier = []
        keeper = None if database.read_only else TraceKeeper(database, conversation_id)
        return SessionMemory(enable_reasoning_trace=True, keeper=keeper, earlier=earlier)

    def _listened(self, memory: SessionMemory) -> SessionMemory:
        for listener in self._listeners:
            memory.on_entry(listener)
        return memory
