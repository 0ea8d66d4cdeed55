"""The bar that steps through an answer's highlighted regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from desktop.ui.tokens import Space
from desktop.ui.viewer.bars.controls import Bar, action_button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from desktop.ui.viewer.actions import ActionName
    from desktop.ui.viewer.highlight.highlights import Highlights


class HighlightBar(Bar):
    """Shows "Highlight 1 of 3" while there is something highlighted."""

    def __init__(self, actions: dict[ActionName, QAction], parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Highlights"))
        self.caption = QLabel()
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self._step_buttons = [
            action_button(actions["previous_highlight"]),
            action_button(actions["next_highlight"]),
        ]
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.caption)
        self.row.addSpacing(Space.S)
        for button in self._step_buttons:
            self.row.addWidget(button)
        self.row.addStretch(1)
        self.row.addWidget(action_button(actions["clear_highlights"]))
        self.hide()

    def show_highlights(self, highlights: Highlights) -> None:
        """Show which one is current; the bar goes when there is none."""
        self.caption.setText(
            self.tr("Highlight {n} of {count}").format(n=highlights.number, count=len(highlights))
        )
        for button in self._step_buttons:
            button.setVisible(len(highlights) > 1)
        self.setVisible(len(highlights) > 0)
