"""Builds the agent out of what an open library has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.compiled_programs import CompiledPrograms
    from desktop.core.agent.decision import Decider
    from desktop.core.agent.knowing import Knowing
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.tool import Tool
    from desktop.core.agent.toolbox import Models, VisualSearch
    from desktop.core.library.library import Library
    from desktop.core.library.places import ActivePlace
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.parsing.parser import Parser
    from desktop.core.retrieval.text_vectors import UnitVectors
    from desktop.core.settings import Settings
    from desktop.core.settings.knowledge import KnowledgeSettings
    from desktop.core.settings.sections import AgentSettings
    from desktop.core.store.database import Database
    from desktop.core.trace.sessions import Sessions
    from desktop.models.roles import TextEmbedder
    from knowledge.domain_shelf import DomainShelf
    from knowledge.injection import KnowledgeSource


def make_orchestrator(
    database: Database,
    library: Library,
    embedder: TextEmbedder | None,
    settings: Settings,
    models: Models,
    parser: Parser,
    domains: DomainShelf,
    place: ActivePlace,
    programs: CompiledPrograms,
    visual_search: VisualSearch | None = None,
    notes: NoteDesk | None = None,
    knowledge_provider: KnowledgeSource = None,
    sessions: Sessions | None = None,
    vectors: UnitVectors | None = None,
) -> AgentOrchestrator:
    """Build the agent; without a language model rules decide and the manuals are quoted.

    parser: draws pages. domains: what is known about the manuals. place: where the person is.
    visual_search: finds pages by how they look, where there is a model for it. notes: what the
    site wrote down. knowledge_provider: what else is known, by info_type: none, asked with each
    question, or always the same; None for the notes. sessions: the memories that reasoning is
    written into. vectors: of the library's passages.
    """
    from desktop.app.reasoning import make_promises, make_review
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.toolbox import Services, create_tools
    from desktop.core.answering.extractive import ExtractiveAnswerer
    from desktop.core.conversations.store import Conversations
    from desktop.core.page_drawing import LibraryDrawer
    from desktop.core.reports.stored_answers import StoredAnswers
    from desktop.core.retrieval.search import Searcher
    from desktop.core.retrieval.text_vectors import TokenMemo

    embedder = TokenMemo(embedder) if embedder is not None else None
    services = Services(
        searcher=Searcher(database, embedder, settings.retrieval, domains, vectors, visual_search),
        answerer=ExtractiveAnswerer(library, embedder, settings.agent),
        shelf=library,
        agent=settings.agent,
        retrieval=settings.retrieval,
        models=models,
        library=library,
        drawer=LibraryDrawer(library, parser),
        answers=StoredAnswers(Conversations(database)),
        reports_folder=library.folder.reports,
        programs=programs,
        visual_search=visual_search,
        reviewed=make_review(settings, database, library, models),
    )
    tools = create_tools(services)

    def manual_names() -> list[str]:
        return [document.name for document in library.documents() if document.searchable]

    decider = make_decider(tools, settings.agent, models, programs)
    return AgentOrchestrator(
        tools,
        decider,
        settings.agent,
        manual_names,
        domains.atlas,
        user_profile=lambda _question: settings.agent.user_profile,
        context=lambda _question: settings.agent.context,
        place=place,
        knowing=make_knowing(settings.knowledge, notes, library, place, knowledge_provider),
        sessions=sessions,
        promises=make_promises(settings, library, models),
        newer=library.newer_revisions,
    )


def make_knowing(
    settings: KnowledgeSettings,
    notes: NoteDesk | None,
    library: Library,
    place: ActivePlace,
    provider: KnowledgeSource = None,
) -> Knowing:
    """Return what tells questions what is known beside the manuals."""
    from desktop.core.agent.knowing import Knowing
    from desktop.core.notes.known import NotesKnown
    from desktop.core.notes.search import NoteSearch
    from knowledge.injection import FeedConflictResolution

    if provider is None and notes is not None:
        provider = NotesKnown(notes, place)
    search = NoteSearch(notes, library) if notes is not None else None
    return Knowing(
        provider,
        FeedConflictResolution(settings.conflict),
        search if settings.notes_in_answers else None,
    )


def make_decider(
    tools: Sequence[Tool],
    settings: AgentSettings,
    models: Models,
    programs: CompiledPrograms | None = None,
) -> Decider:
    """Return what chooses the next step: the language model of the profile, or rules.

    programs: what an optimiser found for the model.
    """
    from desktop.core.agent.deciding.dspy_decider import DSPyAsking
    from desktop.core.agent.deciding.model_decider import ModelDecider
    from desktop.core.agent.deciding.prompt_decider import PromptAsking
    from desktop.core.agent.deciding.rule_decider import RESPONSE, RuleDecider

    rules = RuleDecider()
    if settings.decider == "rules":
        return rules
    says_no = [tool for tool in tools if tool.name == RESPONSE]
    asking = (
        PromptAsking(says_no, tools)
        if settings.decider == "prompt"
        else DSPyAsking(says_no, programs, tools)
    )
    return ModelDecider(models.language, asking, rules)
