"""The traces of the questions in the window: taken over while they are written, read again later.

A trace is written on the engine's thread; what reaches the window is a copy of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.ui.errands import Errands

if TYPE_CHECKING:
    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.turn import Turn


class TraceRecorder(QObject):
    """grown(trace): of the running question, a copy. read(turn): its stored trace is there."""

    grown = Signal(object)
    read = Signal(object)
    _written = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace: Workspace | None = None
        self._errands = Errands(self)
        self._running = ""
        self._over: set[str] = set()
        self._live: ReasoningTrace | None = None
        self._turn: Turn | None = None
        self._written.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def open_workspace(self, workspace: Workspace) -> None:
        """Hear of every entry that is written in this library from now on."""
        self._workspace = workspace
        workspace.sessions.on_entry(self._hear)

    def close(self) -> None:
        """Join the thread that reads."""
        self._errands.close()

    def begin(self, turn: Turn) -> None:
        """The next trace that is new is the one of this question."""
        self.finish()
        self._turn = turn

    def finish(self) -> None:
        """The question is over: keep how its trace ended."""
        if self._turn is not None and self._live is not None:
            self._turn.trace = _copy(self._live)
        self._over |= {self._running} - {""}
        self._running, self._live, self._turn = "", None, None

    def find(self, turn: Turn) -> None:
        """Read the trace of a stored turn, once; `read` tells when it is there."""
        workspace, turn_id = self._workspace, turn.turn_id
        if workspace is None or turn_id is None or turn.trace is not None:
            return
        turn.turn_id = None
        traces = workspace.traces

        def take(trace: ReasoningTrace | None) -> None:
            if trace is not None:
                turn.trace = trace
                self.read.emit(turn)

        self._errands.run(lambda: traces.of_turn(turn_id), take)

    def _hear(self, trace: ReasoningTrace, _entry: ReasoningEntry) -> None:
        self._written.emit((trace, _copy(trace)))  # on the engine's thread, with its lock held

    def _take(self, written: tuple[ReasoningTrace, ReasoningTrace]) -> None:
        live, copied = written
        if self._turn is None or copied.interaction_id in self._over:
            return
        if not self._running:
            self._running = copied.interaction_id
        if copied.interaction_id == self._running:
            self._live = live
            self._turn.trace = copied
            self.grown.emit(copied)


def _copy(trace: ReasoningTrace) -> ReasoningTrace:
    return replace(trace, entries=list(trace.entries), fulfilled=list(trace.fulfilled))
