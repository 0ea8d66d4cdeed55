"""The composition root: builds everything once and hands it to the window or a command.

Importing this module loads no model runtime, no PDF library and no Qt.
"""

from __future__ import annotations

import logging
import logging.handlers
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from desktop.core.paths import LibraryFolder
from desktop.core.settings.location import settings_file
from desktop.core.settings.storage import LoadedSettings, load_settings, save_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop.core.agent.compiled_programs import CompiledPrograms
    from desktop.core.agent.decision import Decider
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.tool import Tool
    from desktop.core.agent.toolbox import Models, VisualSearch
    from desktop.core.library.library import Library
    from desktop.core.library.places import ActivePlace
    from desktop.core.parsing.parser import Parser
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.core.settings import Settings
    from desktop.core.settings.sections import AgentSettings
    from desktop.core.store.database import Database
    from desktop.core.workspace import Workspace
    from desktop.models.inference_thread import InferenceThread
    from desktop.models.manager import ModelManager
    from desktop.models.roles import TextEmbedder
    from knowledge.domain_shelf import DomainShelf

logger = logging.getLogger(__name__)

LOG_BYTES, LOG_FILES = 1_000_000, 3


def open_workspace(
    folder: Path, *, read_only: bool = False, settings: Settings | None = None
) -> Workspace:
    """Open the library in `folder` with everything that works on it.

    read_only: for questions beside a window that has the library open; nothing can be
        ingested then, and the library must exist.
    settings: instead of the user's own.

    Raises: LibraryError, if the library cannot be opened.
    """
    from desktop.core.agent.compiled_programs import CompiledPrograms
    from desktop.core.conversations.store import Conversations
    from desktop.core.engine import Engine
    from desktop.core.library.ingestion import Ingestion
    from desktop.core.library.library import Library
    from desktop.core.library.places import ActivePlace
    from desktop.core.library.proposal_files import DomainProposals
    from desktop.core.store.database import Database
    from desktop.core.workspace import Workspace
    from desktop.models.inference_thread import InferenceThread, Priority
    from knowledge.domain_shelf import DomainShelf

    loaded = load_user_settings() if settings is None else LoadedSettings(settings)
    settings = loaded.settings
    with ExitStack() as building:
        database = Database.open(folder, read_only=read_only)
        building.callback(database.close)
        building.callback(start_logging(folder))
        if not read_only:
            Conversations(database).mark_interrupted()
        library = Library(database, folder)
        inference = InferenceThread()
        building.callback(inference.close)
        models = make_manager(inference, settings)
        asking, ingesting = make_embedders(inference, models)
        drawing_parser = make_parser(settings)
        building.callback(drawing_parser.close)
        ingesting_parser = drawing_parser if settings.parser.in_process else make_parser(settings)
        building.callback(ingesting_parser.close)
        if not read_only:
            warm_up(ingesting_parser)
        domains = DomainShelf(library.folder.domains, library.documents)
        ingestion = Ingestion(
            database,
            library,
            ingesting_parser,
            ingesting,
            settings.ingestion,
            when_ready=DomainProposals(library, library.folder.domains).update,
            page_embedder=lambda: models.pages(Priority.INGESTION),
        )
        visual_search = make_visual_search(database, inference, models)
        place = ActivePlace()
        programs = CompiledPrograms(library.folder.programs)
        engine = Engine()
        building.callback(engine.close)
        workspace = Workspace(
            database=database,
            library=library,
            ingestion=ingestion,
            engine=engine,
            settings=settings,
            parser=drawing_parser,
            orchestrator=make_orchestrator(
                database,
                library,
                asking,
                settings,
                models,
                drawing_parser,
                domains,
                place,
                programs,
                visual_search,
            ),
            models=models,
            domains=domains,
            place=place,
            programs=programs,
            visual_search=visual_search,
            notice=loaded.message,
            resources=building.pop_all(),
        )
    logger.info("library opened, read_only=%s", read_only)
    if loaded.message:
        logger.warning("%s", loaded.message)
    return workspace


def run_window(folder: Path, wanted: Sequence[Path] = ()) -> int:
    """Open the window on the library in `folder`; returns the exit code.

    wanted: PDF files that the library shall have; those it lacks are ingested.
    """
    from desktop.core.library.originals import hash_file
    from desktop.ui.start import run_window as run

    def open_with_wanted() -> Workspace:
        workspace = open_workspace(folder)
        known = {document.sha256 for document in workspace.library.documents()}
        lacking = [path for path in wanted if hash_file(path, _go_on) not in known]
        if lacking:
            workspace.ingestion.enqueue(lacking)
        return workspace

    return run(open_with_wanted, sys.argv[:1], folder)


def _go_on() -> None:
    """Hashing some small files is not cancelled."""


