"""The memory of a session: its questions, and for each the trace of how it was answered.

Every method of a memory is safe to call while the trace is off: it returns None, "", [] or
False. `Sessions` hands out one memory for each conversation of a library.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from desktop.core.errors import LibraryError
from desktop.core.trace.reasoning_trace import (
    AVAILABLE,
    OutcomeStatus,
    ReasoningEntry,
    ReasoningStage,
    ReasoningTrace,
    redacted,
    redacted_values,
    summary_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.core.settings.sections import ReasoningTraceSettings
    from desktop.core.store.database import Database
    from desktop.core.trace.store import TraceKeeper

    Listener = Callable[[ReasoningTrace, ReasoningEntry], None]

_GIVEN = frozenset(each.name for each in fields(ReasoningEntry)) - {
    "entry_id",
    "interaction_id",
    "timestamp",
    "stage",
    "thought",
}
REASONING_TRACE_AVAILABLE: Final = AVAILABLE
"""False where secrets could not be kept out: then nothing is recorded."""
MOST_TRACES = 50
"""Questions of a session whose traces are kept in memory; the library keeps them all."""
_GROWING = ("evidence", "commitments", "attachments", "corrections")
_MOST_SESSIONS = 16


def checked_fields(given: dict[str, Any], also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return fields with the right types and without secrets. Raises: TypeError, ValueError."""
    unknown = given.keys() - _GIVEN - set(also)
    if unknown:
        raise TypeError(f"an entry has no {', '.join(sorted(unknown))}")
    checked: dict[str, Any] = {}
    for name, value in given.items():
        if name == "outcome":
            checked[name] = OutcomeStatus(value)
        elif name in ("evidence", "commitments", "corrections"):
            checked[name] = tuple(redacted(_text(each)) for each in value)
        elif name == "attachments":
            checked[name] = tuple(redacted_values(dict(each)) for each in value)
        elif name == "metrics":
            checked[name] = {str(key): float(each) for key, each in value.items()}
        elif name == "parameters":
            checked[name] = redacted_values(dict(value))
        else:
            checked[name] = None if value is None else redacted(_text(value))
    return checked


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


@dataclass(frozen=True, slots=True)
class Interaction:
    """A question of the session. asked_at: ISO 8601 in UTC."""

    interaction_id: str
    user_request: str
    asked_at: str


