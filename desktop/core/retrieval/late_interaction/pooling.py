"""Fewer vectors that stand for all patches of a page: Ward's hierarchical clustering.

Only the coarse stage of the search reads them (token pooling, arXiv:2409.14683); what is left
is scored with all vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FINE, COARSE = 3, 9
"""Vectors that become one on average. Three leave the order of the first pages nearly as it
was; nine are a third of the work and sort out nineteen pages of twenty."""

_ROUNDING = 4e-6  # of a squared distance between unit vectors in 32 bits


def pooled(vectors: NDArray[np.float32], factors: Sequence[int]) -> list[NDArray[np.float32]]:
    """Merge similar vectors until one in `factor` is left, for each of `factors`.

    Args:
        vectors: float32, shape (n, dimension), n at least 1.
        factors: how many vectors become one on average.

    Returns: for each factor float32, shape (ceil(n / factor), dimension): the clusters' means,
        scaled to unit length.
    """
    merges = _merges(vectors)
    return [_means(vectors, _cut(merges, len(vectors), -(-len(vectors) // f))) for f in factors]


def _means(vectors: NDArray[np.float32], labels: NDArray[np.intp]) -> NDArray[np.float32]:
    sums = np.zeros((int(labels.max()) + 1, vectors.shape[1]), np.float32)
    np.add.at(sums, labels, vectors)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(lengths, 1e-12), np.float32)


def _merges(vectors: NDArray[np.float32]) -> list[tuple[float, int, int]]:
    """Return every merge as (cost, a, b): cluster b becomes part of a. Not in order of cost.

    The chain of nearest neighbours finds pairs that are nearest to one another, which Ward's
    criterion would merge sooner or later in any case (Murtagh 1983), in n^2 time.
    """
    count = len(vectors)
    means = vectors.astype(np.float32, copy=True)
    squares = np.einsum("ij,ij->i", means, means)
    sizes = np.ones(count, np.float32)
    gone = np.zeros(count, np.float32)  # infinite for what was merged away
    chain: list[int] = []
    merges: list[tuple[float, int, int]] = []
    while len(merges) < count - 1:
        if not chain:
            chain.append(int(np.argmin(gone)))
        last = chain[-1]
        costs = squares - 2 * (means @ means[last])
        costs += squares[last]
        costs *= sizes * sizes[last] / (sizes + sizes[last])
        costs += gone
        costs[last] = np.inf
        nearest = int(np.argmin(costs))
        # The one before wins a tie, and what rounding makes of one between equal vectors (blank
        # patches), or the chain would run in a circle.
        if len(chain) < 2 or costs[nearest] < costs[chain[-2]] - _ROUNDING * sizes[last]:
            chain.append(nearest)
            continue
        into, other = chain[-2], last
        del chain[-2:]
        merges.append((float(costs[into]), into, other))
        total = sizes[into] + sizes[other]
        means[into] = (means[into] * sizes[into] + means[other] * sizes[other]) / total
        squares[into] = means[into] @ means[into]
        sizes[into] = total
        gone[other] = np.inf
    return merges


def _cut(merges: list[tuple[float, int, int]], count: int, wanted: int) -> NDArray[np.intp]:
    """Apply the cheapest merges until `wanted` clusters are left; return each vector's cluster."""
    parent = list(range(count))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for _, into, other in sorted(merges, key=lambda merge: merge[0])[: count - wanted]:
        parent[root(other)] = root(into)
    _, labels = np.unique([root(place) for place in range(count)], return_inverse=True)
    return np.asarray(labels, np.intp)
