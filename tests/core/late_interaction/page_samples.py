"""Libraries of made-up page vectors: patches in runs that resemble each other, as on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.late_interaction.page_vectors import page_row, store_rows, use_model
from desktop.core.library.documents import insert_document
from desktop.models.roles import PageVectors

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from desktop.core.store.database import Database

MODEL = "made-up@1"


def unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def maxsim(question: NDArray[np.float32], page: NDArray[np.float32]) -> float:
    """Score one page as the papers write it, the reference for every faster way."""
    return float((question @ page.T).max(axis=1).sum())


def made_up_page(
    chance: np.random.Generator, rows: int = 12, columns: int = 8, dimension: int = 128
) -> PageVectors:
    """Eight runs of neighbouring patches, each about one of 200 subjects of all manuals."""
    count = rows * columns
    subjects = unit(np.random.default_rng(0).standard_normal((200, dimension)))
    chosen = subjects[chance.integers(0, len(subjects), 8)]
    centres = unit(chosen + 0.4 * unit(chance.standard_normal(chosen.shape)))
    runs = centres[np.sort(chance.integers(0, 8, count))]
    patches = unit(runs + 0.6 * unit(chance.standard_normal((count, dimension))))
    before = unit(np.ones((3, dimension)))
    return PageVectors(np.concatenate([before, patches]), 3, rows, columns)


def question_about(
    page: PageVectors, chance: np.random.Generator, tokens: int = 12
) -> NDArray[np.float32]:
    chosen = page.patches[chance.integers(0, len(page.patches), tokens)]
    return unit(chosen + 0.8 * unit(chance.standard_normal(chosen.shape)))


def add_manual(
    database: Database, pages: list[PageVectors], name: str = "manual", model_id: str = MODEL
) -> tuple[int, list[int]]:
    """Store a manual with these pages; return its id and its pages' row ids."""

    def write(connection: apsw.Connection) -> tuple[int, list[int]]:
        document_id = insert_document(connection, f"hash of {name}", f"{name}.pdf", 1, 0)
        dimension = pages[0].vectors.shape[1]
        if not connection.execute("SELECT 1 FROM page_vector_models").fetchone():
            use_model(connection, model_id, dimension)
        ids = []
        for number, page in enumerate(pages):
            connection.execute(
                "INSERT INTO pages(document_id, page, label, width, height)"
                " VALUES(?, ?, ?, 600, 800)",
                (document_id, number, str(number + 1)),
            )
            ids.append(connection.last_insert_rowid())
            store_rows(connection, document_id, [page_row(ids[-1], page)])
        return document_id, ids

    return database.write(write)
