"""The passes that make vectors: of every unit worth one, then of how each page looks.

The vectors of pages are for late interaction, where there is a model for that.
"""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from desktop.core.errors import DocumentError, PdfNeedsPassword
from desktop.core.late_interaction.page_search import is_unmeasured, measure_if_grown
from desktop.core.late_interaction.page_vectors import (
    PageRow,
    page_row,
    store_rows,
    stored_model,
    use_model,
)
from desktop.core.library.documents import refresh_counts, require_document
from desktop.core.library.values import PageFailed
from desktop.core.library.work import Batches, PassMeter, mark_passes, start
from desktop.core.store.unit_vectors import note_vectors_gone, put_vectors
from desktop.models.errors import ModelError, ModelOutOfBudget
from desktop.sentences import ended, message, said, template, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import apsw

    from desktop.core.library.values import IngestionEvent
    from desktop.core.library.work import DocumentWork
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import PageEmbedder, TextEmbedder


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
        """Whether the library's vectors were made by another model than the embedder's.

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
        self._database.write(lambda c: use_text_model(c, model_id, dimension))

    def run(self, work: DocumentWork, stop: Callable[[], bool]) -> Iterator[IngestionEvent]:
        """Embed the pages that are missing until all are done or `stop` says so.

        Raises: ModelError; DocumentNotFound, when it was deleted meanwhile; DiskFull.
        """
        missing, total = self._database.read(lambda c: _laid_out_pages(c, work.id))
        if not missing or not self._database.write(lambda c: start(c, work.id)):
            return
        meter = PassMeter(work.id, "vectors", total - len(missing), total)
        batches = Batches[_PageVectors](
            self._database, lambda c, pages: _store_units(c, work.id, pages), self._settings
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


def _laid_out_pages(connection: apsw.Connection, document_id: int) -> tuple[list[int], int]:
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


def _store_units(connection: apsw.Connection, document_id: int, pages: list[_PageVectors]) -> None:
    require_document(connection, document_id)
    put_vectors(connection, document_id, (each for page in pages for each in page.vectors))
    mark_passes(connection, [(page.page_id, "vectors", "done", "") for page in pages])
    refresh_counts(connection, document_id)


def text_models_of(connection: apsw.Connection) -> list[str]:
    """Return the id of the text model that made the library's vectors; nothing without vectors."""
    return [str(row[0]) for row in connection.execute("SELECT model_id FROM vector_models")]


def use_text_model(connection: apsw.Connection, model_id: str, dimension: int) -> None:
    """Keep only text vectors of this model; those of another cannot be compared."""
    # No vectors are there yet, or those of another model, which cannot be compared.
    connection.execute("DELETE FROM unit_vectors")
    note_vectors_gone(connection)
    connection.execute("DELETE FROM page_passes WHERE pass = 'vectors'")
    connection.execute("UPDATE documents SET vectors_done = 0")
    connection.execute("DELETE FROM vector_models")
    connection.execute("INSERT INTO vector_models VALUES(?, ?)", (model_id, dimension))


_log = logging.getLogger(__name__)

PIXELS = 768 * 28 * 28 * 1.5
"""A page is drawn with half as many pixels again as ColQwen looks at, so that its processor
scales it down a little, as it was trained, and never up."""

PAUSE_SECONDS = 60.0
"""How long to leave the models' memory to others before it is asked for again."""

WAITING = template("Its pictures will be searched later: {reason}")
"""The reason of a manual whose pages wait for memory."""
_WAITS = f'%"{WAITING}"%'
"""How such a reason is stored."""

_LARGEST_SCALE = 4.0  # pixels per point: tiny pages are not blown up


@dataclass(frozen=True, slots=True)
class _Page:
    id: int
    page: int
    width: float
    height: float


