"""What the agent asks back with: one button for each thing that can be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
)

from desktop.ui.controls import PressButton
from desktop.ui.theme import colours
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_TALL = 10_000


class OptionButton(PressButton):
    """Shows its option literally and whole, on as many lines as that takes."""

    def __init__(self, option: str) -> None:
        super().__init__()
        self.option = option
        self.setProperty("kind", "plain")
        self.setAccessibleName(option)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inside = QRect(0, 0, max(1, width - 2 * Space.M), _TALL)
        lines = QFontMetrics(self.font()).boundingRect(inside, _WRAPPED, self.option)
        return max(Size.TARGET, lines.height() + 2 * Space.S)

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, Size.TARGET)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        style = QStyleOptionButton()
        self.initStyleOption(style)
        style.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, style)
        painter.setPen(QColor(colours().accent))
        inside = self.rect().adjusted(Space.M, Space.XS, -Space.M, -Space.XS)
        painter.drawText(inside, int(_WRAPPED), self.option)
        painter.end()  # not left to the collector, see PlaceButton


class ClarificationBlock(QFrame):
    """chosen(option): a person has clicked it, or pressed Enter or Space on it."""

    chosen = Signal(str)

    def __init__(self, question: str, options: tuple[str, ...]) -> None:
        super().__init__()
        self.setAccessibleName(question)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        self.buttons = [OptionButton(option) for option in options]
        for button in self.buttons:
            button.clicked.connect(lambda _=False, text=button.option: self.chosen.emit(text))
            column.addWidget(button)
