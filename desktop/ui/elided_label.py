"""A line of text that is cut where its room ends."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from desktop.ui.theme import scaled_font
from desktop.ui.tokens import Type


class ElidedLabel(QLabel):
    """One line that ends in "…" where the room does; it never widens its panel."""

    def __init__(self, *, factor: float = Type.BODY, bold: bool = False, tone: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(scaled_font(factor, bold=bold))
        if tone:
            self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        fitting = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignVCenter, fitting)
        painter.end()
