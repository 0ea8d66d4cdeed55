"""Below an answer: copy it, see how it was reached, how sure it is and how long it took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop.ui import wording
from desktop.ui.controls import flat_button, label, plain_tooltip
from desktop.ui.language import told
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.core.events import ConfidenceEvent


class TurnFooter(QWidget):
    """Hidden until `finish`.

    copy_wanted(), again_wanted(), trace_wanted(), hand_on_wanted(way), wrong_wanted(): see
    `Turn`.
    """

    copy_wanted = Signal()
    again_wanted = Signal()
    trace_wanted = Signal()
    hand_on_wanted = Signal(str)
    wrong_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._copy = flat_button("copy", self.tr("Copy the answer with its sources"))
        self._copy.clicked.connect(self.copy_wanted)
        self.again_button = flat_button("rotate-cw", self.tr("Answer again"))
        self.again_button.clicked.connect(self.again_wanted)
        self.sheet_button = flat_button("clipboard-list", self.tr("Job sheet: one page to print"))
        self.sheet_button.clicked.connect(lambda: self.hand_on_wanted.emit("job_sheet"))
        self.hand_on_button = self._build_hand_on()
        self.trace_button = flat_button("route", self.tr("Show the reasoning of this answer"))
        self.trace_button.clicked.connect(self.trace_wanted)
        self.wrong_button = flat_button("circle-x", self.tr("Wrong answer"))
        self.wrong_button.clicked.connect(self.wrong_wanted)
        self._confidence = label("", factor=Type.SMALL, tone="muted")
        self._time = label("", factor=Type.SMALL, tone="muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        buttons = QHBoxLayout()
        buttons.setSpacing(Space.HAIR)
        for button in (
            self._copy,
            self.again_button,
            self.sheet_button,
            self.hand_on_button,
            self.trace_button,
            self.wrong_button,
        ):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        says = QHBoxLayout()
        says.setSpacing(Space.M)
        says.addWidget(self._confidence)
        says.addWidget(self._time)
        says.addStretch(1)
        column.addLayout(says)
        self.hide()

    def set_confidence(self, event: ConfidenceEvent) -> None:
        """Say how sure the answer is; the reason is in the tooltip."""
        says = {
            "stated": self.tr("Stated in the manual"),
            "likely": self.tr("Likely"),
            "check": self.tr("Check the page"),
        }
        self._confidence.setText(says[event.sureness])
        self._confidence.setToolTip(plain_tooltip(told(event.reason)))
        self._confidence.setAccessibleDescription(told(event.reason))

    def set_time(self, milliseconds: float) -> None:
        """Say how long the answer took."""
        self._time.setText(wording.duration(milliseconds))

    def finish(self, *, answered: bool) -> None:
        """Show what can be done now; only an answer is worth copying."""
        self._copy.setVisible(answered)
        self.hand_on_button.setVisible(answered)
        self.sheet_button.setVisible(answered)
        self._confidence.setVisible(answered)
        self.show()

    def _build_hand_on(self) -> QToolButton:
        button = flat_button("file-down", self.tr("Save or send this answer"))
        menu = QMenu(button)
        ways = {
            "report": self.tr("Save report…"),
            "email": self.tr("Draft e-mail…"),
            "print": self.tr("Print job sheet…"),
            "print_report": self.tr("Print report…"),
        }
        for way, text in ways.items():
            menu.addAction(text).triggered.connect(
                lambda _=False, way=way: self.hand_on_wanted.emit(way)
            )
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button
