"""The question field: Enter sends, Shift+Enter breaks the line, one button sends or stops."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.ui.chat.scope_button import ScopeButton
from desktop.ui.controls import push_button
from desktop.ui.icons import icon
from desktop.ui.research.mode_button import ModeButton
from desktop.ui.theme import theme
from desktop.ui.tokens import Size, Space

MOST_LINES = 6


class QuestionField(QPlainTextEdit):
    """Grows with its text up to `MOST_LINES`; Up in an empty field brings the last question."""

    submitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.last_question = ""
        self.setProperty("kind", "field")
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.textChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self.submitted.emit()
            return
        if event.key() == Qt.Key.Key_Up and self.last_question and not self.toPlainText():
            self.setPlainText(self.last_question)
            self.moveCursor(self.textCursor().MoveOperation.End)
            return
        super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt's name
        # files dropped here are for the library, as everywhere in the window
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def _fit(self) -> None:
        lines = int(min(MOST_LINES, max(2, self.document().size().height())))
        margins = 2 * (Space.XS + 2) + 2 * int(self.document().documentMargin())
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)


class Composer(QFrame):
    """The field, the manuals it asks, how they are asked, and Send or Stop."""

    asked = Signal(str)
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "footer")
        self.field = QuestionField()
        self.field.setPlaceholderText(self.tr("Ask your manuals…"))
        self.field.setAccessibleName(self.tr("Question"))
        self.field.submitted.connect(self._submit)
        self.field.textChanged.connect(self._update_button)
        self.scope = ScopeButton()
        self.mode = ModeButton()
        self.mode.changed.connect(lambda _: self._update_button())
        self.button = push_button(self.tr("Ask"), kind="primary")
        self.button.setIconSize(QSize(Size.ICON, Size.ICON))
        self.button.clicked.connect(self._press)
        self._running = False
        self._ready = False
        theme().changed.connect(self._update_button)

        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.M, Space.M, Space.M)
        column.setSpacing(Space.S)
        column.addWidget(self.field)
        row = QHBoxLayout()
        row.setSpacing(Space.XS)
        row.addWidget(self.scope)
        row.addWidget(self.mode)
        row.addStretch(1)
        row.addWidget(self.button)
        column.addLayout(row)
        self._update_button()

    def set_ready(self, ready: bool) -> None:
        """Allow sending: the library is open."""
        self._ready = ready
        self._update_button()

    def write(self, text: str) -> None:
        """Put a text into the field, to be changed and asked."""
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_running(self, running: bool) -> None:
        """Turn the button into Stop, or back."""
        self._running = running
        self._update_button()

    def _press(self) -> None:
        if self._running:
            self.stop_wanted.emit()
        else:
            self._submit()

    def _submit(self) -> None:
        question = self.field.toPlainText().strip()
        if question and self._ready:
            self.field.last_question = question
            self.field.clear()
            self.asked.emit(question)

    def _update_button(self) -> None:
        name, text, keys = "arrow-up", self.tr("Ask"), ""
        if self.mode.mode:
            text = self.tr("Research")
        if self._running:
            name, text, keys = "square", self.tr("Stop"), "Esc"
        self.button.setText(f" {text}")
        self.button.setAccessibleName(text)
        hint = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        self.button.setToolTip(hint)
        enabled = self._running or (self._ready and bool(self.field.toPlainText().strip()))
        self.button.setEnabled(enabled)
        self.button.setIcon(icon(name, "accent_ink"))