class PageVectorPass:
    """Draws and embeds one page a step, so that a question waits for one page at most.

    Works on manuals that are ready, the last one dropped first; they stay ready meanwhile.
    Without a model there is nothing to do and nothing is pending.
    """

    def __init__(
        self,
        database: Database,
        parser: Parser,
        embedder: Callable[[], PageEmbedder | None],
    ) -> None:
        """Prepare. embedder: asked whenever there may be work, because models come and go."""
        self._database = database
        self._parser = parser
        self._embedder = embedder
        self._paused_until = -math.inf
        self._left_alone: set[int] = set()
        self._failed_model = ""

    def next_document(self) -> int | None:
        """Return the id of the document to go on with, None if nothing is to be done now.

        Vectors of another model than the present one are forgotten.
        """
        embedder = self._usable()
        if embedder is None or time.monotonic() < self._paused_until:
            return None
        model_id = embedder.model_id
        if self._database.read(lambda c: _made_by_another(c, model_id)):
            self._database.write(_forget)
        waiting = self._database.read(_unfinished)
        return next((each for each in waiting if each not in self._left_alone), None)

    def has_work(self) -> bool:
        """Whether `next_document` would return one; changes nothing."""
        embedder = self._usable()
        if embedder is None or time.monotonic() < self._paused_until:
            return False
        model_id = embedder.model_id
        return self._database.read(
            lambda c: (
                _made_by_another(c, model_id)
                or bool(set(_unfinished(c)) - self._left_alone)
                or is_unmeasured(c)
            )
        )

    def measure(self, stop: Callable[[], bool]) -> None:
        """Measure how many candidates a search needs, if the library has grown since."""
        if self._usable() is not None:
            measure_if_grown(self._database, stop)

    def run(self, work: DocumentWork, stop: Callable[[], bool]) -> Iterator[IngestionEvent]:
        """Embed the pages of a document that are missing until all are over or `stop` says so.

        A page that cannot be drawn or embedded is recorded and does not stop the
        others. If there is not enough memory for the model, the document says so and
        waits.

        Raises: DocumentNotFound, when it was deleted meanwhile; DiskFull.
        """
        embedder = self._usable()
        if embedder is None:
            return
        missing = self._database.read(lambda c: _pages_not_seen(c, work.id))
        if not missing or not work.path.exists():
            self._left_alone.add(work.id)
            return
        meter = PassMeter(work.id, "pictures", work.page_count - len(missing), work.page_count)
        for page in missing:
            if stop():
                break
            try:
                failure = self._do(embedder, work, page)
            except PdfNeedsPassword:  # it was given in an earlier run and is not kept
                self._left_alone.add(work.id)
                break
            except ModelOutOfBudget as error:
                self._pause(work.id, error)
                break
            except ModelError as error:
                _log.warning("page vectors are not available: %s", error)
                self._failed_model = embedder.model_id
                break
            if failure:
                yield PageFailed(work.id, page.page, "pictures", failure)
            yield from meter.advance(1)
        yield from meter.last()

    def _do(self, embedder: PageEmbedder, work: DocumentWork, page: _Page) -> str:
        """Draw, embed and store a page; return why that failed, or "".

        Raises: PdfNeedsPassword, ModelError, DocumentNotFound.
        """
        model_id = embedder.model_id
        try:
            scale = drawing_scale(page.width, page.height)
            image = self._parser.draw(work.path, page.page, scale, password=work.password)
            pixels = image.pixels()
            if not pixels.size:
                raise ValueError(said("The page has no area"))
            (vectors,) = embedder.embed_pages([pixels])
        except PdfNeedsPassword:
            raise
        except (DocumentError, OSError, ValueError) as error:
            reason = ended(message(error))
            self._database.write(lambda c: _over(c, work.id, page.id, reason))
            return reason
        row = page_row(page.id, vectors)
        dimension = vectors.vectors.shape[1]
        self._database.write(lambda c: _store_picture(c, work.id, row, (model_id, dimension)))
        return ""

    def _usable(self) -> PageEmbedder | None:
        embedder = self._embedder()
        if embedder is None or embedder.model_id == self._failed_model:
            return None
        return embedder

    def _pause(self, document_id: int, error: ModelOutOfBudget) -> None:
        _log.info("page vectors wait for memory: %s", error)
        self._paused_until = time.monotonic() + PAUSE_SECONDS
        reason = to_text(said(WAITING, reason=ended(message(error))))
        self._database.write(
            lambda c: c.execute(
                "UPDATE documents SET reason = ? WHERE id = ? AND state = 'ready'"
                " AND (reason = '' OR reason LIKE ?)",
                (reason, document_id, _WAITS),
            )
        )


def drawing_scale(width: float, height: float) -> float:
    """Return the pixels per point at which a page of so many points has about PIXELS."""
    return min(math.sqrt(PIXELS / max(width * height, 1.0)), _LARGEST_SCALE)


def _unfinished(connection: apsw.Connection) -> list[int]:
    rows = connection.execute(
        "SELECT id FROM documents WHERE state = 'ready' AND page_count > pictures_done"
        " ORDER BY priority DESC, id"
    )
    return [int(row[0]) for row in rows]


def _pages_not_seen(connection: apsw.Connection, document_id: int) -> list[_Page]:
    rows = connection.execute(
        "SELECT p.id, p.page, p.width, p.height FROM pages AS p"
        " LEFT JOIN page_passes AS s ON s.page_id = p.id AND s.pass = 'pictures'"
        " WHERE p.document_id = ? AND s.page_id IS NULL ORDER BY p.page",
        (document_id,),
    )
    return [_Page(*cast("tuple[int, int, float, float]", row)) for row in rows]


def _made_by_another(connection: apsw.Connection, model_id: str) -> bool:
    stored = stored_model(connection)
    return stored is not None and stored[0] != model_id


def _forget(connection: apsw.Connection) -> None:
    """Drop the vectors of another model, so that every page is embedded anew."""
    stored = stored_model(connection)
    if stored is not None:
        use_model(connection, *stored)
        connection.execute("DELETE FROM page_vector_models")


def _store_picture(
    connection: apsw.Connection, document_id: int, row: PageRow, model: tuple[str, int]
) -> None:
    require_document(connection, document_id)
    if stored_model(connection) != model:
        use_model(connection, *model)
    store_rows(connection, document_id, [row])
    _over(connection, document_id, row.page_id, "")


def _over(connection: apsw.Connection, document_id: int, page_id: int, reason: str) -> None:
    require_document(connection, document_id)
    mark_passes(connection, [(page_id, "pictures", "failed" if reason else "done", reason)])
    refresh_counts(connection, document_id)
    connection.execute(
        "UPDATE documents SET reason = '' WHERE id = ? AND reason LIKE ?", (document_id, _WAITS)
    )
