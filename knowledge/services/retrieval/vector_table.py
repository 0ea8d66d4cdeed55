"""Vectors in SQLite: sign bits in sqlite-vec to find the nearest, 16-bit floats to compare them.

The bits are taken after a fixed random rotation, which halves how many have to be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from knowledge.errors import KnowledgeStoreError
from knowledge.services.sqlite import all_rows, first_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw
    from numpy.typing import NDArray

_SEED = 20260312
# vec0 takes time for each of them in every chunk of 1,024: 100,000 vectors take 22 ms with 100
# candidates and 112 ms with 400, while the share of the exact best ten rises from 0.997 to 1.
_CANDIDATES = 100
_MEETING = "SELECT rowid FROM document_terms WHERE document_terms MATCH ?"
_MOST_PARAMETERS = 900


class VectorTable:
    """The vectors of one text model. Another model's are forgotten: they cannot be compared."""

    def __init__(self, model_id: str, dimension: int) -> None:
        if dimension % 8:
            raise KnowledgeStoreError(f"vectors of {dimension} numbers cannot be kept as bits.")
        self._model_id = model_id
        self._dimension = dimension
        self._rotation: NDArray[np.float32] | None = None

    def prepare(self, connection: apsw.Connection) -> None:
        """Make the tables ready for this model, inside a transaction."""
        known = connection.execute("SELECT model_id, dimension, rotation FROM vector_model").get
        if known is None or known[:2] != (self._model_id, self._dimension):
            forget_vectors(connection)
            rotation = _random_rotation(self._dimension)
            connection.execute(
                "INSERT INTO vector_model(model_id, dimension, rotation) VALUES (?, ?, ?)",
                (self._model_id, self._dimension, rotation.astype("<f4").tobytes()),
            )
            connection.execute(
                "CREATE VIRTUAL TABLE document_codes USING vec0("
                f"document INTEGER PRIMARY KEY, code bit[{self._dimension}], scope INTEGER)"
            )
            self._rotation = rotation
        else:
            flat = np.frombuffer(known[2], "<f4").astype(np.float32)
            self._rotation = flat.reshape(self._dimension, self._dimension)

    def put(
        self,
        connection: apsw.Connection,
        rows: Sequence[tuple[int, int]],
        vectors: NDArray[np.float32],
    ) -> None:
        """Keep vectors. rows: the document and the scope of each; none of them has one yet."""
        codes = self._codes(vectors)
        half = vectors.astype("<f2")
        connection.executemany(
            "INSERT INTO document_codes(document, code, scope) VALUES (?, vec_bit(?), ?)",
            [(d, code.tobytes(), scope) for (d, scope), code in zip(rows, codes, strict=True)],
        )
        connection.executemany(
            "INSERT INTO document_vectors(document, vector) VALUES (?, ?)",
            [(document, row.tobytes()) for (document, _), row in zip(rows, half, strict=True)],
        )

    def nearest(
        self,
        connection: apsw.Connection,
        asked: NDArray[np.float32],
        scopes: Sequence[int] | None,
        match: str,
    ) -> list[int]:
        """Return the documents whose sign bits are nearest to the query's.

        scopes: None for all. match: an FTS5 expression they must meet, "" for none.
        """
        where = f" AND document IN ({_MEETING})" if match else ""
        query = "SELECT document FROM document_codes WHERE code MATCH vec_bit(?) AND k = ?" + where
        values: list[Any] = [self._codes(asked[None])[0].tobytes(), _CANDIDATES]
        values += [match] if match else []
        if scopes is None:
            return first_column(connection, query, values)
        # vec0 compares a number with one value three times as fast as with a list of two
        return [
            document
            for scope in scopes
            for document in first_column(connection, f"{query} AND scope = ?", [*values, scope])
        ]

    def cosines(
        self, connection: apsw.Connection, asked: NDArray[np.float32], documents: Iterable[int]
    ) -> dict[int, float]:
        """Return the cosine of each of the documents that has a vector."""
        wanted = sorted(documents)
        found: list[tuple[Any, ...]] = []
        for start in range(0, len(wanted), _MOST_PARAMETERS):
            part = wanted[start : start + _MOST_PARAMETERS]
            found += all_rows(
                connection,
                "SELECT document, vector FROM document_vectors "
                f"WHERE document IN ({','.join('?' * len(part))})",
                part,
            )
        if not found:
            return {}
        blob = b"".join(vector for _, vector in found)
        matrix = np.frombuffer(blob, "<f2").reshape(len(found), -1).astype(np.float32)
        values = matrix @ asked
        return {document: float(value) for (document, _), value in zip(found, values, strict=True)}

    def _codes(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        assert self._rotation is not None, "prepare() comes first"
        return np.packbits(vectors @ self._rotation > 0, axis=1, bitorder="little")


def forget_vector(connection: apsw.Connection, document: int) -> None:
    """Forget the vector of a document, whichever model made it."""
    connection.execute("DELETE FROM document_vectors WHERE document = ?", (document,))
    if connection.changes():
        connection.execute("DELETE FROM document_codes WHERE document = ?", (document,))


def forget_vectors(connection: apsw.Connection) -> None:
    """Forget all vectors and the model that made them."""
    connection.execute(
        "DELETE FROM vector_model; DELETE FROM document_vectors; "
        "DROP TABLE IF EXISTS document_codes"
    )


def _random_rotation(dimension: int) -> NDArray[np.float32]:
    """Return a fixed random rotation. It is kept in the file: a seed is no promise for ever."""
    square = np.random.default_rng(_SEED).standard_normal((dimension, dimension))
    return np.linalg.qr(square)[0].astype(np.float32)
