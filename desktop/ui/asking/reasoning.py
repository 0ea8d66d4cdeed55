"""The reasoning beside the answers: recorded while a question runs, shown, exported."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QObject, Qt, QTimer, Signal

import desktop
from desktop.ui.bridge import Errands
from desktop.ui.design.problems import in_sentences
from desktop.ui.files import choose_trace_export
from desktop.ui.layout_memory import LayoutMemory
from desktop.ui.trace.timeline import Timeline, scores_in, timeline_of_trace

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.turn import Turn
    from desktop.ui.trace.trace_panel import TracePanel


REDRAW_MS = 60


class TraceController(QObject):
    """Records the reasoning of the running question, and shows that of one turn in the panel."""

    _written = Signal(object)

    def __init__(self, panel: TracePanel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self._workspace: Workspace | None = None
        self._memory: LayoutMemory | None = None
        self._turn: Turn | None = None
        self._asked: Turn | None = None
        self._running = ""  # the id of its trace
        self._live: ReasoningTrace | None = None
        self._over: set[str] = set()
        self._written.connect(self._record, Qt.ConnectionType.QueuedConnection)
        self._errands = Errands(self)
        self._errands.failed.connect(self._say_failure)
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._redraw.timeout.connect(self._draw)
        panel.export_wanted.connect(self._choose_export)

    def open_workspace(self, workspace: Workspace) -> None:
        """Hear of every entry that is written in this library from now on, and read its traces."""
        self._workspace = workspace
        mine = ref(self)  # the sessions outlive this window

        def hear(trace: ReasoningTrace, _entry: ReasoningEntry) -> None:
            """Hand a copy on; it comes on the engine's thread, with its lock held."""
            controller = mine()
            if controller is not None and controller._workspace is not None:
                controller._written.emit((trace, _copy(trace)))

        workspace.sessions.on_entry(hear)
        self._memory = LayoutMemory(workspace.library.folder.root)
        self._panel.open_height = self._memory.trace_height

    def close(self) -> None:
        """Finish what is being written and join the thread."""
        self._workspace = None
        self._redraw.stop()
        if self._memory is not None:
            self._memory.trace_height = self._panel.height_when_open
        self._errands.close()

    def begin(self, turn: Turn) -> None:
        """Follow a question that is asked now: the next new trace is its own."""
        self._end_recording()
        self._asked = self._turn = turn
        self._panel.begin(turn.question)

    def take(self, turn: Turn) -> None:
        """An event of a question has come."""
        if turn is self._turn:
            self._redraw_soon()

    def finish(self) -> None:
        """The running question is over."""
        self._end_recording()
        self._draw()

    def show(self, turn: Turn) -> None:
        """Show how a question was answered, running or not; a stored trace is read once."""
        self._turn = turn
        self._panel.begin(turn.question)
        workspace, turn_id = self._workspace, turn.turn_id
        if workspace is not None and turn_id is not None and turn.trace is None:
            turn.turn_id = None
            traces = workspace.traces

            def take(trace: ReasoningTrace | None) -> None:
                turn.trace = trace
                if turn is self._turn:
                    self._draw()

            self._errands.run(lambda: traces.of_turn(turn_id), take)
        else:
            self._draw()

    def forget(self) -> None:
        """Show no question."""
        self._turn = None
        self._panel.forget()

    def export(self, form: str, path: Path) -> None:
        """Write the trace of the turn that is shown. form: json or spans."""
        trace = self._turn.trace if self._turn is not None else None
        if trace is None:
            return
        from desktop.core.trace.export import write_json, write_spans

        def work() -> None:
            if form == "spans":
                write_spans([trace], path, desktop.__version__)
            else:
                write_json([trace], path)

        said = self.tr("Reasoning saved to {name}.").format(name=path.name)
        self._errands.run(work, lambda _: self._panel.say(said))

    def _record(self, written: tuple[ReasoningTrace, ReasoningTrace]) -> None:
        live, copied = written
        if self._asked is None or copied.interaction_id in self._over:
            return
        self._running = self._running or copied.interaction_id
        if copied.interaction_id == self._running:
            self._live = live
            self._asked.trace = copied
            self._redraw_soon()

    def _end_recording(self) -> None:
        """Keep how the trace of the question that is over ended."""
        if self._asked is not None and self._live is not None:
            self._asked.trace = _copy(self._live)
        self._over |= {self._running} - {""}
        self._running, self._live, self._asked = "", None, None

    def _choose_export(self, form: str) -> None:
        if self._turn is not None:
            title = self._turn.question
            choose_trace_export(self._panel, title, form, lambda path: self.export(form, path))

    def _redraw_soon(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw(self) -> None:
        self._redraw.stop()
        if self._turn is not None:
            timeline = timeline_of(self._turn)
            self._panel.show_timeline(timeline)
            self._turn.reasoning.show_timeline(timeline)

    def _say_failure(self, failure: BaseException) -> None:
        self._panel.say(in_sentences(failure))


def _copy(trace: ReasoningTrace) -> ReasoningTrace:
    return replace(trace, entries=list(trace.entries), fulfilled=list(trace.fulfilled))


def timeline_of(turn: Turn) -> Timeline:
    """Return the timeline of a turn as far as it is recorded."""
    if turn.trace is None:
        return Timeline(finished=not turn.running)
    return timeline_of_trace(turn.trace, scores_in(turn.events))
