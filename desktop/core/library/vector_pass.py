"""Pass 3: a vector for every unit that is worth one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from desktop.core.library.documents import refresh_counts, require_document
from desktop.core.library.progress import Batches, PassMeter
from desktop.core.library.work import mark_passes, start
from desktop.core.store.schema import note_vector_change, unit_vectors_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import apsw

    from desktop.core.library.values import IngestionEvent
    from desktop.core.library.work import DocumentWork
    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import TextEmbedder


@dataclass(frozen=True, slots=True)
class _PageVectors:
    page_id: int
    vectors: tuple[tuple[int, bytes], ...]


class VectorPass:
    """Embeds units in steps so small that a question does not wait long for its turn."""

    def __init__(
        self, database: Database, embedder: TextEmbedder, settings: IngestionSettings
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._settings = settings

    def outdated(self) -> bool:
        """Whether the library's vectors are those of another model than the embedder's.

        Raises: ModelError.
        """
        stored = self._database.read(text_models_of)
        return bool(stored) and stored != [self._embedder.model_id]

    def prepare(self) -> None:
        """Make the vector table fit the embedder; vectors of another model are dropped.

        Raises: ModelError.
        """
        model_id = self._embedder.model_id
        if self._database.read(text_models_of) == [model_id]:
            return  # asking for the dimension may load the model, for nothing
        dimension = self._embedder.dimension
        self._database.write(lambda c: _use_model(c, model_id, dimension))

    def run(self, work: DocumentWork, stop: Callable[[], bool]) -> Iterator[IngestionEvent]:
        """Embed the pages that are missing until all are done or `stop` says so.

        Raises: ModelError; DocumentNotFound, when it was deleted meanwhile; DiskFull.
        """
        missing, total = self._database.read(lambda c: _missing(c, work.id))
        if not missing or not self._database.write(lambda c: start(c, work.id)):
            return
        meter = PassMeter(work.id, "vectors", total - len(missing), total)
        batches = Batches[_PageVectors](
            self._database, lambda c, pages: _store(c, work.id, pages), self._settings
        )
        for page_id in missing:
            vectors = self._embed(page_id, stop)
            if vectors is None:
                break
            yield from meter.advance(len(batches.add(vectors)))
        yield from meter.advance(len(batches.flush()))
        yield from meter.last()

    def _embed(self, page_id: int, stop: Callable[[], bool]) -> _PageVectors | None:
        """Embed a page; None if `stop` came in between."""
        units = self._database.read(lambda c: _texts(c, page_id))
        size = self._settings.embedding_batch
        found: list[tuple[int, bytes]] = []
        for first in range(0, len(units), size):
            if stop():
                return None
            step = units[first : first + size]
            rows = np.asarray(self._embedder.embed([text for _, text in step]), "<f4")
            found += [
                (unit_id, row.tobytes()) for (unit_id, _), row in zip(step, rows, strict=True)
            ]
        return None if stop() else _PageVectors(page_id, tuple(found))


def _missing(connection: apsw.Connection, document_id: int) -> tuple[list[int], int]:
    """Return the ids of laid-out pages without vectors, in order, and of all laid-out pages."""
    rows = connection.execute(
        "SELECT p.id, v.page_id IS NULL FROM pages AS p"
        " JOIN page_passes AS l ON l.page_id = p.id AND l.pass = 'layout' AND l.state = 'done'"
        " LEFT JOIN page_passes AS v ON v.page_id = p.id AND v.pass = 'vectors'"
        " WHERE p.document_id = ? ORDER BY p.page",
        (document_id,),
    ).fetchall()
    found = cast("list[tuple[int, int]]", rows)
    return [row_id for row_id, missing in found if missing], len(found)


def _texts(connection: apsw.Connection, page_id: int) -> list[tuple[int, str]]:
    rows = connection.execute(
        "SELECT id, context, text FROM units WHERE page_id = ? AND embed ORDER BY id", (page_id,)
    )
    return [(unit_id, f"{context}\n{text}" if context else text) for unit_id, context, text in rows]


def _store(connection: apsw.Connection, document_id: int, pages: list[_PageVectors]) -> None:
    require_document(connection, document_id)
    connection.executemany(
        "INSERT INTO unit_vectors(unit_id, document_id, vector) VALUES(?, ?, ?)",
        [(unit_id, document_id, row) for page in pages for unit_id, row in page.vectors],
    )
    note_vector_change(connection)
    mark_passes(connection, [(page.page_id, "vectors", "done", "") for page in pages])
    refresh_counts(connection, document_id)


def text_models_of(connection: apsw.Connection) -> list[str]:
    """Return the id of the text model that made the library's vectors; nothing without vectors."""
    return [str(row[0]) for row in connection.execute("SELECT model_id FROM vector_models")]


def _use_model(connection: apsw.Connection, model_id: str, dimension: int) -> None:
    # No vectors are there yet, or those of another model, which cannot be compared.
    connection.execute("DROP TABLE unit_vectors")
    connection.execute(unit_vectors_table(dimension))
    note_vector_change(connection)
    connection.execute("DELETE FROM page_passes WHERE pass = 'vectors'")
    connection.execute("UPDATE documents SET vectors_done = 0")
    connection.execute("DELETE FROM vector_models")
    connection.execute("INSERT INTO vector_models VALUES(?, ?)", (model_id, dimension))
