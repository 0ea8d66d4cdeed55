"""Text vectors: the passages nearest to a question, and vectors that are kept in memory.

sqlite-vec reads all vectors from the file for each question. `UnitVectors` holds them, as long as
nothing changes them and they are few enough; else the file is asked as before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.store.schema import vector_changes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.models.roles import TextEmbedder


@dataclass(frozen=True, slots=True, eq=False)
class QuestionVector:
    """A question as a text model reads it.

    vector: float32, shape (dimension,), unit length.
    """

    model_id: str
    vector: NDArray[np.float32]


def nearest_units(
    connection: apsw.Connection,
    asked: QuestionVector,
    documents: Collection[int],
    limit: int,
    held: UnitVectors | None = None,
) -> dict[int, float]:
    """Return unit id -> cosine similarity of the units nearest to the question.

    Nothing is near it as long as the library's vectors are those of another model.
    held: asked instead of the file where all documents are searched.
    """
    stored = connection.execute("SELECT model_id, dimension FROM vector_models").fetchall()
    if stored != [(asked.model_id, len(asked.vector))]:
        return {}
    if held is not None and not documents:
        near = held.nearest(connection, asked.vector, limit)
        if near is not None:
            return near
    marks = ",".join("?" * len(documents))
    only = f" AND document_id IN ({marks})" if documents else ""
    rows = connection.execute(
        f"SELECT unit_id, 1.0 - distance FROM unit_vectors WHERE vector MATCH ? AND k = ?{only}",
        (np.ascontiguousarray(asked.vector, "<f4").tobytes(), limit, *documents),
    )
    return {unit_id: similarity for unit_id, similarity in rows}


def pages_without_vectors(connection: apsw.Connection, pages: Collection[int]) -> set[int]:
    """Return which pages are still to be embedded: their manual is being taken in."""
    marks = ",".join("?" * len(pages))
    rows = connection.execute(
        f"SELECT p.id FROM pages AS p WHERE p.id IN ({marks}) AND NOT EXISTS (SELECT 1"
        " FROM page_passes AS v WHERE v.page_id = p.id AND v.pass = 'vectors')",
        tuple(pages),
    )
    return {page_id for (page_id,) in rows}


MOST_BYTES = 128 * 2**20
"""About 87,000 passages of 384 coordinates, the windows of some 12,000 pages."""

_PARTS = (
    " FROM unit_vectors_chunks AS c JOIN unit_vectors_vector_chunks00 AS v ON v.rowid = c.chunk_id"
)
# So many more than asked for are compared as sqlite-vec does, whose sums are rounded otherwise.
_SPARE = 16


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """unit_ids: int64, shape (n,). vectors: float32, shape (n, dimension), unit length."""

    unit_ids: NDArray[np.int64]
    vectors: NDArray[np.float32]


class UnitVectors:
    """Holds the vectors of one library; may be used from any thread."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """most_bytes: libraries with more vectors than that are not held."""
        self._most_bytes = most_bytes
        self._guard = threading.Lock()
        self._changes = -1
        self._held: _Held | None = None

    def nearest(
        self, connection: apsw.Connection, vector: NDArray[np.float32], limit: int
    ) -> dict[int, float] | None:
        """Return unit id -> cosine similarity of the units nearest to a vector of unit length.

        None as long as they are not held: they are read with the second question after a
        change, so that a library which is being read or asked but once costs no more.
        """
        held = self._current(connection, len(vector))
        if held is None:
            return None
        # not a matrix product: its threads wait for a core that something else may hold
        near = np.einsum("ij,j->i", held.vectors, np.asarray(vector, np.float32))
        count = min(limit + _SPARE, len(near))
        best = np.argpartition(-near, count - 1)[:count] if count else np.zeros(0, np.intp)
        found = zip(
            _as_in_the_file(connection, vector, held.vectors[best]),
            held.unit_ids[best].tolist(),
            strict=True,
        )
        return {unit_id: score for score, unit_id in sorted(found, reverse=True)[:limit]}

    def _current(self, connection: apsw.Connection, dimension: int) -> _Held | None:
        changes = vector_changes(connection)
        with self._guard:
            if changes != self._changes:
                self._changes, self._held = changes, None
            elif self._held is None:
                self._held = self._read(connection, dimension)
            return self._held

    def _read(self, connection: apsw.Connection, dimension: int) -> _Held | None:
        """Read the blocks in which sqlite-vec keeps the vectors; None if they are too many."""
        size: Any = connection.execute(f"SELECT total(length(v.vectors)){_PARTS}").get
        if size > self._most_bytes:
            return None
        ids = [np.zeros(0, np.int64)]
        vectors = [np.zeros((0, dimension), np.float32)]
        blocks: Any = connection.execute(f"SELECT c.rowids, c.validity, v.vectors{_PARTS}")
        for row_ids, validity, block in blocks:
            bits = np.frombuffer(validity, np.uint8)
            taken = np.flatnonzero(np.unpackbits(bits, bitorder="little"))
            ids.append(np.frombuffer(row_ids, "<i8")[taken])
            vectors.append(np.frombuffer(block, "<f4").reshape(-1, dimension)[taken])
        return _Held(np.concatenate(ids), np.concatenate(vectors))


def _as_in_the_file(
    connection: apsw.Connection, vector: NDArray[np.float32], rows: NDArray[np.float32]
) -> list[float]:
    """Return cosine similarities to the last bit as sqlite-vec has them.

    The second time a question is asked its pages must not change places.
    """
    asked = np.ascontiguousarray(vector, "<f4").tobytes()
    pairs = [(asked, row.tobytes()) for row in rows]
    scores: Any = connection.executemany("SELECT 1.0 - vec_distance_cosine(?, ?)", pairs)
    return [score for (score,) in scores]


# Of one question about 100; each takes some 100 KB.
_MOST_TEXTS = 250


class TokenMemo:
    """Satisfies `TextEmbedder` by asking another one; may be used from any thread."""

    def __init__(self, embedder: TextEmbedder, most_texts: int = _MOST_TEXTS) -> None:
        """embedder: who reads what is not remembered. most_texts: that are remembered."""
        self._embedder = embedder
        self._most_texts = most_texts
        self._vectors: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def model_id(self) -> str:
        """See `TextEmbedder.model_id`."""
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        """See `TextEmbedder.dimension`."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder.embed`."""
        return self._embedder.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder.embed_queries`."""
        return self._embedder.embed_queries(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """See `TextEmbedder.embed_tokens`; the arrays are shared, nobody may change them."""
        model = self._embedder.model_id
        with self._lock:
            known = {text: self._vectors.get((model, text)) for text in texts}
        missing = [text for text, vectors in known.items() if vectors is None]
        if missing:
            read = self._embedder.embed_tokens(missing)
            known.update(zip(missing, read, strict=True))
        found = {text: vectors for text, vectors in known.items() if vectors is not None}
        self._keep(model, found)
        return [found[text] for text in texts]

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """See `TextEmbedder.token_spans`."""
        return self._embedder.token_spans(texts)

    def _keep(self, model: str, found: dict[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vectors in found.items():
                self._vectors[model, text] = vectors
                self._vectors.move_to_end((model, text))
            while len(self._vectors) > self._most_texts:
                self._vectors.popitem(last=False)
