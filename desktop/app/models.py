"""Builds the model manager, what asks it, and the parsers, which read and draw PDFs."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from desktop.core.settings.file import settings_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.claims.comparison import Comparison
    from desktop.core.manual_packs.building import PackTools
    from desktop.core.parsing.parser import Parser
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.core.settings.sections import Settings
    from desktop.core.store.database import Database
    from desktop.models.inference_thread import InferenceThread
    from desktop.models.manager import ModelManager, ThreadedEmbedder
    from desktop.models.roles import LanguageModel, PassageEmbedder, TextEmbedder

logger = logging.getLogger(__name__)


def make_manager(inference: InferenceThread, settings: Settings) -> ModelManager:
    """Look at the installed models; none is loaded. They are unloaded when `inference` closes."""
    from desktop.models.catalogue import Catalogue
    from desktop.models.manager import ModelManager
    from desktop.models.overview import Wishes
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.speed import FILE, Speeds

    wanted = settings.models

    def remember_profile(profile: str) -> None:
        from desktop.core.settings.storage import save_settings

        wanted.profile = profile
        save_settings(settings_file(), settings)

    folder = ModelFolder()
    folder.sweep()  # what a killed import or removal has left
    return ModelManager(
        folder,
        Catalogue.load(),
        inference,
        wishes=Wishes(wanted.profile, wanted.by_role(), wanted.pages_by),
        budget_gib=wanted.memory_gib,
        remember_profile=remember_profile,
        speeds=Speeds(folder.root / FILE),
    )


def make_text_model(
    reading: InferenceThread, *, soon_asked: bool = False
) -> ThreadedEmbedder | None:
    """Return the built-in text model for questions, None without its files on this machine.

    It runs on `reading` and is loaded at the first use. soon_asked: loaded at once,
    alongside whatever comes next.
    """
    from desktop.models import text_model
    from desktop.models.built_in import load_text_embedder
    from desktop.models.inference_thread import Priority
    from desktop.models.manager import ThreadedEmbedder

    if not text_model.is_there():
        return None
    asking = ThreadedEmbedder(load_text_embedder, reading, Priority.QUESTION)
    if soon_asked:
        asking.load_soon()
    return asking


def make_embedders(
    built_in: ThreadedEmbedder | None, models: ModelManager, *, wait: bool = False
) -> tuple[TextEmbedder | None, TextEmbedder | None]:
    """Return the text embedder for questions and the one for ingestion, which gives way.

    They share the built-in model, loaded at the first use. A text model that the profile names
    reads the best places of a question again. Without the built-in one both are None, and search
    works by words alone.

    wait: a question waits until the second model is loaded; else it is answered without, while
        that comes in the background. Without a GPU it is not used: ten places take 5 s.
    """
    from desktop.models.adapters.mlx_runtime import has_gpu
    from desktop.models.inference_thread import Priority

    if built_in is None:
        logger.warning("the text model is not installed: searching by words alone")
        return None, None

    def second() -> PassageEmbedder | None:
        model = models.text()
        if model is None or not has_gpu():
            return None
        if wait or models.is_loaded("text"):
            return model
        models.load_beside("text")
        return None

    return built_in.beside(second), built_in.at(Priority.INGESTION)


def make_comparison(
    reading: InferenceThread, language_model: Callable[[], LanguageModel | None]
) -> Comparison:
    """Return what compares statements: by the text model if there is one, else by their words.

    reading: where the text model runs. language_model: settles what the text model is
    not sure of.
    """
    from desktop.core.claims.comparison import Comparison
    from desktop.models import text_model
    from desktop.models.built_in import ThreadedComparer, load_statement_comparer
    from desktop.models.inference_thread import Priority

    comparer = None
    if text_model.is_there():
        comparer = ThreadedComparer(load_statement_comparer, reading, Priority.QUESTION)
    return Comparison(comparer, language_model)


def make_visual_search(
    database: Database, inference: InferenceThread, models: ModelManager, *, wait: bool = False
) -> VisualSearcher:
    """Build the search by how pages look; it is empty while no model for it is installed.

    wait: every search waits until the model is loaded; else it is loaded in the background.
    """
    from desktop.core.late_interaction.page_search import NumpyScorer
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.models.built_in import gpu_scorer

    scorer = gpu_scorer(inference) or NumpyScorer()
    return VisualSearcher(
        database,
        models.pages,
        scorer,
        lambda: wait or models.is_loaded("pages"),
        lambda: models.load_beside("pages"),
    )


def make_parser(settings: Settings) -> Parser:
    """Return the parser that the settings ask for; its process starts when it is first needed."""
    if settings.parser.in_process:
        from desktop.core.parsing.service import InProcessParser
        from desktop.models.built_in import load_text_recognizer

        return InProcessParser(settings.parser, load_text_recognizer)
    from desktop.core.parsing.process import ParserProcess

    return ParserProcess(settings.parser)


@contextmanager
def open_pack_tools(settings: Settings) -> Iterator[PackTools]:
    """Make what reads manuals into a pack; it may serve many files and is closed at the end."""
    from desktop.core.manual_packs.building import PackTools
    from desktop.models.inference_thread import InferenceThread, Priority

    with ExitStack() as closing_all:
        inference = InferenceThread()
        closing_all.callback(inference.close)
        models = make_manager(inference, settings)
        reading = InferenceThread("reading")
        closing_all.callback(reading.close)
        _, text = make_embedders(make_text_model(reading), models)
        parser = make_parser(settings)
        closing_all.callback(parser.close)
        yield PackTools(parser, text, models.pages(Priority.INGESTION), settings)


def warm_up(parser: Parser) -> None:
    """Start a parser's process in the background: the first file then waits 2 s less."""
    from desktop.core.parsing.process import ParserProcess

    if isinstance(parser, ParserProcess):
        parser.warm_up()
