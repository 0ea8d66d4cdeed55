"""A small dialog for one line: a password, a title. It never blocks the event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QWidget

from desktop.ui.design.controls import in_column, label, push_button
from desktop.ui.design.tokens import Size, Space

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 420


class LineDialog(QDialog):
    """answered(line): it was accepted, and is not empty.

    checked: the line may turn out wrong; the dialog stays until `accept`, or `refuse` says why.
    """

    answered = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        question: str,
        *,
        start: str = "",
        secret: bool = False,
        checked: bool = False,
    ) -> None:
        super().__init__(parent.window())
        self.setWindowTitle(title)
        self.setMinimumWidth(WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit(start)
        self.field.setProperty("kind", "field")
        self.field.setMinimumHeight(Size.TARGET)
        self.field.setAccessibleName(title)
        if secret:
            self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.selectAll()
        self.fault = label("", tone="bad", wrap=True)
        self.fault.hide()
        self.ok = accept = push_button(self.tr("OK"), kind="primary")
        accept.setDefault(True)
        cancel = push_button(self.tr("Cancel"))
        column = in_column(self, (Space.XL, Space.XL, Space.XL, Space.L), spacing=Space.M)
        column.addWidget(label(question, wrap=True))
        column.addWidget(self.field)
        column.addWidget(self.fault)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(accept)
        column.addLayout(buttons)
        cancel.clicked.connect(self.reject)
        if checked:
            accept.clicked.connect(self._try)
        else:
            accept.clicked.connect(self.accept)
            self.accepted.connect(self._answer)

    def refuse(self, reason: str) -> None:
        """Say what is wrong with the line, and let a person try again."""
        self.fault.setText(reason)
        self.fault.show()
        for part in (self.field, self.ok):
            part.setEnabled(True)
        self.field.selectAll()
        self.field.setFocus()

    def _try(self) -> None:
        if self.field.text().strip():
            self.fault.hide()
            for part in (self.field, self.ok):
                part.setEnabled(False)
            self._answer()

    def _answer(self) -> None:
        if self.field.text().strip():
            self.answered.emit(self.field.text())


def ask_for_line(
    parent: QWidget,
    title: str,
    question: str,
    on_answer: Callable[[str], object],
    *,
    start: str = "",
    secret: bool = False,
    checked: bool = False,
) -> LineDialog:
    """Show the dialog; `on_answer` gets the line, and is not called when it is empty."""
    dialog = LineDialog(parent, title, question, start=start, secret=secret, checked=checked)
    dialog.answered.connect(on_answer)
    dialog.open()
    dialog.field.setFocus()
    return dialog
