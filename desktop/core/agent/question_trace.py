"""What the agent writes into the reasoning trace of one question; nothing while it is off."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from desktop.core.events import (
    CitationEvent,
    ConfidenceEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    NoteCitationEvent,
    ResultEvent,
)
from desktop.core.notes.note import note_label
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage, confidence_of
from desktop.core.trace.session_memory import SessionMemory
from desktop.models.generation import GenerationEnd
from desktop.sentences import counted, said, template, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.core.claims.review import Correction, Finding
    from desktop.core.events import Outcome, PageRegion
    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace
    from desktop.models.generation import GenerationPart, Usage

Work = Literal["plan", "decision", "tool", "critique"]
InPrompts = Literal["off", "corrections", "all"]
_MOST_ATTACHMENTS = 10
_OUTCOMES: dict[Outcome, OutcomeStatus] = {
    "answered": OutcomeStatus.SUCCESS,
    "partial": OutcomeStatus.PARTIAL,
    "not_found": OutcomeStatus.FAILED,
    "clarification": OutcomeStatus.PARTIAL,
    "impossible": OutcomeStatus.FAILED,
    "cancelled": OutcomeStatus.SKIPPED,
    "failed": OutcomeStatus.FAILED,
}
ANSWERED = said("Answered.")
"""What the last entry says of an answer that is whole."""
NOT_FOUND = said("Not found in the manuals.")
"""What the last entry says where the manuals do not answer."""
DELIVERED = template("done: {what}")
"""What it says of each commitment that was kept, by its name in `deliverables`."""
LEARNED = "Call {action} with {done} instead of {step}."
"""What a language model is told of a call that succeeded with other inputs; nobody else is."""
_ENDS: dict[Outcome, str] = {
    "answered": ANSWERED,
    "partial": said("Answered in part."),
    "not_found": NOT_FOUND,
    "clarification": said("Asked back."),
    "impossible": said("Could not be answered."),
    "cancelled": said("Stopped by you."),
    "failed": said("Failed."),
}


def milliseconds_since(start: float) -> float:
    """Return the milliseconds since a time of `perf_counter`, to hundredths."""
    return round((perf_counter() - start) * 1000, 2)


class SpentTokens:
    """Counts by the work that a model did; models report from threads of their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent: dict[Work, list[Usage]] = {}

    def listener(self, work: Work) -> Callable[[GenerationPart], None]:
        """Return what a `LanguageProgram` tells its parts to; the end of each call is counted."""

        def take(part: GenerationPart) -> None:
            if isinstance(part, GenerationEnd):
                with self._lock:
                    self._spent.setdefault(work, []).append(part.usage)

        return take

    def taken(self, work: Work) -> dict[str, float]:
        """Return a trace entry's metrics for what was spent since the last time, {} if none."""
        with self._lock:
            calls = self._spent.pop(work, [])
        if not calls:
            return {}
        return {
            "tokens_in": sum(usage.prompt_tokens for usage in calls),
            "tokens_out": sum(usage.output_tokens for usage in calls),
        }


@dataclass(slots=True)
class ToolTrace:
    """The entry of one running tool: what its events add to it.

    thought: replaces the one that it began with; "" keeps that.
    """

    entry_id: str | None
    thought: str = ""
    evidence: list[str] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    error: str | None = None
    suggestion: str = ""

    def take(self, event: Event) -> None:
        """Note what an event of the tool says."""
        match event:
            case ResultEvent():
                self.evidence.append(event.message)
                self.metrics["hits"] = self.metrics.get("hits", 0) + len(event.objects)
                scores = [o["score"] for o in event.objects if isinstance(o.get("score"), float)]
                if scores:
                    self.metrics["score"] = max(scores)
                self.attachments += [a for o in event.objects if (a := _attachment(o)) is not None]
            case CitationEvent(source=source) | NearestPageEvent(source=source):
                self.attachments.append(page_attachment(source))
            case NoteCitationEvent(note=note):
                self.evidence.append(note_label(note))
                self.metrics["notes"] = self.metrics.get("notes", 0) + 1
            case ConfidenceEvent(reasons=reasons):
                self.evidence += reasons
            case ErrorEvent():
                self.evidence.append(event.message)
            case _:
                pass


