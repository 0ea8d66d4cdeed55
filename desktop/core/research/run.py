"""One research run: what it works with, what it keeps and tells, and how it ended."""

from __future__ import annotations

import logging
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from desktop.core.agent.question_trace import milliseconds_since
from desktop.core.agent.tool_output import pieces_of
from desktop.core.events import (
    ConfidenceEvent,
    ErrorEvent,
    ResearchProgressEvent,
    ResultEvent,
    TokenEvent,
)
from desktop.core.research.iteration_log import RUNNING, IterationLogger
from desktop.core.research.proposal import NO_VALID_SOURCES
from desktop.core.research.report import with_places, with_sources
from desktop.core.research.sources import SITE, SITE_URL, Item, ResearchReport
from desktop.sentences import counted, said, template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from desktop.core.events import Event, ResearchMode, ResearchStage, ResearchState
    from desktop.core.research.handler import ResearchHandler
    from desktop.core.research.monitor import ComparedPair
    from desktop.core.research.report import CheckedReport
    from desktop.core.research.sources import Confidence, TemporalContext


logger = logging.getLogger(__name__)

FinalStatus = Literal[
    "converged", "not_converged", "timed_out", "failed", "cancelled", "no_valid_sources"
]
NOT_REVIEWED: dict[str, Any] = {
    "status": "WARN",
    "critique": said("The draft was not reviewed."),
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
    query_id: str
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
        self, handler: ResearchHandler, state: RunState, emit: Callable[[Event], None]
    ) -> None:
        self._state = state
        self._emit = emit
        self._trace = handler.trace
        self._most = handler.settings.max_iterations
        try:
            self._log = IterationLogger(state.query_id, handler.log_folder)
        except OSError as error:  # the library's folder cannot be written
            logger.warning("research is logged elsewhere: %s", type(error).__name__)
            elsewhere = Path(tempfile.mkdtemp(prefix="groundwork-research-"))
            self._log = IterationLogger(state.query_id, elsewhere)
        self._stage_now: tuple[ResearchStage, float] | None = None

    def emit(self, event: Event) -> None:
        """Tell an event to whoever is reading, and to the trace."""
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
        """The research ended early: report it for the stage that was at work."""
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


TOOL = "deep_research"
_SCORES: dict[Confidence, int] = {"High": 95, "Medium": 75, "Low": 45}
_WHY = {
    "High": template("High: {count} of {read} sources cited, {rounds}"),
    "Medium": template("Medium: {count} of {read} sources cited, {rounds}"),
    "Low": template("Low: {count} of {read} sources cited, {rounds}"),
}
_ADVICE = {
    "no_valid_sources": NO_VALID_SOURCES,
    "timed_out": template("Showing what was found so far. Allow more time in the settings."),
    "failed": template("Showing what was found so far. Try again."),
}


def report_items(state: RunState) -> list[dict[str, Any]]:
    """Return the report, or what went wrong, as one Item."""
    report, checked = state.report or {}, state.checked
    text = checked.text if checked is not None else ""
    confidence: Confidence = report.get("confidence_level", "Low")
    if checked is not None and (checked.withdrawn or state.partial):
        confidence = "Medium" if confidence == "High" and not state.partial else "Low"
    if not text:
        confidence = "Low"
    nothing = state.reason or said("Nothing was found.")
    if checked is not None:
        nothing = said("The sources do not say anything about this.")
    query = " ".join(state.query.split()) or said("no question")
    item = Item(
        url=f"{SITE_URL}/{state.query_id}",
        name=said("Research report: {query}", query=query),
        site=SITE,
        siteUrl=SITE_URL,
        score=_SCORES[confidence] if text else 0,
        description=text or nothing,
        schema_object=ResearchReport(
            mode=state.mode,
            iterations=state.iteration,
            sources_used=checked.sources if checked is not None else [],
            confidence=confidence,
            total_sources_analyzed=len(state.context),
        ),
    )
    return [item.as_dict()]


def outcome_events(state: RunState, items: list[dict[str, Any]]) -> Iterator[Event]:
    """Yield the report, its citations, what it came to, and why it ended if it ended early."""
    checked = state.checked
    settled = [each for each in state.comparisons if each.verdict != "open"]
    if state.mode == "monitor" and checked is not None:
        objects = tuple(each.as_object() for each in settled)
        counts = {
            verdict: sum(each.verdict == verdict for each in settled)
            for verdict in ("contradiction", "agreement")
        }
        yield ResultEvent(TOOL, "comparison", "comparison", objects, dict(counts))
    if checked is not None and checked.text:
        yield from checked.warnings
        yield from checked.citations
        # a chat and a printed report show plain text
        lines = [line.removeprefix("## ") for line in checked.text.split("\n")]
        for piece in pieces_of("\n".join(lines)):
            yield TokenEvent(piece)
    if state.reason:
        yield ErrorEvent(state.reason, False, _ADVICE.get(state.status or "", ""))
    metadata = {
        "query_id": state.query_id,
        "status": state.status,
        "iterations": state.iteration,
        "withdrawn": len(checked.withdrawn) if checked is not None else 0,
        "review": (state.review or {}).get("status", ""),
    }
    yield ResultEvent(TOOL, "report", "research_report", tuple(items), metadata)
    told = items[0]["schema_object"]
    counts = {"count": len(told["sources_used"]), "read": len(state.context)}
    rounds = counted(state.iteration, "1 round", "{n} rounds")
    why = said(_WHY[told["confidence"]], **counts, rounds=rounds)
    yield ConfidenceEvent(items[0]["score"] / 100, why)
