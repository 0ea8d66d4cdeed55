"""How research was done, written into the reasoning trace of its question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.agent.question_trace import QuestionTrace, page_attachment
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    ErrorEvent,
    NoteCitationEvent,
    ResearchProgressEvent,
    TokenEvent,
)
from desktop.core.trace.reasoning_trace import REASONING_STAGES
from desktop.sentences import counted, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop.core.agent.question_trace import ToolTrace
    from desktop.core.events import Event, ResearchMode, ResearchStage
    from desktop.core.research.sources import ResearchSource
    from desktop.models.generation import GenerationPart

_ANSWER, _PAGE = "answer", "cite_page"
_PROMISED = {_ANSWER: said("a report"), _PAGE: said("the pages and notes it is based on")}


class ResearchTrace:
    """Follows the events of one research run; hears from its agents what the events omit."""

    def __init__(self, trace: QuestionTrace | None = None) -> None:
        """Begin. trace: of the question; None keeps nothing."""
        self._trace = trace or QuestionTrace.off()
        self._running: ToolTrace | None = None
        self._delivered: dict[str, None] = {}
        self._confidence: float | None = None
        self._failed = ""
        self._over = False

    def spent_by_agents(self) -> Callable[[GenerationPart], None]:
        """Return what a `LanguageProgram` tells its parts to: tokens of the stage at work."""
        return self._trace.spent.listener("tool")

    def planned(self, mode: ResearchMode, temporal: str) -> None:
        """Say what the research has to deliver, and from which sources."""
        thought = said("Research in {mode} mode: draft, check, write a report.", mode=said(mode))
        of_when = [said("only sources from: {when}", when=temporal)] if temporal else []
        self._trace.planned(thought, list(_PROMISED), [*_PROMISED.values(), *of_when])

    def found(self, sources: Iterable[ResearchSource]) -> None:
        """Keep the pages that the stage at work found."""
        if self._running is not None:
            pages = (each.evidence.region(()) for each in sources if each.note is None)
            self._running.attachments += map(page_attachment, pages)

    def replied(self, agent: ResearchStage, reply: Mapping[str, Any]) -> None:
        """Keep how the agent at work reasoned, and what it objects to."""
        if self._running is None:
            return
        if agent == "analyst":
            self._running.thought = str(reply.get("reasoning_chain", ""))
            self._running.evidence += map(str, reply.get("new_queries", ()))
        elif agent == "critic":
            gaps = list(reply.get("logical_gaps", ()))
            self._running.evidence += gaps
            self._running.metrics["findings"] = len(gaps)

    def objected(self, review: Mapping[str, Any]) -> None:
        """Say what the critic wants done differently, after its own entry."""
        if review["status"] == "REJECT":
            advice = review["suggestions"] or review["logical_gaps"]
            why = review["critique"] or said("The critic rejected the draft.")
            self._trace.corrected(why, advice)

    def take(self, event: Event) -> None:
        """Write down what an event of the research says; each is to be told once."""
        match event:
            case ResearchProgressEvent(state="started"):
                inputs = {"iteration": event.iteration} if event.iteration else {}
                stage = REASONING_STAGES[event.stage]
                self._running = self._trace.began(event.stage, inputs, event.message, stage)
            case ResearchProgressEvent():
                self._end(event)
            case ErrorEvent():
                self._failed = self._failed or event.message
            case TokenEvent():
                self._delivered[_ANSWER] = None
            case CitationEvent() | NoteCitationEvent():
                self._delivered[_PAGE] = None
            case ConfidenceEvent():
                self._confidence = event.value
            case ClarificationEvent():
                self._failed = event.question
            case CompleteEvent():
                self._over = True
                delivered = [each for each in _PROMISED if each in self._delivered]
                rounds = counted(event.steps, "1 round", "{n} rounds")
                told = self._failed or said("The report was written in {rounds}.", rounds=rounds)
                self._trace.finished(event.outcome, delivered, [told], self._confidence)
            case _:
                pass

    def let_go(self) -> None:
        """Note that nobody is waiting for the end, unless it has come."""
        if not self._over:
            self._trace.let_go("cancelled")

    def _end(self, event: ResearchProgressEvent) -> None:
        running, self._running = self._running, None
        if running is None:
            return
        if event.state == "done" and running.thought:
            running.evidence.insert(0, event.message)
        elif event.state == "done":
            running.thought = event.message
        elif event.state != "cancelled":
            running.error = event.message
        self._trace.ended(running, event.milliseconds, finished=event.state != "cancelled")
