"""A research of scripted parts: sources, a finder, and replies of agents as a model writes them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from desktop.core.events import NoteSource
from desktop.core.jobs import CancelToken
from desktop.core.page_words import PageWords
from desktop.core.research.handler import ResearchHandler
from desktop.core.research.sources import ResearchSource, note_source
from desktop.core.settings.sections import ReasoningSettings
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.searcher import page_found

if TYPE_CHECKING:
    from pathlib import Path


def page(
    text: str, number: int = 4, *, tier: int = 1, document: str = "pump.pdf"
) -> ResearchSource:
    """Return a page of a manual of a tier."""
    kind = {1: "manual", 2: "bulletin", 3: "training", 4: "site note", 5: "unverified"}[tier]
    found = page_found(text, number, document_id=hash(document) % 1000, document=document)
    return ResearchSource(found, tier, kind)


def note(text: str, piece_id: str = "n1", tier: int = 4) -> ResearchSource:
    """Return a note of the site."""
    return note_source(NoteSource(piece_id, text[:20], "fitter", "2026-05-01", tier=tier), text)


class FakeFinder:
    """Finds what was laid out for a query, and nothing else."""

    def __init__(self, **found: list[ResearchSource]) -> None:
        self.queries: list[str] = []
        self.found = {query.replace("_", " "): sources for query, sources in found.items()}

    def find(self, query: str, limit: int) -> list[ResearchSource]:
        self.queries.append(query)
        return self.found.get(query, [])[:limit]


class SlowAnswerer(FakeAnswerer):
    """Takes its time."""

    def answer(self, question, evidence):
        time.sleep(0.4)
        return super().answer(question, evidence)


def handler(
    folder: Path,
    *sources: ResearchSource,
    model: Any = None,
    finder: FakeFinder | None = None,
    cancel: CancelToken | None = None,
    answerer: Any = None,
    warnings: Any = lambda _: (),
    **settings: Any,
) -> tuple[ResearchHandler, list[dict[str, Any]]]:
    """Return what an orchestrator may use, and the items it starts with."""
    made = ResearchHandler(
        find=(finder or FakeFinder()).find,
        answerer=answerer or FakeAnswerer(),
        warnings=warnings,
        page_words=lambda _document, _page: PageWords.empty(),
        log_folder=folder,
        language=lambda: model,
        settings=ReasoningSettings(**settings),
        cancel=cancel or CancelToken(),
    )
    return made, [source.item() for source in made.sources.add(sources)]


def analyst(draft: str = "", queries: tuple[str, ...] = ()) -> str:
    """Return what an analyst writes: a draft, or what it lacks."""
    return json.dumps(
        {
            "reasoning_chain": "I read the sources.",
            "status": "SEARCH_REQUIRED" if queries else "DRAFT_READY",
            "new_queries": list(queries),
            "draft": draft,
        }
    )


def critic(status: str = "PASS", *gaps: str) -> str:
    """Return what a critic writes."""
    return json.dumps(
        {
            "critique": "I compared it.",
            "logical_gaps": list(gaps),
            "suggestions": [],
            "mode_compliance": "符合",
            "status": status,
        }
    )


def writer(report: str, confidence: str = "High") -> str:
    """Return what a writer writes."""
    return json.dumps(
        {"final_report": report, "sources_used": ["Pump"], "confidence_level": confidence}
    )
