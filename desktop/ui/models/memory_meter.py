"""The memory meter of the status bar: what models use of their budget; a click opens the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.ui.controls import make_flat, plain_tooltip, set_tone
from desktop.ui.icons import icon
from desktop.ui.models import words
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.ui.models.watch import Snapshot

TRACK = 3


class MemoryMeter(QToolButton):
    """Hidden until something was measured; amber when little of the budget is left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_flat(self, "memory-stick", self.tr("Memory of the models"), caption=True)
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
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        c = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(Space.S, self.height() - TRACK - 3, self.width() - 2 * Space.S, TRACK)
        painter.setBrush(QColor(c.border))
        painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
        if self._share > 0:
            track.setWidth(max(TRACK, track.width() * self._share))
            painter.setBrush(QColor(c.attention if self._full else c.accent))
            painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
        painter.end()