def _attachment(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the page, region or file that an object of a result is about."""
    if isinstance(found.get("document_id"), int) and isinstance(found.get("page"), int):
        page = {
            key: found[key] for key in ("document_id", "document", "page", "label") if key in found
        }
        if found.get("regions"):
            page["regions"] = [list(box) for box in found["regions"]]
        return {"type": "region" if "regions" in page else "page", **page}
    for key in ("draft", "pdf"):
        if found.get(key):
            return {"type": "file", "path": str(found[key])}
    return None


def page_attachment(source: PageRegion) -> dict[str, Any]:
    """Return a page, or the region that is framed on it, as an entry of a trace has it."""
    return {
        "type": "region" if source.regions else "page",
        "document_id": source.document_id,
        "document": source.document,
        "page": source.page,
        "label": source.label,
        "regions": [[round(edge, 1) for edge in box.as_tuple()] for box in source.regions],
    }


class QuestionTrace:
    """The trace of one question, where the agent's parts write as things happen.

    in_prompts: how much of it a language model is told. spent: what models read and wrote.
    """

    def __init__(self, memory: SessionMemory, prompt: str, in_prompts: InPrompts = "off") -> None:
        self.memory = memory
        self.spent = SpentTokens()
        self._in_prompts = in_prompts
        self._id = memory.add_interaction(prompt)
        memory.start_reasoning_trace(self._id)

    @classmethod
    def off(cls) -> QuestionTrace:
        """Return a trace that keeps nothing."""
        return cls(SessionMemory(), "")

    @property
    def trace(self) -> ReasoningTrace | None:
        """What was written so far, None while it is off."""
        return self.memory.get_trace(self._id)

    def for_prompt(self) -> str:
        """Return what a language model is told of it, "" for nothing."""
        if self._in_prompts == "off":
            return ""
        only = self._in_prompts == "corrections"
        return self.memory.get_reasoning_summary(10, only, self._id)

    def planned(self, thought: str, commitments: Sequence[str], evidence: Sequence[str]) -> None:
        """Say what has to be delivered, before anything is done."""
        self._add(
            ReasoningStage.PLANNING,
            thought,
            evidence=evidence,
            commitments=commitments,
            outcome=OutcomeStatus.SUCCESS,
            metrics=self.spent.taken("plan"),
        )

    def decided(
        self, tool: str, reasoning: str, inputs: Mapping[str, Any], milliseconds: float
    ) -> None:
        """Say which tool was chosen and why."""
        self._add(
            ReasoningStage.PLANNING,
            reasoning,
            action=tool,
            parameters=inputs,
            outcome=OutcomeStatus.SUCCESS,
            metrics={"milliseconds": milliseconds, **self.spent.taken("decision")},
        )

    def refused(self, tool: str, inputs: Mapping[str, Any], why: str, instead: str) -> None:
        """Say that a decision was not carried out, and what to do instead."""
        self._add(
            ReasoningStage.PLANNING,
            said("Not done."),
            action=tool,
            parameters=inputs,
            outcome=OutcomeStatus.FAILED,
            error=why,
            metrics=self.spent.taken("decision"),
        )
        self.corrected(why, [instead] if instead else [])

    def began(
        self,
        tool: str,
        inputs: Mapping[str, Any],
        reasoning: str,
        stage: ReasoningStage = ReasoningStage.EXECUTION,
    ) -> ToolTrace:
        """Say that a tool or an agent runs now."""
        return ToolTrace(
            self._add(
                stage,
                reasoning or said("Running {tool}.", tool=tool),
                action=tool,
                parameters=inputs,
                outcome=OutcomeStatus.PENDING,
            )
        )

    def ended(self, tool: ToolTrace, milliseconds: float, *, finished: bool = True) -> None:
        """Say what came of a tool. finished: False if it was stopped before its end."""
        outcome = OutcomeStatus.SUCCESS if finished else OutcomeStatus.SKIPPED
        if tool.error is not None:
            outcome = OutcomeStatus.FAILED
        if tool.entry_id is not None:
            self.memory.update_reasoning_entry(
                tool.entry_id,
                **({"thought": tool.thought} if tool.thought else {}),
                outcome=outcome,
                evidence=tool.evidence,
                attachments=tool.attachments[:_MOST_ATTACHMENTS],
                error=tool.error,
                metrics={"milliseconds": milliseconds, **tool.metrics, **self.spent.taken("tool")},
            )
        if tool.error is not None and tool.suggestion:
            self.corrected(tool.error, [tool.suggestion])
        if outcome is OutcomeStatus.SUCCESS:
            self._learn(tool.entry_id)

    def verified(
        self,
        findings: Sequence[Finding],
        left: Sequence[Finding],
        checked: int,
        milliseconds: float,
        by: str,
    ) -> None:
        """Say what the critic found. left: what a correction did not mend. by: who looked."""
        thought = said(
            "Checked {many}: {found}.",
            many=counted(checked, "1 sentence", "{n} sentences"),
            found=counted(len(findings), "1 finding", "{n} findings")
            if findings
            else said("nothing to correct"),
        )
        outcome = OutcomeStatus.PARTIAL if left else OutcomeStatus.SUCCESS
        self._add(
            ReasoningStage.VERIFICATION,
            thought,
            action=by,
            evidence=[finding.message for finding in findings],
            outcome=outcome,
            metrics={
                "milliseconds": milliseconds,
                "findings": len(findings),
                "left": len(left),
                "sentences": checked,
                **self.spent.taken("critique"),
            },
        )

    def revised(self, corrections: Iterable[Correction]) -> None:
        """Say what the critic's round changed in the answer."""
        for each in corrections:
            became = (
                said("Say instead: {text}", text=each.text)
                if each.text
                else said("Do not say this.")
            )
            added = [said("Add: {text}", text=addition.quote.text) for addition in each.additions]
            self.corrected(each.reason, [*([] if added else [became]), *added])

    def corrected(self, why: str, corrections: Sequence[str]) -> None:
        """Say what was wrong and what to do otherwise."""
        if corrections:
            self._add(
                ReasoningStage.CORRECTION,
                why,
                corrections=corrections,
                outcome=OutcomeStatus.SUCCESS,
            )

    def confidence(self, answer: float) -> tuple[float, str]:
        """Return how sure the answer is, judging by its trace, and what lowered that."""
        return confidence_of(self.trace, answer)

    def finished(
        self,
        outcome: Outcome,
        delivered: Sequence[str],
        missing: Sequence[str],
        confidence: float | None,
    ) -> None:
        """Say what came of the question. delivered: commitments. missing: sentences."""
        for commitment in delivered:
            self.memory.fulfil_commitment(commitment, self._id)
        self._add(
            ReasoningStage.FINALIZATION,
            together(missing) if missing else _ENDS[outcome],
            evidence=[said(DELIVERED, what=each) for each in delivered],
            outcome=_OUTCOMES[outcome],
        )
        self.memory.finish_reasoning_trace(_OUTCOMES[outcome], confidence, self._id)

    def let_go(self, outcome: Outcome) -> None:
        """Note how the question stands, in case nobody waits for its end."""
        self.memory.finish_reasoning_trace(_OUTCOMES[outcome], None, self._id)

    def earlier(self) -> list[ReasoningTrace]:
        """Return the traces of the questions before this one in its session, oldest first."""
        return [each for each in self.memory.traces() if each.interaction_id != self._id]

    def _learn(self, entry_id: str | None) -> None:
        """Keep as a correction that a call succeeded with other inputs than it failed with."""
        trace = self.trace
        steps = trace.at_stage(ReasoningStage.EXECUTION) if trace is not None else []
        done = next((each for each in steps if each.entry_id == entry_id), None)
        for step in steps:
            if done is None or step.entry_id == entry_id:
                break
            if step.action == done.action and step.outcome is OutcomeStatus.FAILED:
                how = said(LEARNED, action=done.action, done=_inputs(done), step=_inputs(step))
                self.corrected(step.error or said("The call failed."), [how])

    def _add(self, stage: ReasoningStage, thought: str, **more: Any) -> str | None:
        return self.memory.add_reasoning_entry(stage, thought, interaction_id=self._id, **more)


def _inputs(step: ReasoningEntry) -> str:
    return json.dumps(step.parameters, ensure_ascii=False, default=str)
