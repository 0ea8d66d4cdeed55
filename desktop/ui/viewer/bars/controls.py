"""Small widgets that the viewer's bars are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from desktop.ui.controls import plain_tooltip
from desktop.ui.popups import ROOM, Floating
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent


def action_button(action: QAction) -> QToolButton:
    """Return a button for an action, large enough for a gloved finger."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAutoRaise(True)
    button.setProperty("kind", "flat")
    button.setIconSize(QSize(Size.ICON, Size.ICON))
    button.setMinimumSize(Size.ROW, Size.ROW)
    button.setAccessibleName(action.text())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class Bar(QWidget):
    """A row of controls."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setProperty("role", "bar")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(Space.S, Space.HAIR, Space.S, Space.HAIR)
        self.row.setSpacing(Space.HAIR)


class FloatingBar(Floating):
    """A row of controls on a card that lies over the pages.

    wide: how wide it likes to be, in pixels, where its controls alone would be narrower.
    """

    def __init__(self, name: str, parent: QWidget | None = None, *, wide: int = 0) -> None:
        super().__init__(parent)
        self.wide = wide
        self.setAccessibleName(name)
        self.setProperty("role", "bar")
        left, top, right, bottom = ROOM
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(
            left + Space.XS, top + Space.XS, right + Space.XS, bottom + Space.XS
        )
        self.row.setSpacing(Space.HAIR)


class PageField(QLineEdit):
    """Shows "4-11 (61 of 128)"; takes a printed label or a page number."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setProperty("kind", "field")
        self.setAccessibleName(self.tr("Page"))
        self.show_origin("")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAcceptDrops(False)  # what is dropped is for the library
        self.setMinimumHeight(Size.ROW)
        self.returnPressed.connect(self._ask)

    def show_origin(self, text: str) -> None:
        """Say in the tooltip what the page belongs to, if that is not the file itself."""
        hint = self.tr("Page: type a printed label like 4-11, or a page number, and press Enter")
        self.setToolTip(plain_tooltip(f"{text}\n{hint}" if text else hint))

    def show_page(self, text: str) -> None:
        """Show where the viewer is, unless a person is typing."""
        self._shown = text
        if not (self.hasFocus() and self.isModified()):
            self.setText(text)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setText(self._shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setText(self._shown)
            self.selectAll()
            return
        super().keyPressEvent(event)

    def _ask(self) -> None:
        typed = self.text()
        self.setModified(False)
        self.asked.emit(typed)
        self.setText(self._shown)
        self.selectAll()
