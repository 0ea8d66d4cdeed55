"""Questions that the manuals answer, as buttons: what could be asked now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.chat.clarification_block import OptionButton
from desktop.ui.controls import label
from desktop.ui.language import told
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.conversations.suggested_headings import SuggestedHeading


class SuggestionBlock(QWidget):
    """chosen(prompt, ids): ask this, of its manual."""

    chosen = Signal(str, object)

    def __init__(self, title: str, headings: Sequence[SuggestedHeading]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(label(title, factor=Type.SMALL, bold=True, tone="muted"))
        self.buttons = []
        for heading in headings:
            question = told(heading.question)
            button = OptionButton(question)
            ids = frozenset({heading.document_id})
            button.clicked.connect(lambda _=False, p=question, i=ids: self.chosen.emit(p, i))
            self.buttons.append(button)
            column.addWidget(button)
