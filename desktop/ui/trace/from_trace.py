"""The timeline of a recorded trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop.core.agent.question_trace import NOT_FOUND
from desktop.core.research.run import REASONING_STAGES
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from desktop.ui.language import told
from desktop.ui.trace.from_events import inputs_of, place_of, research_stage
from desktop.ui.trace.step import Evidence, Step, Timeline, promise_name, tool_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace

    Scores = Mapping[tuple[int, int], tuple[float, tuple[str, ...]]]

_ASKING_BACK = "ask_clarification"
"""The tool that ends a question by asking one."""
_DELIVERED = "delivered: "
"""How the last entry of a trace begins to name what was delivered."""


def timeline_of_trace(trace: ReasoningTrace, scores: Scores, summary: str = "") -> Timeline:
    """Return the timeline of a trace.

    scores: of pages, which a trace keeps only the best of. summary: how the question ended.
    """
    entries = trace.entries
    steps = [_step(entry, scores) for entry in entries]
    chosen = {at for at in range(len(entries) - 1) if _repeats(entries[at], entries[at + 1])}
    steps = [step for at, step in enumerate(steps) if at not in chosen]  # the tool says the same
    promises = tuple((promise_name(each), each in trace.fulfilled) for each in trace.commitments)
    finished = trace.outcome is not OutcomeStatus.PENDING
    asked_back = any(each.action == _ASKING_BACK for each in entries)
    not_found = bool(entries) and entries[-1].thought == NOT_FOUND
    return Timeline(tuple(steps), promises, summary, finished, asked_back, not_found)


def _repeats(before: ReasoningEntry, entry: ReasoningEntry) -> bool:
    return (
        before.stage is ReasoningStage.PLANNING
        and entry.stage is ReasoningStage.EXECUTION
        and before.action == entry.action
        and before.thought == entry.thought
    )


def _step(entry: ReasoningEntry, scores: Scores) -> Step:
    metrics = entry.metrics
    tokens = None
    if "tokens_in" in metrics or "tokens_out" in metrics:
        tokens = (int(metrics.get("tokens_in", 0)), int(metrics.get("tokens_out", 0)))
    evidence, files = _attached(entry.attachments, scores)
    title, thought = _title(entry)
    return Step(
        entry.stage,
        title,
        entry.outcome,
        thought=thought,
        inputs=inputs_of(entry.parameters),
        details=(*map(_detail, entry.evidence), *files),
        corrections=tuple(map(told, entry.corrections)),
        evidence=tuple(evidence),
        milliseconds=metrics.get("milliseconds"),
        tokens=tokens,
        score=metrics.get("score"),
        error=told(entry.error or ""),
    )


def _title(entry: ReasoningEntry) -> tuple[str, str]:
    """Return the head of a step, and the thought that is left to say below it."""
    if entry.action in REASONING_STAGES:  # an agent of a research
        round_now = int(entry.parameters.get("iteration", 0))
        return research_stage(entry.action, round_now), told(entry.thought)
    if entry.action is None or entry.stage is ReasoningStage.VERIFICATION:
        return told(entry.thought), ""
    if entry.stage is ReasoningStage.PLANNING:
        return tool_name(entry.action), told(entry.thought)
    return tool_name(entry.action), told(entry.thought)


def _detail(text: str) -> str:
    """Return a line of evidence as it is told here; a commitment stands in one by its name."""
    if not text.startswith(_DELIVERED):
        return told(text)
    name = promise_name(text.removeprefix(_DELIVERED))
    return _tr("delivered: {what}").format(what=name)


def _attached(
    attachments: Sequence[Mapping[str, Any]], scores: Scores
) -> tuple[list[Evidence], list[str]]:
    """Return the pages, each once, and the files that a step found or made."""
    pages: dict[tuple[int, int], Evidence] = {}
    files = []
    for each in attachments:
        if each.get("type") == "file":
            files.append(_tr("file: {name}").format(name=each.get("path", "")))
            continue
        place = place_of(each)
        if place is None:
            continue
        key = (place.document_id, place.page)
        if key not in pages or (place.regions and not pages[key].place.regions):
            score, by = scores.get(key, (None, ()))
            pages[key] = Evidence(place, score, by)
    return list(pages.values()), files


def _tr(text: str) -> str:
    return QCoreApplication.translate("Trace", text)
