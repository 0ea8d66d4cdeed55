"""Below an answer: copy it, see how it was reached, how sure it is and how long it took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from desktop.ui import wording
from desktop.ui.controls import flat_button, label, plain_tooltip
from desktop.ui.tokens import Type

if TYPE_CHECKING:
    from desktop.core.events import ConfidenceEvent


class TurnFooter(QWidget):
    """Hidden until `finish`.

    copy_wanted(), trace_wanted(), hand_on_wanted(way), wrong_wanted(): see `Turn`.
    """

    copy_wanted = Signal()
    trace_wanted = Signal()
    hand_on_wanted = Signal(str)
    wrong_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._copy = flat_button("copy", self.tr("Copy with sources"))
        self._copy.clicked.connect(self.copy_wanted)
        self.trace_button = flat_button("route", self.tr("Show the reasoning of this answer"))
        self.trace_button.clicked.connect(self.trace_wanted)
        self.hand_on_button = self._build_hand_on()
        self.wrong_button = flat_button("circle-x", self.tr("Wrong answer"))
        self.wrong_button.clicked.connect(self.wrong_wanted)
        self._confidence = label("", factor=Type.SMALL, tone="muted")
        self._time = label("", factor=Type.SMALL, tone="muted")
        row.addWidget(self._copy)
        row.addWidget(self.hand_on_button)
        row.addWidget(self.trace_button)
        row.addWidget(self.wrong_button)
        row.addStretch(1)
        row.addWidget(self._confidence)
        row.addWidget(self._time)
        self.hide()

    def set_confidence(self, event: ConfidenceEvent) -> None:
        """Say how sure the answer is; the reason is in the tooltip."""
        says = self.tr("Confidence {n} %").format(n=round(event.value * 100))
        self._confidence.setText(says)
        self._confidence.setToolTip(plain_tooltip(event.reason))
        self._confidence.setAccessibleDescription(event.reason)

    def set_time(self, milliseconds: float) -> None:
        """Say how long the answer took."""
        self._time.setText(wording.duration(milliseconds))

    def finish(self, *, answered: bool) -> None:
        """Show what can be done now; only an answer is worth copying."""
        self._copy.setVisible(answered)
        self.hand_on_button.setVisible(answered)
        self._confidence.setVisible(answered)
        self.show()

    def _build_hand_on(self) -> QToolButton:
        button = flat_button("file-down", self.tr("Save or send this answer"))
        menu = QMenu(button)
        ways = {"report": self.tr("Save report…"), "email": self.tr("Draft e-mail…")}
        for way, text in ways.items():
            menu.addAction(text).triggered.connect(
                lambda _=False, way=way: self.hand_on_wanted.emit(way)
            )
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button
