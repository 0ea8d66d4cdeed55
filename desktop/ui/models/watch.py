"""Looking at models and memory while they are shown, and the meter in the status line."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton

from desktop.ui.bridge import Bridge
from desktop.ui.design.controls import make_flat, plain_tooltip, set_tone
from desktop.ui.design.icons import icon
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Space, Type
from desktop.ui.models import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.jobs import CancelToken
    from desktop.models.manager import ModelManager
    from desktop.models.overview import MemoryStatus, ModelStatus, ProfileStatus

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

    def __init__(self, manager: ModelManager, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._manager = manager
        self._wake = threading.Event()
        self._complained = False
        self._bridge = Bridge("groundwork-models-watch", self, resumes=True)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(self._ended)
        self._retry = QTimer(self, singleShot=True)
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


TRACK = 3


class MemoryMeter(QToolButton):
    """Hidden until there is a model; amber when little of the budget is left."""

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, "memory-stick", self.tr("Model memory"), caption=True)
        self.setFont(scaled_font(Type.SMALL))
        self._share = 0.0
        self._full = False
        self.hide()

    @property
    def nearly_full(self) -> bool:
        """Whether it asks for attention."""
        return self._full

    def show_memory(self, seen: Snapshot) -> None:
        memory = seen.memory
        self._share = words.memory_share(memory)
        full = words.nearly_full(memory)
        line = words.memory_line(memory)
        loaded = words.loaded_models(seen.models, memory)
        if full:
            loaded = self.tr(
                "Nearly full: the next model may have to wait for room.\n{rest}"
            ).format(rest=loaded)
        self.setText(f" {line}")
        self.setToolTip(
            plain_tooltip(
                self.tr("{loaded}\n{machine}\nClick to open the models.").format(
                    loaded=loaded, machine=words.whole_machine(memory)
                )
            )
        )
        self.setAccessibleName(line)
        self.setAccessibleDescription(loaded)
        self._full = full
        self.setIcon(icon("triangle-alert", "attention") if full else icon("memory-stick"))
        set_tone(self, "attention" if full else "")
        self.setVisible(any(each.state != "available" for each in seen.models))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        c = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(Space.S, self.height() - TRACK - 3, self.width() - 2 * Space.S, TRACK)
        painter.setBrush(QColor(c.trough))
        painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
        if self._share > 0:
            track.setWidth(max(TRACK, track.width() * self._share))
            painter.setBrush(QColor(c.attention if self._full else c.accent))
            painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
        painter.end()
