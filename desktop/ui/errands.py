"""Small edits of the library, one after the other on their own thread.

Each is a database write or a file operation: milliseconds, but not the window's.
They are never dropped: closing waits for the ones that were asked for.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.core.jobs import CancelToken
from desktop.ui.bridge import Bridge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class _Errand:
    work: Callable[[], Any]
    then: Callable[[Any], object] | None


@dataclass(frozen=True, slots=True)
class _Outcome:
    errand: _Errand
    result: Any
    failure: Exception | None


class Errands(QObject):
    """failed(exception): an errand raised; the others go on."""

    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: queue.SimpleQueue[_Errand] = queue.SimpleQueue()
        self._bridge = Bridge("groundwork-errands", self)
        self._bridge.received.connect(self._hand_over)
        self._bridge.finished.connect(lambda _: self._start())

    def run(self, work: Callable[[], Any], then: Callable[[Any], object] | None = None) -> None:
        """Do `work` soon; `then` gets its result on the UI thread."""
        self._waiting.put(_Errand(work, then))
        self._start()

    def close(self) -> None:
        """Finish what was asked for and join the thread."""
        self._bridge.close()
        for _ in self._drain(CancelToken()):
            pass

    def _start(self) -> None:
        if not self._bridge.running and not self._waiting.empty():
            self._bridge.start(self._drain)

    def _drain(self, _cancel: CancelToken) -> Iterator[_Outcome]:
        while True:
            try:
                errand = self._waiting.get_nowait()
            except queue.Empty:
                return
            try:
                yield _Outcome(errand, errand.work(), None)
            except Exception as error:  # handed to the window, which explains it
                yield _Outcome(errand, None, error)

    def _hand_over(self, outcome: _Outcome) -> None:
        if outcome.failure is not None:
            self.failed.emit(outcome.failure)
        elif outcome.errand.then is not None:
            outcome.errand.then(outcome.result)
