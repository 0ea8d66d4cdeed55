"""The vectors of passages: half precision, one per row, in the order they were made.

Half the bytes of single precision change a cosine by some 1e-5. Ids are never reused,
so that the last one tells what a reader has seen.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.core.store.connection import count_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw
    from numpy.typing import NDArray

TABLE: Final = """
CREATE TABLE unit_vectors(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    unit_id INTEGER NOT NULL UNIQUE REFERENCES units(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    vector BLOB NOT NULL
);
"""
"""`vector`: float16, little-endian, unit length."""

_ADDED: Final = "unit_vectors_changed"
_REMOVED: Final = "unit_vectors_removed"
_AT_ONCE: Final = 20_000


def vector_changes(connection: apsw.Connection) -> tuple[int, int]:
    """Return two numbers: one changes with every addition, the other with every removal."""
    rows: Any = connection.execute(
        "SELECT key, value FROM meta WHERE key IN (?, ?)", (_ADDED, _REMOVED)
    )
    found = dict(rows)
    return int(found.get(_ADDED, 0)), int(found.get(_REMOVED, 0))


def note_vectors_gone(connection: apsw.Connection) -> None:
    """Count a removal; to be called in the transaction that removes vectors."""
    count_change(connection, _REMOVED)


def put_vectors(
    connection: apsw.Connection, document_id: int, vectors: Iterable[tuple[int, bytes]]
) -> None:
    """Store vectors of a manual's units: (unit id, float32 or float16 bytes)."""
    (dimension,) = connection.execute("SELECT dimension FROM vector_models").fetchone() or (0,)
    connection.executemany(
        "INSERT INTO unit_vectors(unit_id, document_id, vector) VALUES(?, ?, ?)",
        ((unit_id, document_id, as_stored(vector, int(dimension))) for unit_id, vector in vectors),
    )
    count_change(connection, _ADDED)


def as_stored(vector: bytes, dimension: int) -> bytes:
    """Return a vector as it is stored; older files and packs have them in single precision."""
    if len(vector) != 4 * dimension:
        return vector
    return np.frombuffer(vector, "<f4").astype("<f2").tobytes()


def as_vectors(stored: bytes, dimension: int) -> NDArray[np.float32]:
    """Return consecutive stored vectors as float32, shape (n, dimension), unit length."""
    rows = np.frombuffer(stored, "<f2").reshape(-1, dimension).astype(np.float32)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return rows


def read_vectors(
    connection: apsw.Connection, dimension: int, after: int = 0
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """Yield vectors added after an id: rows (id, unit id, document id), and the vectors."""
    cursor: Any = connection.execute(
        "SELECT id, unit_id, document_id, vector FROM unit_vectors WHERE id > ? ORDER BY id",
        (after,),
    )
    while rows := list(islice(cursor, _AT_ONCE)):
        places = np.array([row[:3] for row in rows], np.int64)
        yield places, as_vectors(b"".join([row[3] for row in rows]), dimension)


def problems(connection: apsw.Connection, deep: bool = False) -> Iterator[str]:
    """Yield what is wrong with the vectors. deep: look at the numbers of each, too."""
    model: Any = connection.execute("SELECT dimension FROM vector_models").fetchone()
    dimension = int(model[0]) if model else 0
    wrong: Any = connection.execute(
        "SELECT count(*) FROM unit_vectors WHERE length(vector) <> ?", (2 * dimension,)
    ).get
    if wrong:
        yield f"unit_vectors: {wrong} vectors are of another length than their model's"
    elif deep:
        rows: Any = connection.execute("SELECT vector FROM unit_vectors")
        while some := list(islice(rows, _AT_ONCE)):
            values = np.frombuffer(b"".join([row[0] for row in some]), "<f2").astype(np.float32)
            with np.errstate(all="ignore"):
                lengths = np.linalg.norm(values.reshape(-1, dimension), axis=1)
                damaged = int((~(np.abs(lengths - 1) < _UNIT_LENGTH)).sum())
            if damaged:
                yield f"unit_vectors: {damaged} vectors are damaged"


_UNIT_LENGTH: Final = 0.02
