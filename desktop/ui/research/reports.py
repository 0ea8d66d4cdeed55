"""What the events of a research tell of its report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.events import ResearchProgressEvent, ResultEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event

TOOL = "deep_research"


@dataclass(frozen=True, slots=True)
class Compared:
    """A statement of the site beside the maker's. agrees: whether they say the same."""

    site: str
    maker: str
    agrees: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """mode, rounds, confidence ("High"), sources: names of what is cited. read: how many there
    were. status: as the research ended. compared: of a monitoring research.
    """

    mode: str = ""
    rounds: int = 0
    confidence: str = ""
    sources: tuple[str, ...] = ()
    read: int = 0
    status: str = ""
    compared: tuple[Compared, ...] = ()


def is_report(event: Event) -> bool:
    """Whether an event hands over the report of a research."""
    return isinstance(event, ResultEvent) and event.payload_type == "research_report"


def report_facts(events: Iterable[Event]) -> ReportFacts:
    """Return what is known of a research's report."""
    facts: dict[str, Any] = {}
    for event in events:
        if not isinstance(event, ResultEvent) or event.tool != TOOL:
            continue
        if event.payload_type == "comparison":
            facts["compared"] = tuple(map(_compared, event.objects))
        elif event.objects:
            told = event.objects[0].get("schema_object") or {}
            facts |= {
                "mode": str(told.get("mode", "")),
                "rounds": int(told.get("iterations", 0)),
                "confidence": str(told.get("confidence", "")),
                "sources": tuple(map(str, told.get("sources_used", ()))),
                "read": int(told.get("total_sources_analyzed", 0)),
                "status": str(event.metadata.get("status") or ""),
            }
    return ReportFacts(**facts)


def research_mode(events: Iterable[Event]) -> str:
    """Return the mode of a stored research, "" of an ordinary question."""
    events = list(events)
    mode = report_facts(events).mode
    if mode or not any(isinstance(event, ResearchProgressEvent) for event in events):
        return mode
    return "discovery"  # it ended before it could say so


def _compared(found: dict[str, Any]) -> Compared:
    return Compared(
        str(found.get("site_statement", "")),
        str(found.get("official_statement", "")),
        found.get("verdict") == "agreement",
        str(found.get("reason", "")),
    )
