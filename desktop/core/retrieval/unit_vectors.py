"""The text vectors of a library in memory, where they are compared ten times sooner.

sqlite-vec reads all vectors from the file for each question. Here they stay, as long as nothing
changes them and they are few enough; else the file is asked as before.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.store.vector_changes import vector_changes

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

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
