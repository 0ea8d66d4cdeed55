"""The timeline of a question whose trace was not recorded, read off its events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    DecisionEvent,
    ErrorEvent,
    NearestPageEvent,
    PageRegion,
    ResearchProgressEvent,
    ResultEvent,
    RevisionEvent,
    StatusEvent,
)
from desktop.core.geometry import Box
from desktop.core.research.run import REASONING_STAGES
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from desktop.ui import wording
from desktop.ui.language import told
from desktop.ui.trace.step import Evidence, Step, Timeline, input_name, input_value, tool_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.core.events import Event, ResearchStage

LONGEST = 300
_ENDED = {
    "answered": OutcomeStatus.SUCCESS,
    "partial": OutcomeStatus.PARTIAL,
    "not_found": OutcomeStatus.SUCCESS,
    "clarification": OutcomeStatus.SUCCESS,
    "impossible": OutcomeStatus.FAILED,
    "cancelled": OutcomeStatus.SKIPPED,
    "failed": OutcomeStatus.FAILED,
}


def timeline_of_events(events: Iterable[Event]) -> Timeline:
    """Return the timeline of a question as its events told it."""
    steps: list[Step] = []
    cited: list[Evidence] = []
    summary, finished = "", False
    for event in events:
        match event:
            case DecisionEvent():
                steps.append(_decision(event))
            case ResultEvent(payload_type="research_report"):
                pass  # the answer itself
            case ResultEvent():
                steps.append(_result(event))
            case StatusEvent():
                _say(steps, told(event.message))
            case ErrorEvent():
                steps.append(_error(event))
            case RevisionEvent():
                steps.append(_revision(event))
            case ClarificationEvent():
                steps.append(
                    Step(ReasoningStage.FINALIZATION, told(event.question), details=event.options)
                )
            case CitationEvent() | NearestPageEvent():
                cited.append(Evidence(event.source))
            case ConfidenceEvent():
                says = _tr("chance of {n} %: {reason}")
                _say(steps, says.format(n=round(event.value * 100), reason=told(event.reason)))
                for reason in event.reasons:
                    _say(steps, told(reason))
            case ResearchProgressEvent():
                _progress(steps, event)
            case CompleteEvent():
                finished, summary = True, ending(event)
                steps.append(_complete(event, cited))
            case _:
                pass
    return Timeline(tuple(steps), (), summary, finished)


def scores_in(events: Iterable[Event]) -> dict[tuple[int, int], tuple[float, tuple[str, ...]]]:
    """Return how a search scored each page (document id, page), and what found it."""
    found: dict[tuple[int, int], tuple[float, tuple[str, ...]]] = {}
    for event in events:
        for each in event.objects if isinstance(event, ResultEvent) else ():
            evidence = _evidence(each)
            if evidence is not None and evidence.score is not None:
                key = (evidence.place.document_id, evidence.place.page)
                found.setdefault(key, (evidence.score, evidence.found_by))
    return found


def ending(event: CompleteEvent) -> str:
    """Return how a question ended, in a few words: "answered in 2 steps, 1.2 s"."""
    names = {
        "answered": _tr("answered"),
        "partial": _tr("answered in part"),
        "not_found": _tr("not in the manuals"),
        "clarification": _tr("asked back"),
        "impossible": _tr("cannot be answered"),
        "cancelled": _tr("stopped"),
        "failed": _tr("failed"),
    }
    steps = _tr("1 step") if event.steps == 1 else _tr("{n} steps").format(n=event.steps)
    return _tr("{outcome} in {steps}, {time}").format(
        outcome=names[event.outcome], steps=steps, time=wording.duration(event.milliseconds)
    )


def place_of(found: Mapping[str, Any]) -> PageRegion | None:
    """Read the page of a result's object; None when it is not a page."""
    try:
        boxes = tuple(Box(*map(float, corners)) for corners in found.get("regions", ()))
        return PageRegion(
            int(found["document_id"]),
            str(found.get("document", "")),
            int(found["page"]),
            str(found.get("label", "")),
            boxes,
        )
    except (KeyError, TypeError, ValueError):
        return None


