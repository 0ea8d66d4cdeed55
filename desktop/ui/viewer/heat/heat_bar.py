"""The bar of the heat map: which words it shows, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QSizePolicy, QToolButton, QWidget

from desktop.ui.icons import icon
from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.bars.controls import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_TERMS = 8


class HeatBar(Bar):
    """chosen(text): show the map of these words; "" for the whole question. closed(): no more."""

    chosen = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Heat map"))
        self.caption = QLabel()
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setWordWrap(True)
        self.caption.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._terms = QButtonGroup(self)
        self._terms.buttonClicked.connect(lambda button: self.chosen.emit(button.property("term")))
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.caption, 1)
        self.row.addSpacing(Space.S)
        self._first = self.row.count()
        self.row.addStretch(0)
        self.row.addWidget(self._close_button())
        self.hide()

    def show_terms(self, terms: Sequence[str]) -> None:
        """Offer the whole question and, where it has several words, each of them."""
        self._clear()
        self.remark("")
        self.caption.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        words = ["", *terms[:_MOST_TERMS]] if len(terms) > 1 else [""]
        for place, term in enumerate(words):
            button = self._button(term, checked=place == 0)
            self.row.insertWidget(self._first + place, button)
        self.show()

    def remark(self, text: str) -> None:
        """Say something of the page in view beside the words, "" where there is nothing to say."""
        self.caption.setText(text or self.tr("Looks like:"))

    def say(self, text: str) -> None:
        """Say why nothing is shown, or that it is being worked out."""
        self._clear()
        self.caption.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.caption.setText(text)
        self.show()

    def terms(self) -> list[QToolButton]:
        """Return the buttons of the words, the whole question first."""
        buttons = (self.row.itemAt(place) for place in range(self.row.count()))
        widgets = (item.widget() for item in buttons if item is not None)
        known = self._terms.buttons()
        return [w for w in widgets if isinstance(w, QToolButton) and w in known]

    def _button(self, term: str, *, checked: bool) -> QToolButton:
        button = QToolButton()
        button.setText(term or self.tr("Whole question"))
        button.setAccessibleName(
            self.tr("Heat map of {words}").format(words=term)
            if term
            else self.tr("Heat map of the whole question")
        )
        button.setProperty("term", term)
        button.setProperty("kind", "flat")
        button.setCheckable(True)
        button.setChecked(checked)
        button.setMinimumHeight(Size.ROW)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._terms.addButton(button)
        return button

    def _close_button(self) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("x"))
        button.setIconSize(QSize(Size.ICON, Size.ICON))
        button.setProperty("kind", "flat")
        button.setAutoRaise(True)
        button.setMinimumSize(Size.ROW, Size.ROW)
        button.setAccessibleName(self.tr("Close the heat map"))
        button.setToolTip(self.tr("Close the heat map"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _checked: self.closed.emit())
        return button

    def _clear(self) -> None:
        for button in self._terms.buttons():
            self._terms.removeButton(button)
            self.row.removeWidget(button)
            button.hide()
            button.deleteLater()
