"""The dialog of the "wrong answer" button: which page is right, and a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import label, push_button
from desktop.ui.tokens import Size, Space, Type

WIDTH = 460
LONGEST_NOTE = 500

Right = Literal["shown", "nowhere", "unknown"]
"""The right page: the one shown now, none in the manuals, or nobody knows."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a person says of a wrong answer."""

    right: Right
    note: str


class WrongAnswerDialog(QDialog):
    """complained(complaint): it was sent; nothing comes when it is cancelled."""

    complained = Signal(object)

    def __init__(self, parent: QWidget, question: str, page: str, *, cited: bool = False) -> None:
        """page: name of the page that is shown now, "" if none is.

        cited: the wrong answer cites that page; then it is hardly the right one.
        """
        super().__init__(parent.window())
        self.setWindowTitle(self.tr("Wrong answer"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self.choices: dict[Right, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.note = QLineEdit()
        self.note.setProperty("kind", "field")
        self.note.setMinimumHeight(Size.TARGET)
        self.note.setMaxLength(LONGEST_NOTE)
        self.note.setPlaceholderText(self.tr("Note, if you like"))
        self.note.setAccessibleName(self.tr("Note"))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("Which page is right?"), factor=Type.LEAD, bold=True))
        column.addWidget(label(question, tone="muted", wrap=True))
        self._add_choices(column, page)
        self.choices["shown" if page and not cited else "unknown"].setChecked(True)
        column.addWidget(self.note)
        column.addWidget(
            label(
                self.tr("It is kept in this library, to measure and improve answers with."),
                factor=Type.SMALL,
                tone="muted",
                wrap=True,
            )
        )
        column.addLayout(self._build_buttons())
        self.accepted.connect(lambda: self.complained.emit(self.complaint()))

    def complaint(self) -> Complaint:
        """Return what is chosen and written now."""
        right = next(name for name, button in self.choices.items() if button.isChecked())
        return Complaint(right, self.note.text().strip())

    def _add_choices(self, column: QVBoxLayout, page: str) -> None:
        if page:
            self._add(column, "shown", self.tr("The page that is shown now"))
            shown = label(page, factor=Type.SMALL, tone="muted", wrap=True)
            shown.setContentsMargins(Space.XL, 0, 0, 0)
            column.addWidget(shown)
            self.choices["shown"].setAccessibleDescription(page)
        self._add(column, "nowhere", self.tr("None: the manuals do not answer this"))
        self._add(column, "unknown", self.tr("I do not know"))

    def _add(self, column: QVBoxLayout, right: Right, text: str) -> None:
        button = QRadioButton(text)
        button.setMinimumHeight(Size.TARGET)
        self.choices[right] = button
        self._group.addButton(button)
        column.addWidget(button)

    def _build_buttons(self) -> QHBoxLayout:
        save = push_button(self.tr("Keep"), kind="primary")
        save.setDefault(True)
        save.clicked.connect(self.accept)
        cancel = push_button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(save)
        return row