def load_user_settings() -> LoadedSettings:
    """Return the settings of this user; its message says if their file was unusable."""
    return load_settings(settings_file())


def make_manager(inference: InferenceThread, settings: Settings) -> ModelManager:
    """Look at the installed models; none is loaded. They leave when `inference` closes."""
    from desktop.models.catalogue import Catalogue
    from desktop.models.choice import Wishes
    from desktop.models.manager import ModelManager
    from desktop.models.packs.model_folder import ModelFolder

    wanted = settings.models

    def remember_profile(profile: str) -> None:
        wanted.profile = profile
        save_settings(settings_file(), settings)

    folder = ModelFolder()
    folder.sweep()  # what a killed import or removal has left
    return ModelManager(
        folder,
        Catalogue.load(),
        inference,
        wishes=Wishes(wanted.profile, wanted.by_role()),
        budget_gib=wanted.memory_gib,
        remember_profile=remember_profile,
    )


def make_embedders(
    inference: InferenceThread, models: ModelManager
) -> tuple[TextEmbedder | None, TextEmbedder | None]:
    """Return the text embedder for questions and the one for ingestion, which gives way.

    They share one model, loaded at the first use: the one that the profile names, else the
    built-in one. Without its files on this machine both are None, and search works by words
    alone.
    """
    from desktop.models.inference_thread import Priority
    from desktop.models.paired_embedder import PairedEmbedder
    from desktop.models.text_embedding import load_text_embedder, status
    from desktop.models.threaded_embedder import ThreadedEmbedder

    built_in = status().installed
    asking = ThreadedEmbedder(load_text_embedder, inference, Priority.QUESTION)
    chosen = models.text(Priority.QUESTION)
    if chosen is not None:
        return (PairedEmbedder(chosen, asking) if built_in else chosen), models.text(
            Priority.INGESTION
        )
    if not built_in:
        logger.warning("the text model is not installed: searching by words alone")
        return None, None
    return asking, asking.at(Priority.INGESTION)


def make_visual_search(
    database: Database, inference: InferenceThread, models: ModelManager
) -> VisualSearcher:
    """Build the search by how pages look; it is empty while no model for it is installed."""
    from desktop.core.retrieval.late_interaction.maxsim import NumpyScorer
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.models.page_scoring import gpu_scorer

    return VisualSearcher(database, models.pages, gpu_scorer(inference) or NumpyScorer())


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
) -> AgentOrchestrator:
    """Build the agent; without a language model rules decide and the manuals are quoted.

    parser: draws pages. domains: what is known about the manuals. place: where the person is.
    visual_search: finds pages by how they look, where there is a model for it.
    """
    from desktop.core.agent.extractive import ExtractiveAnswerer
    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.agent.toolbox import Services, create_tools
    from desktop.core.conversations.store import Conversations
    from desktop.core.page_drawing import LibraryDrawer
    from desktop.core.reports.stored_answers import StoredAnswers
    from desktop.core.retrieval.search import Searcher

    services = Services(
        searcher=Searcher(database, embedder, settings.retrieval, domains),
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
        user_profile=lambda: settings.agent.user_profile,
        context=lambda: settings.agent.context,
        place=place,
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
        PromptAsking(says_no) if settings.decider == "prompt" else DSPyAsking(says_no, programs)
    )
    return ModelDecider(models.language, asking, rules)


def make_parser(settings: Settings) -> Parser:
    """Return the parser of the settings; its process starts when it is first needed."""
    if settings.parser.in_process:
        from desktop.core.parsing.in_process import InProcessParser
        from desktop.models.text_recognition import load_text_recognizer

        return InProcessParser(settings.parser, load_text_recognizer)
    from desktop.core.parsing.process import ParserProcess

    return ParserProcess(settings.parser)


def warm_up(parser: Parser) -> None:
    """Start a parser's process in the background: the first file then waits 2 s less."""
    from desktop.core.parsing.process import ParserProcess

    if isinstance(parser, ParserProcess):
        parser.warm_up()


def start_logging(folder: Path) -> Callable[[], None]:
    """Log to a rotating file in the library; returns what stops it.

    Only our own packages write there: ids, counts and milliseconds, no text of manuals.
    A folder that cannot be written to has no log.
    """
    handler: logging.Handler
    try:
        logs = LibraryFolder(folder).logs
        logs.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            logs / "groundwork.log", maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    level = logging.DEBUG if os.environ.get("GROUNDWORK_DEBUG") else logging.INFO
    loggers = [logging.getLogger(name) for name in ("desktop", "knowledge")]
    for ours in loggers:
        ours.setLevel(level)
        ours.propagate = False
        ours.addHandler(handler)

    def stop() -> None:
        for ours in loggers:
            ours.removeHandler(handler)
        handler.close()

    return stop
