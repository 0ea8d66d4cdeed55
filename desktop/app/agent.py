"""Builds the agent, its critic and trace, deep research and the notes of an open library."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from desktop.app.models import make_comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.agent.answer_writer import AnswerWriter
    from desktop.core.agent.compiled_programs import CompiledPrograms
    from desktop.core.agent.decision import Decider
    from desktop.core.agent.model_decider import Took
    from desktop.core.agent.model_share import ModelShare
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.tool import Tool
    from desktop.core.claims.comparison import Comparison
    from desktop.core.conversations.suggested_questions import QuestionSuggester
    from desktop.core.library.library import Library
    from desktop.core.library.places import ActivePlace
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.shared_folder import FolderKeeper
    from desktop.core.parsing.parser import Parser
    from desktop.core.paths import LibraryFolder
    from desktop.core.research.deep_research import DeepResearch
    from desktop.core.retrieval.search import Searcher
    from desktop.core.retrieval.text_vectors import UnitVectors
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.core.settings.sections import AgentSettings, KnowledgeSettings, Settings
    from desktop.core.store.database import Database
    from desktop.core.trace.session_memory import Sessions
    from desktop.models.inference_thread import InferenceThread
    from desktop.models.manager import ModelManager
    from desktop.models.roles import LanguageModel, TextEmbedder
    from knowledge.domain_shelf import DomainShelf


def make_agents(
    database: Database,
    library: Library,
    embedder: TextEmbedder | None,
    settings: Settings,
    models: ModelManager,
    parser: Parser,
    domains: DomainShelf,
    place: ActivePlace,
    notes: NoteDesk,
    programs: CompiledPrograms,
    visual_search: VisualSearcher,
    sessions: Sessions,
    vectors: UnitVectors,
    reading: InferenceThread,
) -> tuple[AgentOrchestrator, DeepResearch, Searcher]:
    """Build the agent, deep research, and what both find pages with.

    Without a language model rules decide and the manuals are quoted.

    parser: draws pages. domains: what is known about the manuals. place: where the person is.
    notes: what the site wrote down. programs: what an optimiser found for the model.
    sessions: the memories that reasoning is written into. vectors: of the library's passages.
    reading: where the built-in text models run.
    """
    from desktop.core.agent.answering.quoted_writer import QuotedWriter
    from desktop.core.agent.context import SiteKnowledge
    from desktop.core.agent.deliverables import Promises
    from desktop.core.agent.model_share import ModelShare
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.requests import RequestReader
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tools import create_tools
    from desktop.core.answering.extractive import ExtractiveAnswerer
    from desktop.core.conversations.store import Conversations
    from desktop.core.notes.entities import Asker
    from desktop.core.notes.search import NoteSearch, NotesKnown
    from desktop.core.page_drawing import LibraryDrawer
    from desktop.core.reports.contents import StoredAnswers
    from desktop.core.research.deep_research import DeepResearch
    from desktop.core.retrieval.search import Searcher
    from desktop.core.retrieval.text_vectors import TokenMemo
    from knowledge.provider import FeedConflictResolution

    embedder = TokenMemo(embedder) if embedder is not None else None
    pictures = None if settings.retrieval.pictures == "chosen" else visual_search
    searcher = Searcher(database, embedder, settings.retrieval, domains, vectors, pictures)
    answerer = ExtractiveAnswerer(library, embedder, settings.agent)
    share = ModelShare(models.language, settings.agent)
    comparison = make_comparison(reading, share.to_write)
    known = settings.knowledge

    def asker() -> Asker:
        return Asker(known.person, known.role)

    note_search = NoteSearch(notes, library, asker, embedder)

    def manual_names() -> list[str]:
        return [document.name for document in library.documents() if document.searchable]

    def has_figure(document_id: int, page: int) -> bool:
        return any(block.kind == "figure" for block in library.blocks(document_id, page))

    tools = create_tools(
        Services(
            searcher=searcher,
            answerer=answerer,
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
            reviewed=_make_review(settings, library, share, comparison),
            comparison=comparison,
        )
    )
    orchestrator = AgentOrchestrator(
        tools,
        make_decider(tools, settings.agent, share.to_decide, programs, share.decided),
        settings.agent,
        manual_names,
        domains.atlas,
        user_profile=lambda _question: settings.agent.user_profile,
        context=lambda _question: settings.agent.context,
        place=place,
        site_knowledge=SiteKnowledge(
            NotesKnown(notes, place, asker),
            FeedConflictResolution(known.conflict),
            note_search if known.notes_in_answers else None,
            known.wait_seconds,
        ),
        sessions=sessions,
        promises=Promises(RequestReader(embedder), has_figure),
        newer=library.newer_revisions,
        quotes=QuotedWriter(answerer, library),
        has_model=lambda: (share.to_decide() or share.to_write()) is not None,
    )
    # research compares revisions, and may be limited to one of them
    every_revision = settings.retrieval.model_copy(update={"newest_revision": False})
    deep_research = DeepResearch(
        searcher=Searcher(database, embedder, every_revision, domains, vectors),
        by_words=Searcher(database, None, every_revision, domains),
        answerer=answerer,
        library=library,
        notes=notes,
        note_search=note_search,
        models=models,
        place=place,
        settings=settings.reasoning,
        source_tiers=settings.source_tiers.table,
        ordinary=orchestrator,
        sessions=sessions,
        comparison=comparison,
    )
    return orchestrator, deep_research, searcher


def _make_review(
    settings: Settings, library: Library, share: ModelShare, comparison: Comparison
) -> Callable[[AnswerWriter], AnswerWriter] | None:
    """Return what has a critic review a writer's answers; None if the settings want none."""
    wanted = settings.reasoning_trace.critic
    if wanted == "off":
        return None

    def reviewed(writer: AnswerWriter) -> AnswerWriter:
        from desktop.core.agent.answering.review import ModelCritic, ReviewedWriter
        from desktop.core.claims.cited import CitedPages

        model = None if wanted == "rules" else ModelCritic(share.to_write, comparison)
        pages = CitedPages(library)
        return ReviewedWriter(writer, pages, comparison, model, always=wanted == "model")

    return reviewed


