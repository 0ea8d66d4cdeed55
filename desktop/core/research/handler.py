"""What deep research may use: models, search, pages, and where it writes down what it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.claims.comparison import Comparison
from desktop.core.jobs import CancelToken
from desktop.core.research.agents.base import ReplyCache
from desktop.core.research.sources import SourceBook
from desktop.core.research.trace import ResearchTrace
from desktop.core.settings.reasoning import ReasoningSettings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.core.answering.answer import Answerer
    from desktop.core.page_words import PageWords
    from desktop.core.research.sources import ResearchSource
    from desktop.models.roles import LanguageModel


@dataclass
class ResearchHandler:
    """One research.

    find: returns what a query finds, at most so many, best first; blocking, callable from any
    thread, raises LibraryError and ModelError. answerer: quotes, where there is no model.

    page_words: of a document's id and a page index; blocking. log_folder: `research/` of the
    library. comparison: of statements, by words alone unless a model is given. sources: every page
    and note that was found for it. query_id: "" for a new one. trace: of the question, where how
    it was answered is written down.
    """

    find: Callable[[str, int], list[ResearchSource]]
    answerer: Answerer
    page_words: Callable[[int, int], PageWords]
    log_folder: Path
    comparison: Comparison = field(default_factory=lambda: Comparison(None))
    language: Callable[[], LanguageModel | None] = lambda: None
    settings: ReasoningSettings = field(default_factory=ReasoningSettings)
    cancel: CancelToken = field(default_factory=CancelToken)
    cache: ReplyCache = field(default_factory=ReplyCache)
    sources: SourceBook = field(default_factory=SourceBook)
    query_id: str = ""
    trace: ResearchTrace = field(default_factory=ResearchTrace)
