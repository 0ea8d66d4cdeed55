"""A field of the form: its name, what it is for, the text, and what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.ui.controls import PressButton, label
from desktop.ui.icons import icon
from desktop.ui.tokens import Size, Space, Type

MOST_LINES = 12


class Field(QWidget):
    """One line, or an area that grows with its text when `lines` is more than one.

    edited(): a person changed the text.
    """

    edited = Signal()

    def __init__(self, name: str, hint: str = "", *, lines: int = 1, example: str = "") -> None:
        super().__init__()
        self.editor: QLineEdit | QPlainTextEdit = _line() if lines == 1 else _Area(lines)
        self.editor.setProperty("kind", "field")
        self.editor.setAccessibleName(name)
        self.editor.setAccessibleDescription(hint)
        self.editor.setPlaceholderText(example)
        self.editor.textChanged.connect(self._changed)
        self.setFocusProxy(self.editor)
        caption = label(name, bold=True, wrap=True)
        caption.setMinimumWidth(1)  # two fields beside each other are equally wide
        caption.setBuddy(self.editor)
        self.fault = label("", factor=Type.SMALL, tone="bad", wrap=True)
        self.fault.hide()
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(caption)
        if hint:
            column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        column.addWidget(self.editor)
        column.addWidget(self.fault)

    @property
    def text(self) -> str:
        """What stands in the field."""
        editor = self.editor
        return editor.text() if isinstance(editor, QLineEdit) else editor.toPlainText()

    def set_text(self, text: str) -> None:
        """Show a text, which is not an edit."""
        self._quiet = True
        if isinstance(self.editor, QLineEdit):
            self.editor.setText(text)
            self.editor.setCursorPosition(0)
        else:
            self.editor.setPlainText(text)
        self._quiet = False

    def show_fault(self, sentence: str) -> None:
        """Say what is wrong, "" if nothing is."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def _changed(self) -> None:
        if not self._quiet:
            self.edited.emit()


class Advanced(QWidget):
    """Fields that hardly anybody needs, folded away below a line that opens them."""

    def __init__(self, name: str, *fields: QWidget) -> None:
        super().__init__()
        self.button = PressButton()
        self.button.let_shrink()
        self.set_name(name)
        self.button.setProperty("kind", "line")
        self.button.setCheckable(True)
        self.button.setMinimumHeight(Size.ROW)
        self._inside = QWidget()
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(Space.M)
        for field in fields:
            inside.addWidget(field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self.button)
        column.addWidget(self._inside)
        self.button.toggled.connect(self.open)
        self.open(False)

    def set_name(self, name: str) -> None:
        """Say something else in the line."""
        self.button.setText(name.replace("&", "&&"))
        self.button.setAccessibleName(name)

    def open(self, opened: bool = True) -> None:
        """Show the fields, or the line alone."""
        self.button.setChecked(opened)
        self.button.setIcon(icon("chevron-down" if opened else "chevron-right", "muted"))
        self._inside.setVisible(opened)


class _Area(QPlainTextEdit):
    def __init__(self, lines: int) -> None:
        super().__init__()
        self._least = lines
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = min(MOST_LINES, max(self._least, self.blockCount()))
        margins = 2 * (Space.XS + 2) + 2 * int(self.document().documentMargin())
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)


def _line() -> QLineEdit:
    line = QLineEdit()
    line.setMinimumHeight(Size.TARGET)
    return line
