"""Nearest text vectors in sqlite-vec, best window of each page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw
    from numpy.typing import NDArray

    from desktop.core.retrieval.unit_vectors import UnitVectors


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