def inputs_of(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the inputs of a tool as they are shown."""
    return tuple(
        (input_name(str(name)), input_value(value)[:LONGEST]) for name, value in values.items()
    )


def _decision(event: DecisionEvent) -> Step:
    return Step(
        ReasoningStage.PLANNING,
        tool_name(event.tool),
        thought=told(event.reasoning),
        inputs=inputs_of(event.inputs),
        milliseconds=event.milliseconds,
    )


def _result(event: ResultEvent) -> Step:
    count = len(event.objects)
    found = _tr("1 result") if count == 1 else _tr("{n} results").format(n=count)
    evidence = [each for each in map(_evidence, event.objects) if each is not None]
    scores = [each.score for each in evidence if each.score is not None]
    return Step(
        ReasoningStage.EXECUTION,
        f"{tool_name(event.tool)}: {found}",
        details=(told(event.message),) if event.message else (),
        evidence=tuple(evidence),
        milliseconds=event.milliseconds or None,
        score=max(scores, default=None),
    )


def _evidence(found: Mapping[str, Any]) -> Evidence | None:
    place = place_of(found)
    if place is None:
        return None
    score = found.get("score")
    by = found.get("found_by") or ()
    return Evidence(
        place,
        float(score) if isinstance(score, int | float) else None,
        tuple(map(str, by)) if isinstance(by, list | tuple) else (),
    )


def _error(event: ErrorEvent) -> Step:
    goes_on = (_tr("The agent goes on and chooses again."),) if event.recoverable else ()
    return Step(
        ReasoningStage.EXECUTION,
        tool_name(event.tool) if event.tool else _tr("Problem"),
        OutcomeStatus.FAILED,
        error=told(event.message),
        details=tuple(filter(None, (told(event.suggestion), *goes_on))),
    )


def _revision(event: RevisionEvent) -> Step:
    says = told(event.reason)[:LONGEST]
    if not says and event.new:
        marked = _tr("marked: the cited pages do not say {what}")
        says = marked.format(what=", ".join(event.unsupported)[:LONGEST])
    corrected = (event.new[:LONGEST],) if event.new and event.new != event.old else ()
    return Step(
        ReasoningStage.CORRECTION,
        says or _tr("withdrawn: the manuals do not say this"),
        details=(event.old[:LONGEST],),
        corrections=corrected,
    )


def _progress(steps: list[Step], event: ResearchProgressEvent) -> None:
    stage, title = REASONING_STAGES[event.stage], research_stage(event.stage, event.iteration)
    running = steps[-1] if steps and steps[-1].outcome is OutcomeStatus.PENDING else None
    if event.state == "started":
        steps.append(Step(stage, title, OutcomeStatus.PENDING, details=(told(event.message),)))
        return
    outcome = OutcomeStatus.SUCCESS if event.state == "done" else OutcomeStatus.FAILED
    if event.state == "cancelled":
        outcome = OutcomeStatus.SKIPPED
    said = told(event.message)
    ended = Step(stage, title, outcome, details=(said,), milliseconds=event.milliseconds)
    if running is not None and running.title == title:
        steps[-1] = ended
    else:
        steps.append(ended)


def research_stage(stage: ResearchStage, iteration: int) -> str:
    """Return what a stage of a research is called. iteration: its round, 0 before the first."""
    names = {
        "gather": _tr("Search manuals and notes"),
        "filter": _tr("Choose the sources"),
        "analyst": _tr("Read and draft"),
        "search": _tr("Search what is missing"),
        "critic": _tr("Check the draft"),
        "writer": _tr("Write the report"),
    }
    if iteration == 0:
        return names[stage]
    return _tr("{stage}, round {n}").format(stage=names[stage], n=iteration)


def _complete(event: CompleteEvent, cited: list[Evidence]) -> Step:
    return Step(
        ReasoningStage.FINALIZATION,
        ending(event),
        _ENDED[event.outcome],
        details=tuple(map(told, event.missing)),
        evidence=tuple(dict.fromkeys(cited)),
        milliseconds=event.milliseconds,
    )


def _say(steps: list[Step], text: str) -> None:
    """Add a line to the step that is running."""
    if steps:
        steps[-1] = replace(steps[-1], details=(*steps[-1].details, text))
    else:
        steps.append(Step(ReasoningStage.PLANNING, text))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Trace", text)
