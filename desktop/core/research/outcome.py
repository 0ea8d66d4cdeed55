"""What a research hands on at its end: the Item, and the events that a person sees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop.core.events import ConfidenceEvent, ErrorEvent, ResultEvent, TokenEvent
from desktop.core.research.sources import SITE, SITE_URL, Item, ResearchReport
from desktop.core.sentences import counted, said, template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.events import Event
    from desktop.core.research.run_record import RunState
    from desktop.core.research.sources import Confidence

TOOL = "deep_research"
_WORD = re.compile(r"\s*\S+|\s+$")
_HEADING = re.compile(r"^#+ +", re.MULTILINE)
"""A chat and a printed report show plain text."""
_SCORES: dict[Confidence, int] = {"High": 95, "Medium": 75, "Low": 45}
_WHY = {
    "High": template("High: {count} of {read} sources cited, {rounds}"),
    "Medium": template("Medium: {count} of {read} sources cited, {rounds}"),
    "Low": template("Low: {count} of {read} sources cited, {rounds}"),
}
NO_VALID_SOURCES = template(
    "Choose “Discovery” below the question field, or say what your manuals are: “Tags, Trust and "
    "Revision…” in the menu of a manual."
)
"""What to do in the window; the command line says it in its own words."""
_ADVICE = {
    "no_valid_sources": NO_VALID_SOURCES,
    "timed_out": template("What was found so far is shown. Allow more time in the settings."),
    "failed": template("What was found so far is shown. Try again."),
}


def report_items(state: RunState, query_id: str) -> list[dict[str, Any]]:
    """Return the report as one Item."""
    report, checked = state.report or {}, state.checked
    text = checked.text if checked is not None else ""
    confidence: Confidence = report.get("confidence_level", "Low")
    if checked is not None and (checked.withdrawn or state.partial):
        confidence = "Medium" if confidence == "High" and not state.partial else "Low"
    if not text:
        confidence = "Low"
    item = Item(
        url=f"{SITE_URL}/{query_id}",
        name=f"Research report: {' '.join(state.query.split())}",
        site=SITE,
        siteUrl=SITE_URL,
        score=_SCORES[confidence] if text else 0,
        description=text or "The sources do not say anything about this.",
        schema_object=ResearchReport(
            mode=state.mode,
            iterations=state.iteration,
            sources_used=checked.sources if checked is not None else [],
            confidence=confidence,
            total_sources_analyzed=len(state.context),
        ),
    )
    return [item.as_dict()]


def error_items(state: RunState, query_id: str) -> list[dict[str, Any]]:
    """Return what went wrong as one Item."""
    item = Item(
        url=f"{SITE_URL}/{query_id}",
        name=f"Research report: {' '.join(state.query.split()) or 'no question'}",
        site=SITE,
        siteUrl=SITE_URL,
        score=0,
        description=state.reason or "Nothing was found.",
        schema_object=ResearchReport(
            mode=state.mode,
            iterations=state.iteration,
            sources_used=[],
            confidence="Low",
            total_sources_analyzed=len(state.context),
        ),
    )
    return [item.as_dict()]


def outcome_events(state: RunState, items: list[dict[str, Any]], query_id: str) -> Iterator[Event]:
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
        yield from checked.citations
        for piece in _WORD.findall(_HEADING.sub("", checked.text)):
            yield TokenEvent(piece)
    if state.reason:
        yield ErrorEvent(state.reason, False, _ADVICE.get(state.status or "", ""))
    metadata = {
        "query_id": query_id,
        "status": state.status,
        "iterations": state.iteration,
        "withdrawn": len(checked.withdrawn) if checked is not None else 0,
        "review": (state.review or {}).get("status", ""),
    }
    yield ResultEvent(TOOL, "report", "research_report", tuple(items), metadata)
    told = items[0]["schema_object"]
    why = _why(state, told["confidence"], told["sources_used"])
    yield ConfidenceEvent(items[0]["score"] / 100, why)


def _why(state: RunState, confidence: Confidence, sources: list[str]) -> str:
    rounds = counted(state.iteration, "1 round", "{n} rounds")
    counts = {"count": len(sources), "read": len(state.context), "rounds": rounds}
    return said(_WHY[confidence], **counts)