def make_decider(
    tools: Sequence[Tool],
    settings: AgentSettings,
    language_model: Callable[[], LanguageModel | None],
    programs: CompiledPrograms | None = None,
    took: Took = lambda _seconds, _ended: None,
) -> Decider:
    """Return what chooses the next step: the language model of the profile, or rules.

    language_model: for deciding, None if rules do. programs: what an optimiser found
    for the model.
    took: told how many seconds each decision of the model took, and whether it came.
    """
    from desktop.core.agent.model_decider import DSPyAsking, ModelDecider, PromptAsking
    from desktop.core.agent.rule_decider import RESPONSE, RuleDecider

    rules = RuleDecider()
    if settings.decider == "rules":
        return rules
    says_no = [tool for tool in tools if tool.name == RESPONSE]
    asking = (
        PromptAsking(says_no, tools)
        if settings.decider == "prompt"
        else DSPyAsking(says_no, programs, tools)
    )
    return ModelDecider(language_model, asking, rules, took)


def prepare(settings: Settings, database: Database) -> None:
    """Load, on its own thread, what the first question would wait a third of a second for.

    A command asks only one question, which seldom needs any of it.
    """
    if settings.reasoning_trace.enabled and not database.read_only:
        threading.Thread(target=_prepare, name="groundwork-prepares", daemon=True).start()


def _prepare() -> None:
    from desktop.core.quantities import unit_name
    from desktop.core.trace.reasoning_trace import warm_up

    warm_up()
    unit_name("V")


def make_suggester(
    database: Database,
    library: Library,
    giving_way: TextEmbedder | None,
    settings: Settings,
    domains: DomainShelf,
    vectors: UnitVectors,
) -> QuestionSuggester:
    """Build what makes questions that the manuals answer.

    giving_way: the text embedder whose work gives way to people's questions.
    """
    from desktop.core.conversations.suggested_questions import QuestionSuggester
    from desktop.core.retrieval.search import Searcher
    from desktop.core.retrieval.text_vectors import TokenMemo

    embedder = TokenMemo(giving_way) if giving_way is not None else None
    searcher = Searcher(database, embedder, settings.retrieval, domains, vectors)
    return QuestionSuggester(database, library, searcher.search)


def make_notes(
    folder: LibraryFolder,
    asking: TextEmbedder | None,
    keeping: TextEmbedder | None,
    models: ModelManager,
) -> NoteDesk:
    """Build the desk of a library's notes; its file is opened when it is needed.

    asking, keeping: the text embedders for questions and for notes; None: by words alone.
    """
    from desktop.core.notes.desk import NoteDesk, NoteVectors
    from desktop.core.retrieval.text_vectors import TokenMemo

    vectors = None
    if asking is not None and keeping is not None:
        vectors = NoteVectors(TokenMemo(asking), keeping)
    return NoteDesk(folder.knowledge, vectors, models.language, folder.check_ins)


def make_keeper(
    notes: NoteDesk, folder: LibraryFolder, known: KnowledgeSettings
) -> FolderKeeper | None:
    """Start the exchange of notes with the folder of a team, None if none is connected."""
    from desktop.core.notes.shared_folder import FolderKeeper, open_shared, shared_path

    shared = next(filter(None, map(shared_path, known.team)), None)
    if shared is None:
        return None
    return FolderKeeper(notes, open_shared(notes, folder, known.person), shared)
