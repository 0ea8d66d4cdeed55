"""The small round mark of a cited page: a click opens it, the pointer over it lights its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from desktop.ui import wording
from desktop.ui.controls import PressButton, plain_tooltip
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent, QPaintEvent

    from desktop.core.events import PageRegion

CHIP = 18
"""Height of a chip; what can be pressed is higher."""
PRESSED = 32


class PageChip(PressButton):
    """hovered(over): the pointer has come, or gone. lit: its highlight is pointed at."""

    hovered = Signal(bool)

    def __init__(self, source: PageRegion, title: str) -> None:
        super().__init__()
        self.setText(wording.short_page(source.label, source.page))
        page = wording.page_label(source.label, source.page)
        self.setAccessibleName(f"{page}, {title}")
        self.setToolTip(plain_tooltip(f"{title}, {page}"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(PRESSED)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lit = False

    def light(self, lit: bool) -> None:
        """Show that its highlight is pointed at on the page."""
        self._lit = lit
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(scaled_font(Type.SMALL, bold=True))
        high = max(CHIP, metrics.height() + Space.HAIR)
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * Space.S, max(PRESSED, high))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.hovered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = scaled_font(Type.SMALL, bold=True)
        high = max(CHIP, QFontMetrics(font).height() + Space.HAIR)
        area = QRectF(0, (self.height() - high) / 2, self.width(), high).adjusted(1, 0, -1, 0)
        strong = self._lit or self.underMouse()
        painter.setPen(QPen(QColor(c.accent), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.accent if strong else c.accent_wash))
        painter.drawRoundedRect(area, high / 2, high / 2)
        painter.setFont(font)
        painter.setPen(QColor(c.accent_ink if strong else c.accent))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()  # not left to the collector, see PlaceButton
