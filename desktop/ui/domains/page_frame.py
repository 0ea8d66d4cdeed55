"""The right side of the window: a title with its state, something that scrolls, and buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop.ui.controls import label, set_tone
from desktop.ui.tokens import Space, Type


class PageFrame(QWidget):
    """Holds `content`; buttons from the left and from the right stand below it."""

    def __init__(
        self, content: QWidget, left: tuple[QWidget, ...] = (), right: tuple[QWidget, ...] = ()
    ) -> None:
        super().__init__()
        self._title = label("", factor=Type.TITLE, bold=True, wrap=True)
        self._state = label("", wrap=True)
        self._title.setMinimumWidth(1)  # an endless name must not make the page wider
        inner = QWidget()
        inner.setProperty("role", "panel")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inner)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.S)
        column.addWidget(self._title)
        column.addWidget(self._state)
        column.addSpacing(Space.M)
        column.addWidget(content)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.area, 1)
        if left or right:
            whole.addWidget(_footer(left, right))

    def show_title(self, title: str, state: str, tone: str = "muted") -> None:
        """Say what is shown and how it stands."""
        self._title.setText(title)
        self._state.setText(state)
        set_tone(self._state, tone)

    def to_top(self) -> None:
        """Scroll to the beginning."""
        self.area.verticalScrollBar().setValue(0)


def _footer(left: tuple[QWidget, ...], right: tuple[QWidget, ...]) -> QFrame:
    footer = QFrame()
    footer.setProperty("role", "footer")
    row = QHBoxLayout(footer)
    row.setContentsMargins(Space.L, Space.S, Space.L, Space.S)
    row.setSpacing(Space.S)
    for widget in left:
        row.addWidget(widget)
    row.addStretch(1)
    for widget in right:
        row.addWidget(widget)
    return footer
