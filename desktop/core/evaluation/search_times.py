"""How long it takes from a question to ranked pages, without the time that a model computes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop.core.retrieval.query import Query
from desktop.core.retrieval.search import Searcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.retrieval.routing import Preferences
    from desktop.core.settings.sections import RetrievalSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import TextEmbedder


class TimedEmbedder:
    """Satisfies `TextEmbedder`; adds up the seconds that another one needs."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder
        self.seconds = 0.0

    @property
    def model_id(self) -> str:
        """As of the other one."""
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        """As of the other one."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder`."""
        began = time.perf_counter()
        vectors = self._embedder.embed(texts)
        self.seconds += time.perf_counter() - began
        return vectors

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder`."""
        began = time.perf_counter()
        vectors = self._embedder.embed_queries(texts)
        self.seconds += time.perf_counter() - began
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """See `TextEmbedder`."""
        began = time.perf_counter()
        vectors = self._embedder.embed_tokens(texts)
        self.seconds += time.perf_counter() - began
        return vectors

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """See `TextEmbedder`."""
        return self._embedder.token_spans(texts)


def search_times(
    database: Database,
    embedder: TextEmbedder | None,
    settings: RetrievalSettings,
    preferences: Preferences | None,
    questions: Sequence[GoldQuestion],
    progress: Callable[[str], object],
) -> list[float]:
    """Return the milliseconds from each question to its ranked pages, without model time.

    The first one is asked once before, as a program that is running has done. progress: is told
    how far it is.
    """
    timed = TimedEmbedder(embedder) if embedder is not None else None
    searcher = Searcher(database, timed, settings, preferences)
    times = []
    for number, question in enumerate((*questions[:1], *questions)):
        before = timed.seconds if timed else 0.0
        began = time.perf_counter()
        searcher.search(Query(question.question))
        computed = timed.seconds - before if timed else 0.0
        times.append((time.perf_counter() - began - computed) * 1000)
        if number and (number % 100 == 0 or number == len(questions)):
            progress(f"timed {number} of {len(questions)}")
    return times[1:]
