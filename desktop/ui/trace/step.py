"""One line of the timeline, whoever told it: the recorded trace or the events of the question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from desktop.core.events import PageRegion


@dataclass(frozen=True, slots=True)
class Evidence:
    """A page that a step found. score: of the search, None without one. found_by: by which."""

    place: PageRegion
    score: float | None = None
    found_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """inputs: of a tool, by name. details: what was found or said, a line each.

    corrections: what to do otherwise. tokens: read and written by a language model.
    """

    stage: ReasoningStage
    title: str
    outcome: OutcomeStatus = OutcomeStatus.SUCCESS
    thought: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    details: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    milliseconds: float | None = None
    tokens: tuple[int, int] | None = None
    score: float | None = None
    error: str = ""

    def has(self, needle: str) -> bool:
        """Whether each word of `needle` stands somewhere in the step; case does not count."""
        text = "\n".join(self._texts()).casefold()
        return all(word in text for word in needle.casefold().split())

    def _texts(self) -> list[str]:
        found = [stage_name(self.stage), self.title, self.thought, self.error]
        found += [f"{name}: {value}" for name, value in self.inputs]
        found += [*self.details, *self.corrections]
        found += [f"{each.place.document} {each.place.label}" for each in self.evidence]
        return found


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of a question, and what was promised with whether it was kept.

    asked_back: it ended with a question of the agent's, so what was promised may still come.
    not_found: it was looked for everything, and the manuals do not answer.
    """

    steps: tuple[Step, ...] = ()
    promises: tuple[tuple[str, bool], ...] = ()
    summary: str = ""
    finished: bool = field(default=False)
    asked_back: bool = field(default=False)
    not_found: bool = field(default=False)


def stage_name(stage: ReasoningStage) -> str:
    """Return what a stage is called in the window."""
    match stage:
        case ReasoningStage.PLANNING:
            return _tr("Plan")
        case ReasoningStage.EXECUTION:
            return _tr("Done")
        case ReasoningStage.VERIFICATION:
            return _tr("Check")
        case ReasoningStage.CORRECTION:
            return _tr("Correct")
        case ReasoningStage.FINALIZATION:
            return _tr("Finish")


def outcome_name(outcome: OutcomeStatus) -> str:
    """Return how the end of a step is said."""
    match outcome:
        case OutcomeStatus.PENDING:
            return _tr("running")
        case OutcomeStatus.SUCCESS:
            return _tr("done")
        case OutcomeStatus.PARTIAL:
            return _tr("in part")
        case OutcomeStatus.FAILED:
            return _tr("failed")
        case OutcomeStatus.SKIPPED:
            return _tr("skipped")


def promise_name(commitment: str) -> str:
    """Return how a commitment of the trace is said."""
    names = {
        "answer": _tr("answer"),
        "cite_page": _tr("cite the page"),
        "show_figure": _tr("show the figure"),
        "list_all_steps": _tr("list all steps"),
        "export_report": _tr("write a report"),
        "draft_email": _tr("draft an e-mail"),
        "job_sheet": _tr("write a job sheet"),
    }
    return names.get(commitment, commitment.replace("_", " "))


def tool_name(name: str) -> str:
    """Return what a tool is called in the window; one that was added later, by its own name."""
    names = {
        "ask_clarification": _tr("Asked which one is meant"),
        "colqwen_visual_search": _tr("Searched the pictures of the pages"),
        "deep_research": _tr("Researched"),
        "draft_email": _tr("Drafted an e-mail"),
        "job_sheet": _tr("Wrote a job sheet"),
        "export_report": _tr("Wrote the report"),
        "fast_vector_search": _tr("Searched your manuals"),
        "list_manuals": _tr("Looked which manuals there are"),
        "read_page": _tr("Read a page"),
        "summarize": _tr("Kept the best of what was found"),
        "text_response": _tr("Wrote the answer"),
        "visual_interpretation": _tr("Looked at the page"),
    }
    return names.get(name, name.replace("_", " ").capitalize())


def input_name(name: str) -> str:
    """Return what an input of a tool is called; one that is not known, by its own name."""
    names = {
        "answers_back": _tr("answers_back"),
        "as_answer": _tr("as_answer"),
        "document": _tr("document"),
        "iteration": _tr("iteration"),
        "limit": _tr("limit"),
        "max_summary_tokens": _tr("max_summary_tokens"),
        "mode": _tr("mode"),
        "note": _tr("note"),
        "options": _tr("options"),
        "page": _tr("page"),
        "query": _tr("query"),
        "question": _tr("question"),
        "recipient": _tr("recipient"),
        "subject": _tr("subject"),
    }
    return names.get(name, name)


def input_value(value: object) -> str:
    """Return an input as it is shown."""
    if isinstance(value, bool):
        return _tr("True") if value else _tr("False")
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return str(value)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Trace", text)
