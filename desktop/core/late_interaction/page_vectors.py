"""A page's vectors as stored: pooled sign codes, int8 with rounding remainders, and back.

The codes are the signs of coordinates after a fixed random rotation, which spreads what
a few strong ones carry over all bits: two to three times fewer candidates are needed.
Pages keep one bit a coordinate; a question keeps two, its sign and whether the
coordinate is a strong one. Only the coarse stage of the search reads pooled vectors
(Ward's clustering, token pooling, arXiv:2409.14683). Two bits a coordinate keep the
remainder of rounding to eight bits, and are read for the few pages that lead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.models.roles import PageVectors


_LEVELS = 4
_SHIFTS = np.array([0, 2, 4, 6], np.uint8)
_PER_BYTE = len(_SHIFTS)


def packed_width(dimension: int) -> int:
    """Return the bytes that the remainders of one vector take."""
    return -(-dimension // _PER_BYTE)


def packed_remainders(
    vectors: NDArray[np.float32], whole: NDArray[np.int8], scales: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Return which quarter of its step each coordinate lies in.

    Args:
        vectors: shape (n, dimension), as they were.
        whole: the same in whole steps.
        scales: the step of each, shape (n,).

    Returns: uint8, shape (n, packed_width(dimension)).
    """
    inside = vectors / scales[:, None] - whole + 0.5  # 0 to 1
    quarters = np.clip(inside * _LEVELS, 0, _LEVELS - 1).astype(np.uint8)
    missing = -quarters.shape[1] % _PER_BYTE
    quarters = np.pad(quarters, ((0, 0), (0, missing))).reshape(len(quarters), -1, _PER_BYTE)
    return np.asarray(np.bitwise_or.reduce(quarters << _SHIFTS, axis=2), np.uint8)


def remainders(packed: NDArray[np.uint8], dimension: int) -> NDArray[np.float32]:
    """Return what to add to whole steps, in steps, float32, shape (n, dimension)."""
    quarters = (packed[:, :, None] >> _SHIFTS) & (_LEVELS - 1)
    flat = quarters.reshape(len(packed), -1)[:, :dimension].astype(np.float32)
    return np.asarray((flat - (_LEVELS - 1) / 2) / _LEVELS, np.float32)


WORD_BITS = 64
_SEED = 24_061_707


@dataclass(frozen=True, slots=True, eq=False)
class QuestionCodes:
    """A question's vectors as bits.

    signs, strong: uint64, shape (n_tokens, n_words). strong_counts: bits set in `strong`,
    int, (n_tokens,). weights: mean size of each vector's coordinates, float32, (n_tokens,).
    """

    signs: NDArray[np.uint64]
    strong: NDArray[np.uint64]
    strong_counts: NDArray[np.int64]
    weights: NDArray[np.float32]

    def only(self, tokens: NDArray[np.intp]) -> QuestionCodes:
        """Return the codes of some of the vectors."""
        return QuestionCodes(
            self.signs[tokens],
            self.strong[tokens],
            self.strong_counts[tokens],
            self.weights[tokens],
        )


