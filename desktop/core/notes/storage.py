"""The knowledge file of a library: how it is opened, and the vectors of its notes kept complete."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

from desktop.core.errors import LibraryError
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.notes.entities import tells_of_another
from desktop.core.problems import failure_place
from desktop.core.store.connection import PAGE_SIZE, connect_writer, make_durable, named_errors
from desktop.models.errors import ModelError
from knowledge.base import memory_knowledge_base, sqlite_knowledge_base
from knowledge.errors import KnowledgeError, VectorsUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from desktop.core.notes.desk import NoteDesk
    from desktop.models.roles import TextEmbedder
    from knowledge.base import KnowledgeBase

# What a prompt is told: a model reads slowly, and what is further off misleads it.
_MOST_PIECES = 6
_LEAST_SCORE = 0.2

logger = logging.getLogger(__name__)


class NoteVectors:
    """Satisfies the `TextVectors` of the knowledge base with the library's text models.

    Where a question cannot have its vector, notes are searched by their words.
    """

    def __init__(self, asking: TextEmbedder, keeping: TextEmbedder) -> None:
        """asking: for questions. keeping: for notes, which gives way to questions."""
        self._asking = asking
        self._keeping = keeping
        self._last: tuple[tuple[str, ...], NDArray[np.float32]] | None = None

    @property
    def model_id(self) -> str:
        """Name and revision of the model."""
        return self._asking.model_id

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._asking.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed notes.

        Raises: ModelError.
        """
        return self._keeping.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions; the last one, which is searched for twice, once.

        Raises: VectorsUnavailable.
        """
        last = self._last
        if last is not None and last[0] == tuple(queries):
            return last[1]
        try:
            made = self._asking.embed_queries(queries)
        except ModelError as error:
            logger.info("notes are searched by words: %s", type(error).__name__)
            raise VectorsUnavailable(str(error)) from error
        self._last = (tuple(queries), made)
        return made


def open_notes(path: Path | None, vectors: NoteVectors | None) -> KnowledgeBase:
    """Open the knowledge file, made if it is not there; None for one in memory.

    Raises: KnowledgeError, LibraryError.
    """
    asked: dict[str, Any] = {
        "top_k": _MOST_PIECES,
        "least_score": _LEAST_SCORE,
        "graph_backwards": tells_of_another,
    }
    if path is None:
        return memory_knowledge_base(vectors, **asked)
    return sqlite_knowledge_base(lambda: _connect(path), vectors, embed_later=True, **asked)


def _connect(path: Path) -> apsw.Connection:
    connection = connect_writer(path)
    try:
        with named_errors(path):
            connection.pragma("page_size", PAGE_SIZE)
            make_durable(connection)
    except BaseException:
        connection.close(True)
        raise
    return connection


class VectorKeeper:
    """Makes missing vectors when it starts and after every change, on a thread of its own.

    Until a note has its vector it is found by its words. What a stop leaves undone is done at
    the next start.
    """

    def __init__(self, desk: NoteDesk) -> None:
        self._desk = desk
        self._cancel = CancelToken()
        self._wanted = threading.Event()
        self._wanted.set()
        self._end_listening = desk.subscribe(self._wanted.set)
        self._thread = threading.Thread(target=self._run, name="note vectors", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop after the batch that is being made."""
        self._end_listening()
        self._cancel.cancel()
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            try:
                self._cancel.check()
                for _left in self._desk.embed_missing(self._cancel):
                    pass
            except Cancelled:
                return
            except (ModelError, KnowledgeError, LibraryError) as error:
                # found by words meanwhile; the next change tries again
                logger.warning("vectors of notes are not made: %s", failure_place(error))
