"""Builds deep research out of what an open library has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.toolbox import Models
    from desktop.core.library.library import Library
    from desktop.core.library.places import ActivePlace
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.research.deep_research import DeepResearch
    from desktop.core.retrieval.text_vectors import UnitVectors
    from desktop.core.settings import Settings
    from desktop.core.store.database import Database
    from desktop.core.trace.sessions import Sessions
    from desktop.models.roles import TextEmbedder
    from knowledge.domain_shelf import DomainShelf


def make_research(
    database: Database,
    library: Library,
    embedder: TextEmbedder | None,
    settings: Settings,
    models: Models,
    domains: DomainShelf,
    notes: NoteDesk,
    place: ActivePlace,
    orchestrator: AgentOrchestrator,
    sessions: Sessions | None = None,
    vectors: UnitVectors | None = None,
) -> DeepResearch:
    """Build deep research; `orchestrator` answers when it is switched off.

    sessions: the memories that reasoning is written into. vectors: of the library's passages.
    """
    from desktop.core.answering.extractive import ExtractiveAnswerer
    from desktop.core.notes.search import NoteSearch
    from desktop.core.research.agents.cache import ReplyCache
    from desktop.core.research.deep_research import DeepResearch
    from desktop.core.retrieval.search import Searcher
    from desktop.core.retrieval.text_vectors import TokenMemo

    embedder = TokenMemo(embedder) if embedder is not None else None
    # research compares revisions, and may be limited to one of them
    every_revision = settings.retrieval.model_copy(update={"newest_revision": False})
    return DeepResearch(
        searcher=Searcher(database, embedder, every_revision, domains, vectors),
        by_words=Searcher(database, None, every_revision, domains),
        answerer=ExtractiveAnswerer(library, embedder, settings.agent),
        library=library,
        notes=notes,
        note_search=NoteSearch(notes, library),
        models=models,
        place=place,
        settings=settings.reasoning,
        ordinary=orchestrator,
        cache=ReplyCache(None if database.read_only else library.folder.research / "replies"),
        sessions=sessions,
    )
