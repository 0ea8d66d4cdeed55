"""Keeps the vectors of notes complete, in the background."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from desktop.core.errors import LibraryError
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.problems import failure_place
from desktop.models.errors import ModelError
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from desktop.core.notes.desk import NoteDesk

logger = logging.getLogger(__name__)


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
