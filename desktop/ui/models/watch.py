"""Looks at the models again and again on a thread of its own, for the page and the meter.

Looking may read the disk and ask the system for memory, so the UI thread never does it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.ui.bridge import Bridge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.jobs import CancelToken
    from desktop.models.status import MemoryStatus, ModelStatus, ProfileStatus
    from desktop.ui.models.manager_port import Manager

LOOK_SECONDS = 1.5
LEAST_SECONDS = 0.08
"""Changes closer together than this, as while loading, are looked at once."""
RETRY_MS = 10_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything the page shows, as it was at one moment. profile: the id of what answers."""

    models: tuple[ModelStatus, ...]
    memory: MemoryStatus
    profiles: tuple[ProfileStatus, ...]
    profile: str

    def model(self, model_id: str) -> ModelStatus | None:
        return next((each for each in self.models if each.id == model_id), None)


class ModelWatch(QObject):
    """changed(snapshot): something is different. broke(exception): looking failed."""

    changed = Signal(object)
    broke = Signal(object)

    def __init__(self, manager: Manager, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._manager = manager
        self._wake = threading.Event()
        self._complained = False
        self._bridge = Bridge("groundwork-models-watch", self)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(self._ended)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self.start)

    def start(self) -> None:
        self._bridge.start(self._look_on)

    def look(self) -> None:
        """Look at once; callable from any thread."""
        self._wake.set()

    def close(self) -> None:
        """Stop and join."""
        self._retry.stop()
        self._bridge.cancel()
        self._wake.set()
        self._bridge.close()

    def _look_on(self, cancel: CancelToken) -> Iterator[Snapshot]:
        forget = self._manager.subscribe(self.look)
        known: Snapshot | None = None
        pause = threading.Event()
        try:
            while True:
                # Cleared before the token is read: close() sets them in the other order.
                self._wake.clear()
                if cancel.cancelled:
                    return
                seen = Snapshot(
                    tuple(self._manager.models()),
                    self._manager.memory(),
                    tuple(self._manager.profiles()),
                    self._manager.answering_profile(),
                )
                if seen != known:
                    known = seen
                    yield seen
                self._wake.wait(LOOK_SECONDS)
                pause.wait(LEAST_SECONDS)
        finally:
            forget()

    def _take(self, seen: Snapshot) -> None:
        self._complained = False
        self.changed.emit(seen)

    def _ended(self, failure: BaseException | None) -> None:
        if failure is not None:
            self._retry.start(RETRY_MS)
            if not self._complained:
                self._complained = True
                self.broke.emit(failure)
