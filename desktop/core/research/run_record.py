"""Where one research stands, and what it tells while it runs: events, files, its trace."""

from __future__ import annotations

import logging
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from desktop.core.agent.question_trace import milliseconds_since
from desktop.core.events import ResearchProgressEvent
from desktop.core.research.draft import with_places, with_sources
from desktop.core.research.iteration_log import RUNNING, IterationLogger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.core.events import Event, ResearchMode, ResearchStage, ResearchState
    from desktop.core.research.handler import ResearchHandler
    from desktop.core.research.monitor import ComparedPair
    from desktop.core.research.report import CheckedReport
    from desktop.core.research.source_filter import TemporalContext

logger = logging.getLogger(__name__)

FinalStatus = Literal[
    "converged", "not_converged", "timed_out", "failed", "cancelled", "no_valid_sources"
]
NOT_REVIEWED: dict[str, Any] = {
    "status": "WARN",
    "critique": "The draft was not reviewed.",
    "suggestions": [],
    "mode_compliance": "符合",
    "logical_gaps": [],
}


@dataclass
class RunState:
    """context: the filtered sources, numbered from 1. iteration: from 1, 0 before the first one.

    status: None while it runs. reason: why it ended early, a sentence, "" if it did not.
    """

    query: str
    mode: ResearchMode
    temporal: TemporalContext
    context: list[dict[str, Any]] = field(default_factory=list)
    iteration: int = 0
    draft: str = ""
    review: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    checked: CheckedReport | None = None
    comparisons: tuple[ComparedPair, ...] = ()
    searched: list[str] = field(default_factory=list)
    status: FinalStatus | None = None
    reason: str = ""

    @property
    def partial(self) -> bool:
        """Whether it ended before it was done."""
        return self.status in ("timed_out", "failed", "cancelled")


class RunRecord:
    """A stage begins, replies and ends; a disk that refuses any of it does not end the research."""

    def __init__(
        self,
        handler: ResearchHandler,
        state: RunState,
        emit: Callable[[Event], None],
        query_id: str,
    ) -> None:
        self._state = state
        self._emit = emit
        self._trace = handler.trace
        self._most = handler.settings.max_iterations
        self._log = _log_of(query_id, handler.log_folder)
        self._stage_now: tuple[ResearchStage, float] | None = None

    @property
    def query_id(self) -> str:
        """Names the folder of the log."""
        return self._log.query_id

    def emit(self, event: Event) -> None:
        """Tell an event to whoever reads, and to the trace."""
        self._trace.take(event)
        self._emit(event)

    def begin(self, stage: ResearchStage, message: str) -> None:
        """A stage is at work from now on."""
        self._stage_now = (stage, perf_counter())
        self._progress(stage, "started", message, 0.0)

    def tell(self, stage: ResearchStage, how: ResearchState, message: str) -> None:
        """A stage is over. how: done, or why not."""
        begun = self._stage_now[1] if self._stage_now else perf_counter()
        self._stage_now = None
        self._progress(stage, how, message, milliseconds_since(begun))
        self.summarise(RUNNING)

    def ended(self, how: ResearchState, reason: str) -> None:
        """The research ended early: tell it of the stage that was at work."""
        if self._stage_now is not None:
            self.tell(self._stage_now[0], how, reason)

    def replied(
        self, stage: ResearchStage, told: Mapping[str, Any], reply: Mapping[str, Any]
    ) -> None:
        """Write down what the stage at work was told, and what it replied."""
        state = self._state
        self._trace.replied(stage, reply)
        self._kept(
            self._log.log_agent_output,
            max(1, state.iteration),
            stage,
            told,
            reply,
            {"mode": state.mode},
        )

    def summarise(self, status: str) -> None:
        """Write down how the research stands."""
        state = self._state
        self._kept(
            self._log.log_summary,
            state.iteration,
            status,
            state.mode,
            {
                "query": state.query,
                "reason": state.reason,
                "sources": len(state.context),
                "searched": state.searched,
                "review": (state.review or {}).get("status", ""),
            },
        )

    def keep_draft(self, draft: str) -> None:
        """Keep what could be reported if nothing came after this."""
        self._kept(self._log.keep_partial, with_sources(draft, self._state.context))

    def keep_report(self, report: CheckedReport) -> None:
        """Keep the report as it is shown."""
        self._kept(self._log.keep_partial, with_places(report))

    def _progress(
        self, stage: ResearchStage, how: ResearchState, message: str, milliseconds: float
    ) -> None:
        iteration = self._state.iteration
        self.emit(ResearchProgressEvent(iteration, self._most, stage, how, message, milliseconds))

    def _kept(self, write: Callable[..., object], *values: object) -> None:
        try:
            write(*values)
        except OSError as error:
            logger.warning("a step of research was not kept: %s", type(error).__name__)


def _log_of(query_id: str, folder: Path) -> IterationLogger:
    """Return the log; in a temporary folder if the library's cannot be written."""
    try:
        return IterationLogger(query_id, folder)
    except OSError as error:
        logger.warning("research is logged elsewhere: %s", type(error).__name__)
        return IterationLogger(query_id, Path(tempfile.mkdtemp(prefix="groundwork-research-")))
