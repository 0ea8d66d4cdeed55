"""A question that was begun is still there after a restart, or after a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop.ui.layout_memory import LayoutMemory

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QPlainTextEdit

PAUSE_MS = 1_000


class QuestionDraft(QObject):
    """Writes the text down whenever a person pauses."""

    def __init__(self, field: QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._memory: LayoutMemory | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.save)
        field.textChanged.connect(self._pause.start)

    def remember_in(self, folder: Path) -> None:
        """Bring back what was begun in the library of this folder."""
        self._memory = LayoutMemory(folder)
        draft = self._memory.question_draft
        if draft and not self._field.toPlainText():
            self._field.setPlainText(draft)
            self._field.moveCursor(self._field.textCursor().MoveOperation.End)

    def save(self) -> None:
        """Write the text down now."""
        self._pause.stop()
        if self._memory is not None:
            self._memory.question_draft = self._field.toPlainText()
            self._memory.write()
