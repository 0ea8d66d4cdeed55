"""A small dialog for one line: a password, a title. It never blocks the event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 420


class LineDialog(QDialog):
    """answered(line): it was accepted, and is not empty.

    checked: the line may turn out wrong; the dialog stays until `accept`, or `refuse` says why.
    """

    answered = Signal(str)

    def __init__(
        self, parent: QWidget, title: str, question: str, *, start: str = "", secret: bool = False
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
        accept = push_button(self.tr("OK"), kind="primary")
        accept.setDefault(True)
        cancel = push_button(self.tr("Cancel"))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(question, wrap=True))
        column.addWidget(self.field)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(accept)
        column.addLayout(buttons)
        accept.clicked.connect(self.accept)
        cancel.clicked.connect(self.reject)
        self.accepted.connect(self._answer)

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
) -> LineDialog:
    """Show the dialog; `on_answer` gets the line, and is not called when it is empty."""
    dialog = LineDialog(parent, title, question, start=start, secret=secret)
    dialog.answered.connect(on_answer)
    dialog.open()
    dialog.field.setFocus()
    return dialog
