"""Text vectors: the passages nearest to a question, and vectors that are kept in memory.

`UnitVectors` holds all of them where they are few. Of many it holds signs, 48 bytes a passage:
those with the most signs like the question's are read from the file and compared as they are.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.core.store.unit_vectors import as_vectors, read_vectors, vector_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

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
    documents: only passages of these manuals, of all if none is named.
    """
    stored = connection.execute("SELECT model_id, dimension FROM vector_models").fetchall()
    if stored != [(asked.model_id, len(asked.vector))]:
        return {}
    return (held or UnitVectors()).nearest(connection, asked.vector, limit, documents)


def pages_without_vectors(connection: apsw.Connection, pages: Collection[int]) -> set[int]:
    """Return which pages are still to be embedded: their manual is being taken in."""
    marks = ",".join("?" * len(pages))
    rows = connection.execute(
        f"SELECT page_id FROM page_passes WHERE pass = 'vectors' AND page_id IN ({marks})",
        tuple(pages),
    )
    return set(pages).difference(page_id for (page_id,) in rows)


MOST_BYTES: Final = 128 * 2**20
"""About 87,000 passages of 384 coordinates, or 350,000 in eight bits each."""

_LEAST_COMPARED: Final = 4_000
_COMPARED: Final = 10
"""How many passages are compared by more than their signs, at least, and for each asked for."""
_LEAST_LARGEST: Final = 1e-6
"""Taken for the largest coordinate of a damaged vector without any."""
_READ: Final = 2
"""How many of them are read from the file for each that is asked for, if eight bits are held."""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """What is held of n passages.

    places: their ids, unit ids and document ids, int64, shape (n, 3).
    vectors: float32, shape (n, dimension), unit length; without rows where signs are
    held.
    centre: float32, shape (dimension,): signs are those of a vector's difference from
    it.
    signs: uint64, shape (dimension / 64, n); without columns where vectors are held.
    rounded: int8, shape (n, dimension), each vector times 127 over its largest
    coordinate, and largest, float32, shape (n,), that coordinate; without rows where
    vectors are held, or where they would be too many as well.
    """

    places: NDArray[np.int64]
    vectors: NDArray[np.float32]
    centre: NDArray[np.float32]
    signs: NDArray[np.uint64]
    rounded: NDArray[np.int8]
    largest: NDArray[np.float32]

    @classmethod
    def nothing(cls, dimension: int) -> _Held:
        """Return what is held of an empty library."""
        return cls(
            np.zeros((0, 3), np.int64),
            np.zeros((0, dimension), np.float32),
            np.zeros(dimension, np.float32),
            np.zeros((-(-dimension // 64), 0), np.uint64),
            np.zeros((0, dimension), np.int8),
            np.zeros(0, np.float32),
        )

    def with_more(
        self, places: NDArray[np.int64], vectors: NDArray[np.float32], most_bytes: int
    ) -> _Held:
        """Return this with more passages; signs of all of them if they are too many."""
        every = np.concatenate([self.places, places])
        centre, before = self.centre, len(self.places)
        if before == len(self.vectors):
            vectors = np.concatenate([self.vectors, vectors])
            if vectors.nbytes <= most_bytes:
                return replace(self, places=every, vectors=vectors)
            centre, before = vectors.mean(axis=0), 0
        signs = np.concatenate([self.signs, _signs(vectors - centre)], axis=1)
        rounded, largest = self.rounded[:0], self.largest[:0]
        if len(self.rounded) == before and every.shape[0] * vectors.shape[1] <= most_bytes:
            new = np.abs(vectors).max(axis=1).clip(_LEAST_LARGEST)
            of_new = np.rint(vectors * (127 / new)[:, None]).astype(np.int8)
            rounded = np.concatenate([self.rounded, of_new])
            largest = np.concatenate([self.largest, new])
        return _Held(every, vectors[:0], centre, signs, rounded, largest)


def _signs(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return which coordinates are positive, 64 per number, one column per vector."""
    spare = -vectors.shape[1] % 64
    bits = np.pad(vectors > 0, ((0, 0), (0, spare)))
    return np.ascontiguousarray(np.packbits(bits, axis=1).view(np.uint64).T)


class UnitVectors:
    """Holds what is needed of the vectors of one library; may be used from any thread."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """most_bytes: of libraries with more vectors than that, signs are held."""
        self._most_bytes = most_bytes
        self._guard = threading.Lock()
        self._changes = (-1, -1)
        self._held = _Held.nothing(0)

    def nearest(
        self,
        connection: apsw.Connection,
        vector: NDArray[np.float32],
        limit: int,
        documents: Collection[int] = (),
    ) -> dict[int, float]:
        """Return unit id -> cosine similarity of the units nearest to a vector of unit length."""
        held = self._current(connection, len(vector))
        asked = np.asarray(vector, np.float32)
        among = np.arange(len(held.places))
        if documents:
            among = np.flatnonzero(np.isin(held.places[:, 2], list(documents)))
        if len(held.vectors) == len(held.places):
            vectors = held.vectors[among] if documents else held.vectors
        else:
            among = _alike(held, asked, among, max(_LEAST_COMPARED, _COMPARED * limit))
            if len(held.rounded):
                like = np.einsum("ij,j->i", held.rounded[among].astype(np.float32), asked)
                among = among[_highest(like * held.largest[among], _READ * limit)]
            among.sort()  # as they lie in the file
            vectors = _stored(connection, held.places[among, 0], len(vector))
        # not a matrix product: its threads wait for a core that something else may hold
        near = np.einsum("ij,j->i", vectors, asked)
        best = _highest(near, limit)
        units = held.places[among[best], 1].tolist()
        found = zip(near[best].tolist(), units, strict=True)
        return {unit_id: score for score, unit_id in sorted(found, reverse=True)}

    def _current(self, connection: apsw.Connection, dimension: int) -> _Held:
        changes = vector_changes(connection)
        with self._guard:
            if changes[1] != self._changes[1] or self._held.vectors.shape[1] != dimension:
                self._held = _Held.nothing(dimension)
            elif changes == self._changes:
                return self._held
            last = int(self._held.places[-1, 0]) if len(self._held.places) else 0
            for places, vectors in read_vectors(connection, dimension, last):
                self._held = self._held.with_more(places, vectors, self._most_bytes)
            self._changes = changes
            return self._held


def _highest(values: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return where the highest values are, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(-values, count - 1)[:count]


def _alike(
    held: _Held, asked: NDArray[np.float32], among: NDArray[np.intp], count: int
) -> NDArray[np.intp]:
    """Return those passages that have the most signs like the question's."""
    if len(among) <= count:
        return among
    of_asked = _signs((asked - held.centre)[None])
    unlike = np.zeros(len(among), np.uint16)
    every = len(among) == len(held.places)
    for row, sign in zip(held.signs, of_asked[:, 0], strict=True):
        unlike += np.bitwise_count((row if every else row[among]) ^ sign)
    return among[np.argpartition(unlike, count - 1)[:count]]


def _stored(
    connection: apsw.Connection, ids: NDArray[np.int64], dimension: int
) -> NDArray[np.float32]:
    """Read some vectors, in the order of their ids as given."""
    rows: Any = connection.execute(
        "SELECT v.vector FROM json_each(?) AS wanted CROSS JOIN unit_vectors AS v"
        " ON v.id = wanted.value",
        (json.dumps(ids.tolist()),),
    ).fetchall()
    return as_vectors(b"".join([row[0] for row in rows]), dimension)


# Of one question about 100; each takes some 100 KB.
_MOST_TEXTS = 250
_MOST_QUESTIONS = 8
"""A question is asked for by the search and by whatever tells its value apart."""


class TokenMemo:
    """Satisfies `TextEmbedder` by asking another one; may be used from any thread."""

    def __init__(self, embedder: TextEmbedder, most_texts: int = _MOST_TEXTS) -> None:
        """embedder: reads what is not remembered. most_texts: how many are remembered."""
        self._embedder = embedder
        self._most_texts = most_texts
        self._vectors: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
        self._asked: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
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
        """See `TextEmbedder.embed_queries`; what was asked last is remembered."""
        read = self._embedder.embed_queries
        return np.stack(self._remembered(self._asked, _MOST_QUESTIONS, queries, read))

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """See `TextEmbedder.embed_tokens`; the arrays are shared and must not be changed."""
        read = self._embedder.embed_tokens
        return self._remembered(self._vectors, self._most_texts, texts, read)

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """See `TextEmbedder.token_spans`."""
        return self._embedder.token_spans(texts)

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """See `TextEmbedder.rerank`."""
        return self._embedder.rerank(question, texts)

    def _remembered(
        self,
        kept: OrderedDict[tuple[str, str], NDArray[np.float32]],
        most: int,
        texts: Sequence[str],
        read: Callable[[Sequence[str]], Iterable[NDArray[np.float32]]],
    ) -> list[NDArray[np.float32]]:
        model = self._embedder.model_id
        with self._lock:
            known = {text: kept.get((model, text)) for text in texts}
        missing = [text for text, vectors in known.items() if vectors is None]
        if missing:
            known.update(zip(missing, read(missing), strict=True))
        found = {text: vectors for text, vectors in known.items() if vectors is not None}
        with self._lock:
            for text, vectors in found.items():
                kept[model, text] = vectors
                kept.move_to_end((model, text))
            while len(kept) > most:
                kept.popitem(last=False)
        return [found[text] for text in texts]
