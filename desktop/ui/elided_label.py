"""Text that is cut where its room ends, and says so with an ellipsis."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
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


def cut_to_lines(text: str, font: QFont, width: int, most: int) -> str:
    """Return a text broken into lines of so many pixels; what has no room ends in "…".

    A word that is longer than a line, such as a file's name, is broken anywhere.
    """
    units = text.encode("utf-16-le")  # what Qt counts in
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(40, width))
        start, end = line.textStart(), line.textStart() + line.textLength()
        if len(lines) == most - 1:
            end = len(units) // 2
        lines.append(units[2 * start : 2 * end].decode("utf-16-le").strip())
    layout.endLayout()
    if lines:
        cut = Qt.TextElideMode.ElideRight
        lines[-1] = QFontMetrics(font).elidedText(lines[-1], cut, max(40, width))
    return "\n".join(lines)


DOT = " · "


def in_lines(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a text with a line break in place of each dot whose next part has no room."""
    if DOT not in text or metrics.horizontalAdvance(text) <= width:
        return text
    lines = [""]
    for part in text.split(DOT):
        longer = f"{lines[-1]}{DOT}{part}" if lines[-1] else part
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)
