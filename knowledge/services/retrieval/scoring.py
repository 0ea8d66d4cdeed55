"""How well a document answers a query: 0 to 1, the same in every backend.

By words: which share of the query's words it has, rare words counting more. With a text model:
the mean of that and of the cosine of the vectors.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from knowledge.errors import VectorsUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.ports import TextVectors
    from knowledge.services.retrieval.terms import TermGroup

_Named = TypeVar("_Named", bound=tuple[Any, ...])

LEAST_COSINE = 0.3
"""Below it two texts have nothing to do with each other (MiniLM; unrelated notes reach 0.2)."""


@dataclass(frozen=True, slots=True)
class QueryWords:
    """The words of a query. weights: one for each group."""

    groups: tuple[TermGroup, ...]
    weights: tuple[float, ...]

    def share(self, terms: frozenset[str]) -> float:
        """Return the weighted share of the words that `terms` has, 0 to 1."""
        total = sum(self.weights)
        found = sum(
            w for g, w in zip(self.groups, self.weights, strict=True) if terms.intersection(g)
        )
        return found / total if total else 0.0


def weighted(
    groups: Sequence[TermGroup], frequency: Callable[[TermGroup], int], documents: int
) -> QueryWords:
    """Return the words of a query, weighted by how few of the documents have them."""
    weights = [math.log(1 + documents / (1 + frequency(group))) for group in groups]
    return QueryWords(tuple(groups), tuple(weights))


def asked_vector(embedder: TextVectors | None, query: str) -> NDArray[np.float32] | None:
    """Return the vector of a query, None where there is no text model that can be asked."""
    if embedder is None:
        return None
    try:
        rows = embedder.embed_queries([query])
    except VectorsUnavailable:
        return None
    row: NDArray[np.float32] = rows[0]
    return row


def score(share: float, cosine: float | None) -> float:
    """Return the score of a document. cosine: None without a text model."""
    if cosine is None:
        return share
    near = min(cosine, 1.0) if cosine >= LEAST_COSINE else 0.0
    return (share + near) / 2


def best_first(scored: Iterable[tuple[_Named, float]], top_k: int) -> list[tuple[_Named, float]]:
    """Return the best of what has a score at all, ties in order of the first of the pair.

    scored: something that can be compared, (id, ...), with its score.
    """
    found = [(named, value) for named, value in scored if value > 0]
    return heapq.nsmallest(top_k, found, key=lambda item: (-item[1], item[0]))
