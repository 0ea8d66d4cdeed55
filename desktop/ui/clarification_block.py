"""What the agent asks back with: one button for each thing that can be meant."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop.ui.controls import push_button
from desktop.ui.tokens import Space


class ClarificationBlock(QFrame):
    """chosen(option): a person has clicked it, or pressed Enter or Space on it."""

    chosen = Signal(str)

    def __init__(self, question: str, options: tuple[str, ...]) -> None:
        super().__init__()
        self.setAccessibleName(question)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        self.buttons = []
        for option in options:
            button = push_button(option)
            button.setMinimumWidth(1)  # a long option must not make the panel wider
            button.clicked.connect(lambda _=False, text=option: self.chosen.emit(text))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self.buttons.append(button)
