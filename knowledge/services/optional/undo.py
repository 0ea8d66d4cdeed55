"""Undoing, call by call, what a failed transaction changed in a database without transactions."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class UndoLog:
    """Remembers how to undo each change as long as a transaction runs; one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._undo: list[Callable[[], object]] | None = None

    def changed(self, undo: Callable[[], object]) -> None:
        """Remember how to undo a change that was just made."""
        with self._lock:
            if self._undo is not None:
                self._undo.append(undo)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Undo what was changed inside if it raises, the last change first."""
        with self._lock:
            if self._undo is not None:
                yield  # part of the outer one
                return
            self._undo = []
            try:
                yield
            except BaseException:
                changes, self._undo = self._undo, None
                for undo in reversed(changes):
                    undo()
                raise
            finally:
                self._undo = None
