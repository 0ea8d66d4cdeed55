"""Dialogs, one asking for a line, and windows beside the main one; none blocks the event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QLayout, QLineEdit, QWidget

from desktop.ui.design.controls import (
    PressButton,
    button_row,
    fill,
    in_column,
    in_row,
    label,
    painted_as,
    panel_header,
    push_button,
    remark,
    text_field,
)
from desktop.ui.design.notices import NoticeStrip
from desktop.ui.design.tokens import Space

WIDTH = 420


class Dialog(QDialog):
    """A dialog over the window of `parent`; `column` holds what it says or asks.

    kept: it is opened again and again; any other one is gone once it is closed.
    """

    def __init__(
        self, parent: QWidget, title: str, *, spacing: int = Space.M, kept: bool = False
    ) -> None:
        super().__init__(parent.window())
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, not kept)
        self.column = in_column(self, (Space.XL, Space.XL, Space.XL, Space.L), spacing=spacing)

    def add_buttons(
        self,
        text: str,
        act: Callable[[], object] | None = None,
        *,
        cancel: bool = True,
        left: Sequence[QWidget] = (),
    ) -> PressButton:
        """Add the last row and return the button that Enter presses.

        act: what it does, unless it accepts the dialog. cancel: another button rejects it.
        """
        chief = push_button(text, kind="primary")
        chief.setDefault(True)
        chief.clicked.connect(act or self.accept)
        right = [chief]
        if cancel:
            right.insert(0, push_button(self.tr("Cancel")))
            right[0].clicked.connect(self.reject)
        self.column.addLayout(button_row(*right, left=left))
        return chief


class LineDialog(Dialog):
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
        super().__init__(parent, title)
        self.setMinimumWidth(WIDTH)
        self.field = text_field(title, start)
        if secret:
            self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.selectAll()
        self.fault = remark(tone="bad")
        fill(self.column, label(question, wrap=True), self.field, self.fault)
        self.ok = self.add_buttons(self.tr("OK"), self._try if checked else None)
        if not checked:
            self.accepted.connect(self._answer)

    def refuse(self, reason: str) -> None:
        """Say what is wrong with the line, and let a person try again."""
        self.fault.say(reason)
        self._enable(True)
        self.field.selectAll()
        self.field.setFocus()

    def _try(self) -> None:
        if self.field.text().strip():
            self.fault.hide()
            self._enable(False)
            self._answer()

    def _enable(self, on: bool) -> None:
        self.field.setEnabled(on)
        self.ok.setEnabled(on)

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


class SideWindow(QDialog):
    """notices: where the window says something; whoever lays it out puts them at their place."""

    def __init__(self, parent: QWidget | None, title: str, size: QSize, least: QSize) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setSizeGripEnabled(False)
        self.resize(size.boundedTo(self.screen().availableSize()))
        self.setMinimumSize(least)
        self.notices = NoticeStrip()
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)

    def put_beside(
        self, left: QWidget, right: QLayout, *tools: QWidget, shares: tuple[int, int] = (0, 1)
    ) -> None:
        """Lay the window out. tools: of the header. shares: of the width."""
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedWidth(1)
        columns = in_row()
        columns.addWidget(left, shares[0])
        columns.addWidget(line)
        columns.addLayout(right, shares[1])
        fill(in_column(self), panel_header(self.windowTitle(), *tools), (columns, 1))

    def come_up(self) -> None:
        """Open the window, or bring it to the front."""
        self.show()
        self.raise_()
        self.activateWindow()


class Drawer(QWidget):
    """A panel at the right of the window, which `Columns` gives its place. close_wanted().

    keys: what keys mean wherever the keyboard is in it, before they mean anything to the window.
    whole: its column, beside the line at its left. notices: where it says something.
    """

    close_wanted = Signal()

    def __init__(self, window: QWidget, least: int) -> None:
        """least: pixels of its width."""
        super().__init__(window)
        self.hide()
        painted_as(self, "drawer")
        self.setMinimumWidth(least)
        self.notices = NoticeStrip()
        self.whole = in_column(self, (1, 0, 0, 0))
        self.keys: dict[QKeySequence.StandardKey, Callable[[], object]] = {
            QKeySequence.StandardKey.Cancel: self.close_wanted.emit
        }

    @property
    def has_keyboard(self) -> bool:
        """Whether the keyboard is here."""
        return self.isAncestorOf(QApplication.focusWidget() or self)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(self._meant(event) is not None)
            if event.isAccepted():
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._meant(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _meant(self, event: QKeyEvent) -> Callable[[], object] | None:
        return next((act for key, act in self.keys.items() if event.matches(key)), None)


def notices_of(window: Any, elsewhere: NoticeStrip) -> NoticeStrip:
    """Return where a person looks: a window or drawer while it is open, else what is behind it."""
    return window.notices if window is not None and window.isVisible() else elsewhere
