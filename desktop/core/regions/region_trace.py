"""The reasoning trace of a question about a framed region: what was read, looked at and said."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from desktop.core.agent.question_trace import QuestionTrace, milliseconds_since
from desktop.core.events import CitationEvent, ConfidenceEvent
from desktop.core.trace.session_memory import SessionMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.agent.question_trace import ToolTrace
    from desktop.core.events import Event, Outcome
    from desktop.core.trace.session_memory import Sessions


class RegionTrace:
    """Written as things happen; nothing while traces are off."""

    def __init__(self, sessions: Sessions | None, conversation_id: int, prompt: str) -> None:
        """May block: a conversation that is opened again reads its earlier traces."""
        memory = sessions.memory(conversation_id) if sessions is not None else SessionMemory()
        self._trace = QuestionTrace(memory, prompt)
        self._running: tuple[ToolTrace, float] | None = None
        self._confidence: float | None = None

    def begin(self, tool: str, reason: str, inputs: Mapping[str, Any]) -> None:
        """A step is chosen and begins; the one before it is over."""
        self.end()
        self._trace.decided(tool, reason, inputs, 0.0)
        self._running = self._trace.began(tool, inputs, reason), perf_counter()

    def take(self, event: Event) -> None:
        """Note an event of the step that runs."""
        if isinstance(event, ConfidenceEvent):
            self._confidence = event.value
        if self._running is not None:
            step, _ = self._running
            step.take(event)
            if isinstance(event, CitationEvent) and event.quote:
                step.evidence.append(event.quote)

    def fail(self, why: str) -> None:
        """The step that runs did not succeed."""
        if self._running is not None:
            self._running[0].error = why

    def end(self, *, finished: bool = True) -> None:
        """The step that runs is over. finished: False if it was stopped."""
        if self._running is not None:
            step, begun = self._running
            self._running = None
            self._trace.ended(step, milliseconds_since(begun), finished=finished)

    def finish(self, outcome: Outcome) -> None:
        """The question is over."""
        self.end(finished=outcome != "cancelled")
        self._trace.finished(outcome, (), (), self._confidence)
