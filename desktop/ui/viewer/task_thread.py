"""Reads of the library on a thread of their own, answered on the UI thread."""

from __future__ import annotations

import logging
import queue
import threading
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from desktop.core.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)
T = TypeVar("T")


class TaskThread(QObject):
    """Runs one task after the other; the answers come as calls on the UI thread."""

    _answered = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = False
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._work, name=name)
        self._thread.start()

    def submit(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Run `work` on the thread, then `then(result)` or `failed(error)` on the UI thread.

        Only errors of the library and of files count as failures; anything else is a
        bug and is logged with its traceback.
        """

        def run() -> None:
            try:
                result = work()
            except (LibraryError, OSError, ValueError) as error:
                problem: Exception = error
                _log.warning("%s: %s", self._thread.name, problem)
                if failed is not None:
                    self.answer(lambda: failed(problem))
            else:
                self.answer(lambda: then(result))

        self._tasks.put(run)

    def answer(self, call: Callable[[], None]) -> None:
        """Have `call` called on the UI thread; for tasks that tell more than one thing."""
        self._answered.emit(call)

    def shutdown(self) -> None:
        """End the thread after its current task; later answers are dropped."""
        self._closed = True
        self._tasks.put(None)
        self._thread.join()

    def _answer(self, call: Callable[[], None]) -> None:
        if not self._closed:
            call()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            if self._closed:
                continue
            try:
                task()
            except Exception:  # a bug in one task must not end all later ones
                _log.exception("%s: task failed", self._thread.name)
