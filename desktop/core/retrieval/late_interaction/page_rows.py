"""A page's vectors as rows of the library file, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from desktop.core.retrieval.late_interaction.pooling import COARSE, FINE, pooled
from desktop.core.retrieval.late_interaction.remainders import (
    packed_remainders,
    packed_width,
    remainders,
)
from desktop.core.retrieval.late_interaction.sign_codes import page_codes, turning
from desktop.core.store.schema import page_vectors_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.models.roles import PageVectors

_LARGEST = 127
_TURNED, _WITH_REMAINDERS = 1, 2


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page as it is stored; the columns of `page_codes`, `page_patches`, `page_vectors`."""

    page_id: int
    coarse: bytes
    fine: bytes
    first_patch: int
    grid_rows: int
    grid_columns: int
    scales: bytes
    vectors: bytes
    mean: bytes


@dataclass(frozen=True, slots=True, eq=False)
class StoredPage:
    """A page's own vectors: int8, (n, dimension), each times its scale, float32, (n,).

    turned: whether they were rotated before they became int8, as all are since schema 8.
    Without one a few strong coordinates set the scale, and the rest is rounded coarsely: the
    error of a dot product of real token states falls by a third. remainders: see the module of
    that name, uint8; None for pages that were stored before there were any.
    """

    page_id: int
    first_patch: int
    grid_rows: int
    grid_columns: int
    scales: NDArray[np.float32]
    vectors: NDArray[np.int8]
    turned: bool
    remainders: NDArray[np.uint8] | None = None

    def finest(self, places: slice | NDArray[np.intp]) -> NDArray[np.float32]:
        """Return some of `vectors` with their scales, as exactly as they are stored."""
        vectors = self.vectors[places].astype(np.float32)
        if self.remainders is not None:
            vectors += remainders(self.remainders[places], vectors.shape[1])
        return vectors * self.scales[places, None]

    def originals(self, mine: slice = slice(None)) -> NDArray[np.float32]:
        """Return vectors as the model made them, float32, shape (n, dimension)."""
        vectors = self.finest(mine)
        if self.turned:
            vectors = vectors @ turning(vectors.shape[1]).T
        return np.asarray(vectors, np.float32)

    def asked(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a question's vectors, (n_tokens, dimension), as they meet `vectors`."""
        return question @ turning(question.shape[1]) if self.turned else question

    def patches(self) -> NDArray[np.float32]:
        """Return the patch vectors, float32, shape (grid_rows * grid_columns, dimension)."""
        mine = slice(self.first_patch, self.first_patch + self.grid_rows * self.grid_columns)
        return self.originals(mine)


def page_row(page_id: int, page: PageVectors) -> PageRow:
    """Prepare a page for the library file; 20 to 30 ms for 700 vectors."""
    vectors = np.ascontiguousarray(page.vectors, np.float32)
    coarse, fine = (page_codes(each).tobytes() for each in pooled(vectors, (COARSE, FINE)))
    turned = vectors @ turning(vectors.shape[1])
    whole, scales = quantized(turned)
    mean = page.patches.mean(axis=0)
    mean = mean / max(float(np.linalg.norm(mean)), 1e-12)
    return PageRow(
        page_id,
        coarse,
        fine,
        page.first_patch,
        page.rows,
        page.columns,
        np.asarray(scales, "<f4").tobytes() + packed_remainders(turned, whole, scales).tobytes(),
        whole.tobytes(),
        np.asarray(mean, "<f4").tobytes(),
    )


def quantized(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return int8 vectors of the same shape and the float32 scale of each."""
    scales = np.maximum(np.abs(vectors).max(axis=1) / _LARGEST, 1e-12).astype(np.float32)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def store_rows(connection: apsw.Connection, document_id: int, rows: Sequence[PageRow]) -> None:
    """Write pages, also those that were there already; on the writer's connection."""
    ids = [(row.page_id,) for row in rows]
    connection.executemany("DELETE FROM page_codes WHERE page_id = ?", ids)
    connection.executemany("DELETE FROM page_vectors WHERE page_id = ?", ids)
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
                _WITH_REMAINDERS,
            )
            for r in rows
        ],
    )
    connection.executemany(
        "INSERT INTO page_vectors(page_id, document_id, vector) VALUES(?, ?, ?)",
        [(row.page_id, document_id, row.mean) for row in rows],
    )


def stored_model(connection: apsw.Connection) -> tuple[str, int] | None:
    """Return the id and the dimension of the model that made the page vectors, if any."""
    rows = connection.execute("SELECT model_id, dimension FROM page_vector_models").fetchall()
    return cast("tuple[str, int]", rows[0]) if len(rows) == 1 else None


def use_model(connection: apsw.Connection, model_id: str, dimension: int) -> None:
    """Keep page vectors of this model alone; those of another cannot be compared."""
    connection.execute("DROP TABLE page_vectors")
    connection.execute(page_vectors_table(dimension))
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
        "SELECT page_id, first_patch, grid_rows, grid_columns, scales, vectors, turned"
        " FROM page_patches"
        f" WHERE page_id IN ({','.join('?' * len(ids))}) ORDER BY page_id",
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
    turned: int,
) -> StoredPage:
    values = np.frombuffer(vectors, np.int8).reshape(-1, dimension)
    sizes = np.frombuffer(scales, "<f4", len(values))
    finer = None
    if turned == _WITH_REMAINDERS:
        packed = np.frombuffer(scales, np.uint8, offset=sizes.nbytes)
        finer = packed.reshape(len(values), packed_width(dimension))
    return StoredPage(page_id, first, rows, columns, sizes, values, turned >= _TURNED, finer)
