"""Below an answer: say whether it helped, copy it, ask it again, hand it on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import flat_button
from desktop.ui.tokens import Space


class TurnFooter(QWidget):
    """Hidden until `finish`.

    copy_wanted(), again_wanted(), hand_on_wanted(way), helpful_wanted(), wrong_wanted(): see
    `Turn`.
    """

    copy_wanted = Signal()
    again_wanted = Signal()
    hand_on_wanted = Signal(str)
    helpful_wanted = Signal()
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
        self.helpful_button = flat_button("thumbs-up", self.tr("Helpful"), caption=True)
        self.helpful_button.clicked.connect(self._say_helpful)
        self.wrong_button = flat_button("circle-x", self.tr("Wrong answer"), caption=True)
        self.wrong_button.clicked.connect(self.wrong_wanted)
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
        ):
            buttons.addWidget(button)
        buttons.addStretch(1)
        judged = QHBoxLayout()
        judged.setSpacing(Space.HAIR)
        judged.addWidget(self.helpful_button)
        judged.addWidget(self.wrong_button)
        judged.addStretch(1)
        column.addLayout(judged)
        column.addLayout(buttons)
        self.hide()

    def _say_helpful(self) -> None:
        self.helpful_button.setEnabled(False)  # once is enough
        self.helpful_wanted.emit()

    def finish(self, *, answered: bool) -> None:
        """Show what can be done now; only an answer is worth copying."""
        self._copy.setVisible(answered)
        self.hand_on_button.setVisible(answered)
        self.sheet_button.setVisible(answered)
        self.helpful_button.setVisible(answered)
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
