"""What one research run works with, handed to all its agents; and the replies it keeps."""

from __future__ import annotations

import json
import logging
import os
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.claims.comparison import Comparison
from desktop.core.jobs import CancelToken
from desktop.core.research.sources import SourceBook
from desktop.core.research.trace import ResearchTrace
from desktop.core.settings.sections import ReasoningSettings
from desktop.core.trace.reasoning_trace import redacted_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from desktop.core.answering.answer import Answerer
    from desktop.core.page_words import PageWords
    from desktop.core.reader.evidence import Evidence
    from desktop.core.research.sources import ResearchSource
    from desktop.core.settings.sections import SourceTier
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

_MOST_KEPT = 200


class ReplyCache:
    """Keeps the last replies in memory and, with a folder, on the disk beside the logs.

    What a disk refuses is simply not kept.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the reply of a key, None if there is none."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return dict(self._kept[key])
        if self._folder is None:
            return None
        try:
            values = json.loads((self._folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return values if isinstance(values, dict) else None

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply in place of the oldest one."""
        self._kept[key] = dict(reply)
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        if self._folder is None:
            return
        try:
            self._write(self._folder, key, reply)
        except OSError as error:
            logger.warning("a reply was not kept: %s", type(error).__name__)

    def _write(self, folder: Path, key: str, reply: Mapping[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        safe = redacted_values(dict(reply))
        if safe != reply:
            return  # a reply without its secret is another reply
        fresh = folder / f".{key}.{os.getpid()}"
        fresh.write_text(json.dumps(safe, ensure_ascii=False), encoding="utf-8")
        fresh.replace(folder / f"{key}.json")
        kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-_MOST_KEPT]:
            path.unlink(missing_ok=True)


@dataclass
class ResearchHandler:
    """One research run.

    find: returns what a query finds, at most so many, best first; blocking, callable
    from any thread, raises LibraryError and ModelError. answerer: quotes, where there
    is no model. together: reads pages that several searches found as answers to one
    question; blocking.

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
    comparison: Comparison = field(default_factory=lambda: Comparison(None))
    language: Callable[[], LanguageModel | None] = lambda: None
    settings: ReasoningSettings = field(default_factory=ReasoningSettings)
    cancel: CancelToken = field(default_factory=CancelToken)
    cache: ReplyCache = field(default_factory=ReplyCache)
    source_tiers: Mapping[str, SourceTier] = field(default_factory=dict)
    sources: SourceBook = field(default_factory=SourceBook)
    query_id: str = ""
    trace: ResearchTrace = field(default_factory=ResearchTrace)
