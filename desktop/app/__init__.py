"""The composition root: builds everything once and hands it to the window or a command.

Importing this module loads no model runtime, no PDF library, no Qt and no pydantic: the window
is painted before it needs the settings.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from contextlib import ExitStack, closing, contextmanager, nullcontext
from typing import TYPE_CHECKING

from desktop.app.agent import (
    make_agents,
    make_decider,
    make_keeper,
    make_notes,
    make_suggester,
    prepare,
)
from desktop.app.models import (
    make_embedders,
    make_manager,
    make_parser,
    make_text_model,
    make_visual_search,
    warm_up,
)
from desktop.core.paths import LibraryFolder
from desktop.core.settings.file import settings_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop.core.settings.sections import Settings
    from desktop.core.settings.storage import LoadedSettings
    from desktop.core.workspace import Workspace

__all__ = [
    "load_user_settings",
    "logging_to",
    "make_decider",
    "make_embedders",
    "make_manager",
    "make_parser",
    "make_text_model",
    "open_workspace",
    "run_window",
]

LOG_BYTES, LOG_FILES = 1_000_000, 3


@contextmanager
def logging_to(folder: Path) -> Iterator[None]:
    """Log to a rotating file in the library, and keep developer messages off the terminal.

    Only our own packages write there: ids, counts and milliseconds, no text of manuals.
    A folder that cannot be written to has no log.
    """
    from logging.handlers import RotatingFileHandler  # not above: the window is painted before

    handler: logging.Handler
    try:
        logs = LibraryFolder(folder).logs
        logs.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
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
    try:
        yield
    finally:
        for ours in loggers:
            ours.removeHandler(handler)
        handler.close()


logger = logging.getLogger(__name__)


def open_workspace(
    folder: Path,
    *,
    read_only: bool = False,
    settings: Settings | None = None,
    soon_asked: bool = False,
) -> Workspace:
    """Open the library in `folder` with everything that works on it.

    read_only: for questions beside a window that has the library open; nothing can be
        ingested then, and the library must exist.
    settings: used instead of the user's own.
    soon_asked: a question comes next, so load the text model while the library opens.

    Raises: LibraryError, if the library cannot be opened.
    """
    from desktop.models.inference_thread import InferenceThread

    with ExitStack() as building:
        # the built-in text models have their own: quoting must not wait for a prompt being read
        reading = InferenceThread("reading")
        building.callback(reading.close)
        built_in = make_text_model(reading, soon_asked=soon_asked)
        # only now: these take as long as the text model, which is read meanwhile
        from desktop.core.settings.storage import LoadedSettings

        loaded = load_user_settings() if settings is None else LoadedSettings(settings)
        settings = loaded.settings
        inference = InferenceThread()
        building.callback(inference.close)
        models = make_manager(inference, settings)
        asking, ingesting = make_embedders(built_in, models, wait=soon_asked)
        from desktop.core.agent.compiled_programs import CompiledPrograms
        from desktop.core.conversations.store import Conversations
        from desktop.core.engine import Engine
        from desktop.core.library.domains import DomainProposals
        from desktop.core.library.ingestion import Ingestion
        from desktop.core.library.library import Library
        from desktop.core.library.places import ActivePlace, Place
        from desktop.core.notes.desk import VectorKeeper
        from desktop.core.paths import network_warning
        from desktop.core.power import pages_at_once
        from desktop.core.retrieval.text_vectors import UnitVectors
        from desktop.core.store.database import Database
        from desktop.core.trace.session_memory import Sessions
        from desktop.core.trace.store import TraceStore
        from desktop.core.upkeep.backups import LibraryCare
        from desktop.core.workspace import Workspace
        from desktop.models.inference_thread import Priority
        from knowledge.domain_shelf import DomainShelf

        database = Database.open(folder, read_only=read_only)
        # A loaded model leaves all there is out of garbage collections, the window included.
        building.callback(gc.unfreeze)
        building.callback(database.close)
        building.enter_context(logging_to(folder))
        if not read_only:
            Conversations(database).mark_interrupted()
            TraceStore(database).mark_interrupted()
        library = Library(database, folder)
        if not read_only:
            library.read_sources(settings.source_tiers)
        drawing_parser = make_parser(settings)
        building.callback(drawing_parser.close)
        ingesting_parser = drawing_parser if settings.parser.in_process else make_parser(settings)
        building.callback(ingesting_parser.close)
        if not read_only:
            warm_up(ingesting_parser)
        domains = DomainShelf(library.folder.domains, library.documents)
        engine = Engine()
        building.callback(engine.close)
        ingestion = Ingestion(
            database,
            library,
            ingesting_parser,
            ingesting,
            settings.ingestion,
            when_ready=DomainProposals(library, library.folder.domains).update,
            page_embedder=lambda: models.pages(Priority.INGESTION),
            source_tiers=settings.source_tiers,
            at_once=lambda: 1 if engine.busy or settings.parser.in_process else pages_at_once(),
        )
        waits = settings.retrieval.pictures == "always"
        visual_search = make_visual_search(database, inference, models, wait=waits)
        known = settings.knowledge
        place = ActivePlace(usual=lambda: Place.named(known.site, known.asset))
        programs = CompiledPrograms(library.folder.programs)
        notes = make_notes(library.folder, asking, ingesting, models)
        building.callback(notes.close)
        keeper = None
        if not read_only:
            building.callback(VectorKeeper(notes).close)
            keeper = make_keeper(notes, library.folder, known)
            if keeper is not None:
                building.callback(keeper.close)
            building.callback(LibraryCare(database, settings.backups).close)
        sessions = Sessions(settings.reasoning_trace, database)
        vectors = UnitVectors()
        orchestrator, deep_research, searcher = make_agents(
            database,
            library,
            asking,
            settings,
            models,
            drawing_parser,
            domains,
            place,
            notes,
            programs,
            visual_search,
            sessions,
            vectors,
            reading,
        )
        searcher.when_unread = ingestion.want
        workspace = Workspace(
            database=database,
            library=library,
            ingestion=ingestion,
            engine=engine,
            settings=settings,
            parser=drawing_parser,
            orchestrator=orchestrator,
            models=models,
            domains=domains,
            place=place,
            programs=programs,
            notes=notes,
            team=keeper,
            visual_search=visual_search,
            searcher=searcher,
            deep_research=deep_research,
            suggester=make_suggester(database, library, ingesting, settings, domains, vectors),
            sessions=sessions,
            notice=" ".join(filter(None, (loaded.message, network_warning(folder)))),
            resources=building.pop_all(),
        )
    prepare(settings, database)  # last: beside the opening it would hold that up
    logger.info("library opened, read_only=%s", read_only)
    if workspace.notice:
        logger.warning("%s", workspace.notice)
    return workspace


def run_window(folder: Path, wanted: Sequence[Path] = (), files: Sequence[Path] = ()) -> int:
    """Open the window on the library in `folder`; returns the exit code.

    If this library's window is open already, that window takes `files` and comes to the
    front.

    wanted: PDF files that the library should have; those it lacks are ingested.
    files: what a person opened with Groundwork: PDF files, or folders of them.
    """
    from desktop.core.single_instance import Instance

    claim: Instance | None = None
    try:
        claim = Instance.claim(folder, files)
    except OSError as error:  # the window shows why nothing can be written
        logger.warning("a second start will not find this window: %s", error)
    else:
        if claim is None:
            return 0
    from desktop.ui.window.start import run_window as run

    def open_with_wanted() -> Workspace:
        from desktop.core.library.intake import hash_file

        workspace = open_workspace(folder, soon_asked=True)
        known = {document.sha256 for document in workspace.library.documents()}
        lacking = [path for path in wanted if hash_file(path, lambda: None) not in known]
        if lacking:
            workspace.ingestion.enqueue(lacking)
        return workspace

    listener = claim.listener if claim is not None else None
    with closing(claim) if claim is not None else nullcontext():
        return run(open_with_wanted, sys.argv[:1], folder, listener=listener, files=files)


def load_user_settings() -> LoadedSettings:
    """Return this user's settings; their message says if the file was unusable."""
    from desktop.core.settings.storage import load_settings

    return load_settings(settings_file())
