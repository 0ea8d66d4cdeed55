"""A small dialog for one line: a password, a title. It never blocks the event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 420


def ask_for_line(
    parent: QWidget,
    title: str,
    question: str,
    on_answer: Callable[[str], object],
    *,
    start: str = "",
    secret: bool = False,
) -> QDialog:
    """Show the dialog; `on_answer` gets the line, and is not called when it is empty."""
    dialog = QDialog(parent.window())
    dialog.setWindowTitle(title)
    dialog.setMinimumWidth(WIDTH)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    field = QLineEdit(start)
    field.setProperty("kind", "field")
    field.setMinimumHeight(Size.TARGET)
    field.setAccessibleName(title)
    if secret:
        field.setEchoMode(QLineEdit.EchoMode.Password)
    field.selectAll()
    accept = push_button(dialog.tr("OK"), kind="primary")
    accept.setDefault(True)
    cancel = push_button(dialog.tr("Cancel"))
    column = QVBoxLayout(dialog)
    column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
    column.setSpacing(Space.M)
    column.addWidget(label(question, wrap=True))
    column.addWidget(field)
    buttons = QHBoxLayout()
    buttons.addStretch(1)
    buttons.addWidget(cancel)
    buttons.addWidget(accept)
    column.addLayout(buttons)
    accept.clicked.connect(dialog.accept)
    cancel.clicked.connect(dialog.reject)
    dialog.accepted.connect(lambda: on_answer(field.text()) if field.text().strip() else None)
    dialog.open()
    field.setFocus()
    return dialog
