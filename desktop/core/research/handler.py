"""What one research run works with, handed to all its agents; and the replies it keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.claims.comparison import Comparison
from desktop.core.jobs import CancelToken
from desktop.core.research.sources import SourceBook
from desktop.core.research.trace import ResearchTrace
from desktop.core.settings.sections import ReasoningSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from desktop.core.answering.answer import Answerer, Statement
    from desktop.core.events import WarningBlockEvent
    from desktop.core.page_words import PageWords
    from desktop.core.reader.evidence import Evidence
    from desktop.core.research.sources import ResearchSource
    from desktop.core.settings.sections import SourceTier
    from desktop.models.roles import LanguageModel

_MOST_KEPT = 200


class ReplyCache:
    """The last replies of a model, by the question that it was asked."""

    def __init__(self) -> None:
        self._kept: dict[str, Mapping[str, Any]] = {}

    def get(self, key: str) -> Mapping[str, Any] | None:
        """Return the reply of a key, None if there is none."""
        return self._kept.get(key)

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply, in place of the oldest one if there are many."""
        self._kept[key] = reply
        if len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]


@dataclass
class ResearchHandler:
    """One research run.

    find: returns what a query finds, at most so many, best first; blocking, callable
    from any thread, raises LibraryError and ModelError. answerer: quotes, where there
    is no model. together: reads pages that several searches found as answers to one
    question; blocking. warnings: returns those that govern what is cited; blocking.

    page_words: of a document's id and a page index; blocking. log_folder: `research/`
    of the library. comparison: of statements, by words alone unless a model is given.
    sources: every page and note that was found for it. query_id: "" for a new one.
    trace: that of the question, which records how it was answered.
    """

    find: Callable[[str, int], list[ResearchSource]]
    answerer: Answerer
    page_words: Callable[[int, int], PageWords]
    log_folder: Path
    together: Callable[[str, Sequence[Evidence]], Sequence[Evidence]] = lambda _, found: found
    warnings: Callable[[Sequence[Statement]], tuple[WarningBlockEvent, ...]] = lambda _: ()
    comparison: Comparison = field(default_factory=lambda: Comparison(None))
    language: Callable[[], LanguageModel | None] = lambda: None
    settings: ReasoningSettings = field(default_factory=ReasoningSettings)
    cancel: CancelToken = field(default_factory=CancelToken)
    cache: ReplyCache = field(default_factory=ReplyCache)
    source_tiers: Mapping[str, SourceTier] = field(default_factory=dict)
    sources: SourceBook = field(default_factory=SourceBook)
    query_id: str = ""
    trace: ResearchTrace = field(default_factory=ResearchTrace)
