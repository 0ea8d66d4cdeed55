"""The page's picture of the memory budget: models, what they remember, and what is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.controls import label, set_tone
from desktop.ui.models import words
from desktop.ui.theme import colours
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.models.status import MemoryStatus

HEIGHT = 12


class MemoryPart(QWidget):
    """Says and draws a `MemoryStatus`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = label("", bold=True, wrap=True)
        self._bar = _Bar()
        self._machine = label("", factor=Type.SMALL, tone="muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        for widget in (self._line, self._bar, self._machine):
            column.addWidget(widget)

    def show_memory(self, memory: MemoryStatus) -> None:
        full = words.nearly_full(memory)
        budget = words.size(memory.budget_bytes)
        if memory.used_bytes:
            text = self.tr("Models use {used} of the {budget} they may have").format(
                used=words.size(memory.used_bytes), budget=budget
            )
        else:
            text = self.tr("Models use none of the {budget} they may have").format(budget=budget)
        if full:
            text = self.tr("{text}: nearly full").format(text=text)
        self._line.setText(text)
        set_tone(self._line, "attention" if full else "")
        self._bar.show_memory(memory)
        self._bar.setAccessibleName(text)
        machine = words.whole_machine(memory)
        if memory.cache_bytes:
            machine = self.tr("{caches} of it is kept from questions asked before. {rest}").format(
                caches=words.size(memory.cache_bytes), rest=machine
            )
        self._machine.setText(machine)


class _Bar(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[float, float] = (0.0, 0.0)
        self._full = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_memory(self, memory: MemoryStatus) -> None:
        whole = max(1, memory.budget_bytes, memory.used_bytes)
        self._parts = (memory.weights_bytes / whole, memory.cache_bytes / whole)
        self._full = words.nearly_full(memory)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        area = QRectF(self.rect())
        shape = QPainterPath()
        shape.addRoundedRect(area, HEIGHT / 2, HEIGHT / 2)
        painter.setClipPath(shape)
        painter.fillRect(area, QColor(c.border))
        left = 0.0
        ink = c.attention if self._full else c.accent
        for share, strength in zip(self._parts, (1.0, 0.5), strict=True):
            fill = QColor(ink)
            fill.setAlphaF(strength)
            painter.fillRect(QRectF(left, 0, area.width() * share, HEIGHT), fill)
            left += area.width() * share
        painter.end()
