"""Keeps the ingestion running while there is work, and feeds its events to the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.core.library.values import (
    DocumentChanged,
    DuplicateFound,
    FileRefused,
    IngestionEvent,
    PageFailed,
    PassProgress,
)
from desktop.ui.bridge import Bridge

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.core.library.ingestion import Ingestion
    from desktop.ui.errands import Errands
    from desktop.ui.library.model import LibraryModel


AGAIN_MS = 60_000
"""How often to look for work that came by itself: a model was installed, or memory is free."""


class Indexing(QObject):
    """One run at a time; started by `add` and `wake`, and again when work is left at its end.

    changed(): something to show. settled(): a run ended. appeared(id), document_changed(id):
    a manual is new, or has a new state. refused(name, reason), known(record),
    broke(exception): what a person should hear of.
    """

    changed = Signal()
    settled = Signal()
    appeared = Signal(int)
    document_changed = Signal(int)
    refused = Signal(str, str)
    known = Signal(object)
    broke = Signal(object)

    def __init__(
        self, ingestion: Ingestion, model: LibraryModel, errands: Errands, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._ingestion = ingestion
        self._model = model
        self._errands = errands
        self._moved = False
        self._closed = False
        self._bridge = Bridge("groundwork-indexing", self)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(self._ended)
        self._again = QTimer(self, interval=AGAIN_MS)
        self._again.timeout.connect(self.wake)
        self._again.start()

    @property
    def running(self) -> bool:
        return self._bridge.running

    def add(self, paths: Sequence[Path]) -> None:
        """Take files and folders in; a run that goes on picks them up by itself."""
        self._errands.run(lambda: self._ingestion.enqueue(paths), lambda _: self.wake())

    def wake(self) -> None:
        """Start a run unless one is going on or there is nothing to do."""
        if not self._closed and not self._bridge.running:
            self._errands.run(self._ingestion.has_work, self._start_if)

    def close(self) -> None:
        """Cancel and join."""
        self._closed = True
        self._again.stop()
        self._bridge.close()

    def _start_if(self, has_work: bool) -> None:
        if has_work and not self._closed and not self._bridge.running:
            self._moved = False
            self._bridge.start(self._ingestion.run)
            self.changed.emit()

    def _take(self, event: IngestionEvent) -> None:
        self._moved = True
        match event:
            case DocumentChanged():
                new = self._model.row_of(event.document.id) < 0
                self._model.put(event.document)
                self.document_changed.emit(event.document.id)
                if new:
                    self.appeared.emit(event.document.id)
            case PassProgress():
                self._model.advance(event)
            case DuplicateFound():
                self.known.emit(event.document)
            case FileRefused():
                self.refused.emit(event.path.name, event.reason)
            case PageFailed():
                pass  # the document's own row counts them
            case _:
                assert_never(event)
        self.changed.emit()

    def _ended(self, failure: BaseException | None) -> None:
        self.changed.emit()
        self.settled.emit()
        if failure is not None:
            self.broke.emit(failure)
        elif self._moved:
            # Something may have been enqueued while the run was ending. A run that did
            # nothing at all is not repeated: it would do nothing again, forever.
            QTimer.singleShot(0, self, self.wake)
