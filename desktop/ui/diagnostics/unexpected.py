"""Errors that nobody caught: into the log, and told in the window in plain words."""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.core.problems import failure_place

if TYPE_CHECKING:
    from types import TracebackType

logger = logging.getLogger(__name__)


class UnexpectedErrors(QObject):
    """happened(): in any thread; the log has where. Ctrl+C goes on to end the program."""

    happened = Signal()
    _seen = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen.connect(self.happened, Qt.ConnectionType.QueuedConnection)
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._take
        threading.excepthook = self._take_from_thread

    def close(self) -> None:
        """Leave them to Python again."""
        sys.excepthook, threading.excepthook = self._before

    def _take(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._before[0](kind, error, trace)  # a developer's terminal shows it in full
        if issubclass(kind, Exception):
            logger.error("unexpected: %s", failure_place(error))
            self._seen.emit()

    def _take_from_thread(self, args: threading.ExceptHookArgs) -> None:
        self._before[1](args)
        if args.exc_value is not None and issubclass(args.exc_type, Exception):
            logger.error("unexpected: %s", failure_place(args.exc_value))
            self._seen.emit()
