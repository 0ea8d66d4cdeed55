"""The codes of all pages of a library in memory, brought up to date before each search."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, cast

import numpy as np

from desktop.core.retrieval.late_interaction.loaded_codes import CodeRow, LoadedCodes
from desktop.core.retrieval.late_interaction.page_rows import stored_model
from desktop.core.retrieval.late_interaction.sign_codes import words_of

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw
    from numpy.typing import NDArray

    from desktop.core.retrieval.late_interaction.sign_codes import QuestionCodes
    from desktop.core.store.database import Database


class PageIndex:
    """Reads the library when it is first asked; later only what came and went.

    About 5 KB a page of 700 patches. May be used from any thread, by one at a time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._model: tuple[str, int] | None = None
        self._loaded = LoadedCodes(1)
        self._seen = (0, 0)

    def refresh(self) -> tuple[str, int] | None:
        """Take in the pages that came, drop those that went.

        Returns: the model of the vectors and their dimension, None if there are none.
        """
        with self._guard:
            return self._database.read(self._read)

    def pages(self, documents: Collection[int] = ()) -> NDArray[np.int64]:
        """Return the ids of the pages of these documents, of all if none is named."""
        with self._guard:
            return self._loaded.page_ids(self._loaded.slots(documents))

    def candidates(
        self, question: QuestionCodes, documents: Collection[int], first: int, second: int
    ) -> NDArray[np.int64]:
        """Return the ids of the `second` pages that look best, of the `first` at a rough look.

        documents: only pages of these; all if none is named.
        """
        with self._guard:
            slots = self._loaded.slots(documents)
            if len(slots) > first:
                slots = _best(slots, self._loaded.rough(question, slots), first)
            if len(slots) > second:
                slots = _best(slots, self._loaded.fine(question, slots), second)
            return self._loaded.page_ids(slots)

    def ranks(
        self, question: QuestionCodes, among: NDArray[np.int64], wanted: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the places of the pages `wanted` among others, from 1, at the two looks.

        Returns: shape (2, n_found): pages that are gone by now have no place.
        """
        with self._guard:
            slots = self._loaded.slots_of_pages(among)
            places = np.flatnonzero(np.isin(self._loaded.page_ids(slots), wanted))
            looks = (self._loaded.rough(question, slots), self._loaded.fine(question, slots))
        return np.array([[1 + (look > look[place]).sum() for place in places] for look in looks])

    def _read(self, connection: apsw.Connection) -> tuple[str, int] | None:
        model = stored_model(connection)
        if model != self._model:
            self._model, self._seen = model, (0, 0)
            self._loaded = LoadedCodes(words_of(model[1]) if model else 1)
        # An id is never used again: the same last id and count mean the same pages.
        rows = connection.execute("SELECT coalesce(max(id), 0), count(*) FROM page_codes")
        newest, count = cast("tuple[int, int]", rows.fetchall()[0])
        if model is None or (newest, count) == self._seen:
            return model
        if len(self._loaded):
            ids = {id_ for (id_,) in connection.execute("SELECT id FROM page_codes")}
            self._loaded.remove([code for code in self._loaded.codes if code not in ids])
        new = connection.execute(
            "SELECT id, page_id, document_id, coarse, fine FROM page_codes WHERE id > ?",
            (self._seen[0],),
        ).fetchall()
        self._loaded.add(cast("list[CodeRow]", new))
        self._seen = (newest, count)
        return model


def _best(slots: NDArray[np.int64], scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    return slots[np.argpartition(-scores, count - 1)[:count]]