class SessionMemory:
    """Questions and their traces, from any thread. Entries that name no question go to the last."""

    def __init__(
        self,
        enable_reasoning_trace: bool = False,
        *,
        keeper: TraceKeeper | None = None,
        earlier: Iterable[ReasoningTrace] = (),
        on_entry: Listener = lambda _trace, _entry: None,
    ) -> None:
        """Begin a session.

        keeper: where traces are written down; without one they live as long as the session.
        earlier: traces of the session from before the program was last closed.
        on_entry: called with every entry that is added or updated, on the thread that writes, with
            the lock held: it must only hand on.
        """
        self._enabled = enable_reasoning_trace and REASONING_TRACE_AVAILABLE
        self._keeper = keeper
        self._lock = threading.RLock()
        self._current = ""
        self._places: dict[str, tuple[str, int]] = {}
        self._on_entry = on_entry
        self.interactions: list[Interaction] = []
        self._reasoning_traces: dict[str, ReasoningTrace] = {}
        for trace in earlier if self._enabled else ():
            self._reasoning_traces[trace.interaction_id] = trace

    def add_interaction(self, user_request: str) -> str:
        """Remember a question of the session and return its id; works with the trace off."""
        interaction = Interaction(uuid.uuid4().hex, redacted(user_request), _now())
        with self._lock:
            self.interactions.append(interaction)
        return interaction.interaction_id

    def is_reasoning_trace_enabled(self) -> bool:
        """Whether entries are recorded at all."""
        return self._enabled

    def start_reasoning_trace(self, interaction_id: str) -> bool:
        """Begin the trace of a question, or go on with it; False if that cannot be."""
        if not self._enabled:
            return False
        with self._lock:
            asked = next(
                (each for each in self.interactions if each.interaction_id == interaction_id), None
            )
            if asked is None:
                return False
            self._current = interaction_id
            if interaction_id in self._reasoning_traces:
                return True
            trace = ReasoningTrace(interaction_id, asked.user_request, asked.asked_at)
            self._reasoning_traces[interaction_id] = trace
            while len(self._reasoning_traces) > MOST_TRACES:
                oldest = self._reasoning_traces.pop(next(iter(self._reasoning_traces)))
                for entry in oldest.entries:
                    self._places.pop(entry.entry_id, None)
            if self._keeper is not None:
                self._keeper.keep_trace(trace)
            return True

    def add_reasoning_entry(
        self, stage: str, thought: str, *, interaction_id: str | None = None, **more: Any
    ) -> str | None:
        """Add a `ReasoningEntry` of these fields and return its id; None while there is no trace.

        Raises: ValueError for a stage or an outcome that does not exist, TypeError for a field.
        """
        if not self._enabled:
            return None
        given = checked_fields(more)
        where = ReasoningStage(stage)
        with self._lock:
            trace = self._trace(interaction_id)
            if trace is None:
                return None
            entry = ReasoningEntry(
                uuid.uuid4().hex[:16], trace.interaction_id, _now(), where, redacted(thought)
            )
            entry = replace(entry, **given)
            position = len(trace.entries)
            trace.entries.append(entry)
            self._places[entry.entry_id] = (trace.interaction_id, position)
            self._keep(trace, position, entry)
        return entry.entry_id

    def update_reasoning_entry(self, entry_id: str, **more: Any) -> bool:
        """Say what came of a step; False if there is no such entry.

        Evidence, commitments, attachments, corrections and metrics are added to those
        that the entry has; everything else replaces what was there.

        Raises: as `add_reasoning_entry`.
        """
        if not self._enabled:
            return False
        given = checked_fields(more, also=("thought",))
        with self._lock:
            place = self._places.get(entry_id)
            if place is None:
                return False
            trace = self._reasoning_traces[place[0]]
            entry = trace.entries[place[1]]
            for name in _GROWING:
                if name in given:
                    had = getattr(entry, name)
                    given[name] = (*had, *(each for each in given[name] if each not in had))
            if "metrics" in given:
                given["metrics"] = entry.metrics | given["metrics"]
            entry = replace(entry, **given)
            trace.entries[place[1]] = entry
            self._keep(trace, place[1], entry)
        return True

    def get_reasoning_summary(
        self,
        max_entries: int = 10,
        include_corrections_only: bool = False,
        interaction_id: str | None = None,
    ) -> str:
        """Return the trace in a few lines for a prompt, "" if there is nothing to tell.

        include_corrections_only: only what to do differently. Corrections of earlier
        questions of the session are always told.
        """
        with self._lock:
            trace = self._trace(interaction_id)
            if trace is None:
                return ""
            earlier = [t for t in self._reasoning_traces.values() if t is not trace]
            return summary_of(
                trace, earlier, max_entries, corrections_only=include_corrections_only
            )

    def get_pending_commitments(self, interaction_id: str | None = None) -> list[str]:
        """Return what was promised and is not yet delivered."""
        with self._lock:
            trace = self._trace(interaction_id)
            return [] if trace is None else trace.pending_commitments

    def get_trace_attachments(self, interaction_id: str | None = None) -> list[dict[str, Any]]:
        """Return pages, regions and files that were found or made."""
        with self._lock:
            trace = self._trace(interaction_id)
            return [] if trace is None else trace.attachments

    def get_trace_corrections(self, interaction_id: str | None = None) -> list[str]:
        """Return what the critic said to do differently."""
        with self._lock:
            trace = self._trace(interaction_id)
            return [] if trace is None else trace.corrections

    def fulfil_commitment(self, commitment: str, interaction_id: str | None = None) -> bool:
        """Say that something promised was delivered; False if it was not pending."""
        with self._lock:
            trace = self._trace(interaction_id)
            if trace is None or commitment not in trace.pending_commitments:
                return False
            trace.fulfilled.append(commitment)
            return True

    def finish_reasoning_trace(
        self, outcome: str, confidence: float | None = None, interaction_id: str | None = None
    ) -> bool:
        """Say what came of the whole question; steps still pending were skipped."""
        if not self._enabled:
            return False
        with self._lock:
            trace = self._trace(interaction_id)
            if trace is None:
                return False
            for entry in list(trace.entries):
                if entry.outcome is OutcomeStatus.PENDING:
                    self.update_reasoning_entry(entry.entry_id, outcome=OutcomeStatus.SKIPPED)
            trace.outcome = OutcomeStatus(outcome)
            trace.confidence = confidence
            if self._keeper is not None:
                self._keeper.keep_trace(trace)
            return True

    def get_trace(self, interaction_id: str | None = None) -> ReasoningTrace | None:
        """Return a trace as it grows, None if there is none."""
        with self._lock:
            return self._trace(interaction_id)

    def traces(self) -> list[ReasoningTrace]:
        """Return every trace of the session, oldest first."""
        with self._lock:
            return list(self._reasoning_traces.values())

    def _trace(self, interaction_id: str | None) -> ReasoningTrace | None:
        return self._reasoning_traces.get(interaction_id or self._current)

    def _keep(self, trace: ReasoningTrace, position: int, entry: ReasoningEntry) -> None:
        if self._keeper is not None:
            self._keeper.keep_entry(trace.interaction_id, position, entry)
        self._on_entry(trace, entry)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


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
        self._listeners: list[Listener] = []

    @property
    def in_prompts(self) -> Literal["off", "corrections", "all"]:
        """How much of a trace a language model is told."""
        return self._settings.in_prompts

    def memory(self, conversation_id: int) -> SessionMemory:
        """Return the memory of a conversation; 0, a question of its own, has none before it."""
        if not self._settings.enabled:
            return SessionMemory()
        if conversation_id == 0:
            return SessionMemory(enable_reasoning_trace=True, on_entry=self._tell)
        with self._guard:
            memory = self._memories.get(conversation_id)
            if memory is None:
                memory = self._memories[conversation_id] = self._opened(conversation_id)
            self._memories.move_to_end(conversation_id)
            while len(self._memories) > _MOST_SESSIONS:
                self._memories.popitem(last=False)
        return memory

    def on_entry(self, listener: Listener) -> None:
        """Have `listener` called with every entry of every session; see `SessionMemory`."""
        self._listeners.append(listener)

    def _tell(self, trace: ReasoningTrace, entry: ReasoningEntry) -> None:
        for listener in tuple(self._listeners):
            listener(trace, entry)

    def _opened(self, conversation_id: int) -> SessionMemory:
        database = self._database
        if database is None:
            return SessionMemory(enable_reasoning_trace=True, on_entry=self._tell)
        from desktop.core.trace.store import TraceKeeper, TraceStore  # not before Qt: see there

        try:
            earlier = TraceStore(database).of_conversation(conversation_id)[-MOST_TRACES:]
        except LibraryError:  # a question is asked all the same
            earlier = []
        keeper = None if database.read_only else TraceKeeper(database, conversation_id)
        return SessionMemory(
            enable_reasoning_trace=True, keeper=keeper, earlier=earlier, on_entry=self._tell
        )