def words_of(dimension: int) -> int:
    """Return how many 64-bit words the code of a vector has."""
    return -(-dimension // WORD_BITS)


def page_codes(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return the codes of a page's vectors, uint64, shape (n_vectors, n_words)."""
    return _packed(vectors @ rotation(vectors.shape[1]) > 0)


def question_codes(vectors: NDArray[np.float32]) -> QuestionCodes:
    """Return the codes of a question's vectors."""
    turned = vectors @ rotation(vectors.shape[1])
    sizes = np.abs(turned)
    weights = sizes.mean(axis=1)
    strong = sizes > weights[:, None]
    return QuestionCodes(
        _packed(turned > 0),
        _packed(strong),
        strong.sum(axis=1),
        weights.astype(np.float32),
    )


def rotation(dimension: int) -> NDArray[np.float32]:
    """Return the rotation, shape (dimension, bits), rows orthonormal."""
    return turning(words_of(dimension) * WORD_BITS)[:dimension]


@lru_cache(maxsize=4)
def turning(size: int) -> NDArray[np.float32]:
    """Return a random rotation, shape (size, size).

    Stored codes and vectors depend on it, so it is the same on every machine and in every
    version: numpy keeps the stream of `RandomState` as it is.
    """
    orthogonal, upper = np.linalg.qr(np.random.RandomState(_SEED).standard_normal((size, size)))
    orthogonal *= np.sign(np.diag(upper))  # which of the two LAPACK finds is its own affair
    return np.ascontiguousarray(orthogonal, np.float32)


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.ascontiguousarray(np.packbits(bits, axis=1)).view(np.uint64)


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


_LARGEST = 127
ROUNDED = 2
"""Stands in `page_patches.turned`; trial versions rounded in other ways."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page as it is stored; the columns of `page_codes` and `page_patches`."""

    page_id: int
    coarse: bytes
    fine: bytes
    first_patch: int
    grid_rows: int
    grid_columns: int
    scales: bytes
    vectors: bytes


@dataclass(frozen=True, slots=True, eq=False)
class StoredPage:
    """A page's own vectors: int8, (n, dimension), each times its scale, float32, (n,).

    They were rotated before they became int8. Without rotation a few strong coordinates set the
    scale, and the rest is rounded coarsely; with it, the error of a dot product of real token
    states falls by a third.
    remainders: see the function of that name, uint8.
    """

    page_id: int
    first_patch: int
    grid_rows: int
    grid_columns: int
    scales: NDArray[np.float32]
    vectors: NDArray[np.int8]
    remainders: NDArray[np.uint8]

    def finest(self, places: slice | NDArray[np.intp]) -> NDArray[np.float32]:
        """Return some of `vectors` with their scales, as exactly as they are stored."""
        vectors = self.vectors[places].astype(np.float32)
        vectors += remainders(self.remainders[places], vectors.shape[1])
        return vectors * self.scales[places, None]

    def originals(self, mine: slice = slice(None)) -> NDArray[np.float32]:
        """Return vectors as the model made them, float32, shape (n, dimension)."""
        vectors = self.finest(mine)
        return np.asarray(vectors @ turning(vectors.shape[1]).T, np.float32)

    def patches(self) -> NDArray[np.float32]:
        """Return the patch vectors, float32, shape (grid_rows * grid_columns, dimension)."""
        mine = slice(self.first_patch, self.first_patch + self.grid_rows * self.grid_columns)
        return self.originals(mine)


def rotated(question: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a question's vectors, (n_tokens, dimension), rotated like those of stored pages."""
    return question @ turning(question.shape[1])


def page_row(page_id: int, page: PageVectors) -> PageRow:
    """Prepare a page for the library file; 20 to 30 ms for 700 vectors."""
    vectors = np.ascontiguousarray(page.vectors, np.float32)
    coarse, fine = (page_codes(each).tobytes() for each in pooled(vectors, (COARSE, FINE)))
    turned = vectors @ turning(vectors.shape[1])
    whole, scales = quantized(turned)
    return PageRow(
        page_id,
        coarse,
        fine,
        page.first_patch,
        page.rows,
        page.columns,
        np.asarray(scales, "<f4").tobytes() + packed_remainders(turned, whole, scales).tobytes(),
        whole.tobytes(),
    )


def quantized(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return int8 vectors of the same shape and the float32 scale of each."""
    scales = np.maximum(np.abs(vectors).max(axis=1) / _LARGEST, 1e-12).astype(np.float32)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def store_rows(connection: apsw.Connection, document_id: int, rows: Sequence[PageRow]) -> None:
    """Write pages, also those that were there already; on the writer's connection."""
    ids = [(row.page_id,) for row in rows]
    connection.executemany("DELETE FROM page_codes WHERE page_id = ?", ids)
    connection.executemany(
        "INSERT INTO page_codes(page_id, document_id, coarse, fine) VALUES(?, ?, ?, ?)",
        [(row.page_id, document_id, row.coarse, row.fine) for row in rows],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO page_patches(page_id, first_patch, grid_rows, grid_columns,"
        " scales, vectors, turned) VALUES(?, ?, ?, ?, ?, ?, ?)",
        [
            (
                r.page_id,
                r.first_patch,
                r.grid_rows,
                r.grid_columns,
                r.scales,
                r.vectors,
                ROUNDED,
            )
            for r in rows
        ],
    )


def stored_model(connection: apsw.Connection) -> tuple[str, int] | None:
    """Return the id and the dimension of the model that made the page vectors, if any."""
    rows = connection.execute("SELECT model_id, dimension FROM page_vector_models").fetchall()
    return cast("tuple[str, int]", rows[0]) if len(rows) == 1 else None


def use_model(connection: apsw.Connection, model_id: str, dimension: int) -> None:
    """Keep only page vectors of this model; those of another cannot be compared."""
    connection.execute("DELETE FROM page_codes")
    connection.execute("DELETE FROM page_patches")
    connection.execute("DELETE FROM page_passes WHERE pass = 'pictures'")
    connection.execute("UPDATE documents SET pictures_done = 0")
    connection.execute("DELETE FROM page_vector_models")
    connection.execute("INSERT INTO page_vector_models VALUES(?, ?)", (model_id, dimension))


def read_pages(connection: apsw.Connection, page_ids: Iterable[int]) -> list[StoredPage]:
    """Return the vectors of some pages, in the order of their ids; 15 to 30 microseconds each."""
    ids = tuple(page_ids)
    model = stored_model(connection)
    if model is None:
        return []
    rows = connection.execute(
        "SELECT page_id, first_patch, grid_rows, grid_columns, scales, vectors FROM page_patches"
        f" WHERE page_id IN ({','.join('?' * len(ids))}) AND turned = {ROUNDED} ORDER BY page_id",
        ids,
    )
    return [_stored(model[1], *row) for row in rows]


def _stored(
    dimension: int,
    page_id: int,
    first: int,
    rows: int,
    columns: int,
    scales: bytes,
    vectors: bytes,
) -> StoredPage:
    values = np.frombuffer(vectors, np.int8).reshape(-1, dimension)
    sizes = np.frombuffer(scales, "<f4", len(values))
    packed = np.frombuffer(scales, np.uint8, offset=sizes.nbytes)
    finer = packed.reshape(len(values), packed_width(dimension))
    return StoredPage(page_id, first, rows, columns, sizes, values, finer)
