"""Headings of the manuals as buttons: what could be asked now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.chat.clarification_block import OptionButton
from desktop.ui.controls import label
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.conversations.suggested_headings import SuggestedHeading


class SuggestionBlock(QWidget):
    """chosen(prompt, ids): ask about a heading, of its manual."""

    chosen = Signal(str, object)

    def __init__(self, title: str, headings: Sequence[SuggestedHeading]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(label(title, factor=Type.SMALL, bold=True, tone="muted"))
        self.buttons = []
        for heading in headings:
            button = OptionButton(heading.title)
            ids = frozenset({heading.document_id})
            button.clicked.connect(lambda _=False, p=heading.title, i=ids: self.chosen.emit(p, i))
            self.buttons.append(button)
            column.addWidget(button)
