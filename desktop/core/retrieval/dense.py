"""Nearest text vectors in sqlite-vec, best window of each page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw
    from numpy.typing import NDArray


def nearest_units(
    connection: apsw.Connection,
    vector: NDArray[np.float32],
    documents: Collection[int],
    limit: int,
) -> dict[int, float]:
    """Return unit id -> cosine similarity of the units nearest to `vector`.

    vector: float32, shape (dimension,), unit length.
    """
    marks = ",".join("?" * len(documents))
    only = f" AND document_id IN ({marks})" if documents else ""
    rows = connection.execute(
        f"SELECT unit_id, 1.0 - distance FROM unit_vectors WHERE vector MATCH ? AND k = ?{only}",
        (np.ascontiguousarray(vector, "<f4").tobytes(), limit, *documents),
    )
    return {unit_id: similarity for unit_id, similarity in rows}
