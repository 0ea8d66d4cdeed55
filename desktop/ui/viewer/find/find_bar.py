"""The bar in which one types what to find, with the number of hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from desktop.ui.icons import icon
from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.bars.controls import Bar, action_button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeyEvent

    from desktop.ui.viewer.actions import ActionName

_TYPING_MS = 180


class FindBar(Bar):
    """Emits what to search for a moment after typing stops, at once on Enter."""

    searched = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, actions: dict[ActionName, QAction], parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Find"))
        self._searched = ""
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in this manual"))
        self.field.setAccessibleName(self.tr("Find in this manual"))
        self.field.setToolTip(
            self.tr("Words to find; Enter for the next hit, Shift+Enter for the previous")
        )
        self.field.setClearButtonEnabled(True)
        self.field.setAcceptDrops(False)  # what is dropped is for the library
        for inner in self.field.findChildren(QToolButton):
            inner.setAccessibleName(self.tr("Clear what is searched"))
        self.field.setMinimumHeight(Size.ROW)
        self.field.setMaximumWidth(360)
        self.count = QLabel()
        self.count.setAccessibleName(self.tr("Hits"))
        self.count.setTextFormat(Qt.TextFormat.PlainText)
        self.count.setMinimumWidth(96)
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._pause.timeout.connect(self._search)
        self.field.textEdited.connect(lambda _: self._pause.start())
        self.field.textChanged.connect(lambda text: None if text else self._search())
        close = QToolButton()
        close.setIcon(icon("x"))
        close.setAutoRaise(True)
        close.setProperty("kind", "flat")
        close.setMinimumSize(Size.ROW, Size.ROW)
        close.setAccessibleName(self.tr("Close find"))
        close.setToolTip(self.tr("Close find (Esc)"))
        close.clicked.connect(self.close_bar)
        self.row.addWidget(self.field, 1)
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.count)
        self.row.addWidget(action_button(actions["find_previous"]))
        self.row.addWidget(action_button(actions["find_next"]))
        self.row.addStretch(1)
        self.row.addWidget(close)
        self.hide()

    def open_bar(self, text: str = "") -> None:
        """Show the bar with the selected text, or with what was searched before."""
        self.show()
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._searched = ""
        self._search()

    def close_bar(self) -> None:
        """Hide the bar and forget the hits; nothing happens when it is not open."""
        if self.isHidden():
            return
        self._pause.stop()
        self._searched = ""
        self.hide()
        self.closed.emit()

    def show_count(self, text: str) -> None:
        """Show "3 of 17"."""
        self.count.setText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._enter(-1 if back else 1)
        else:
            super().keyPressEvent(event)

    def _enter(self, by: int) -> None:
        if self.field.text().strip() == self._searched:
            self.stepped.emit(by)
        else:
            self._search()

    def _search(self) -> None:
        self._pause.stop()
        needle = self.field.text().strip()
        if needle != self._searched or not needle:
            self._searched = needle
            self.searched.emit(needle)
