"""The controls all panels are built from: plain-text labels, buttons with a name and a size.

Text from manuals, file names and messages may contain anything; nothing built here ever
interprets it as rich text.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from desktop.ui.icons import icon
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
    from PySide6.QtWidgets import QStyleOptionViewItem


def label(
    text: str = "",
    *,
    factor: float = Type.BODY,
    bold: bool = False,
    tone: str = "",
    wrap: bool = False,
    selectable: bool = False,
) -> QLabel:
    """Return a label that shows `text` literally."""
    result = QLabel()
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setText(text)
    result.setFont(scaled_font(factor, bold=bold))
    result.setWordWrap(wrap)
    if tone:
        result.setProperty("tone", tone)
    if selectable:
        # By mouse only: labels in the tab order would bury the controls between them.
        result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return result


def set_tone(widget: QWidget, tone: str) -> None:
    """Change the tone of a label that is shown already."""
    set_property(widget, "tone", tone)


def set_property(widget: QWidget, name: str, value: str | bool) -> None:
    """Change a property that the stylesheet looks at."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def plain_tooltip(text: str) -> str:
    """Return `text` as a tooltip that Qt cannot take for rich text of its own."""
    return f"<p style='white-space:pre-wrap'>{html.escape(text)}</p>"


def search_field(placeholder: str, name: str = "") -> QLineEdit:
    """Return a field that finds while one types. name: for a screen reader, else `placeholder`."""
    field = QLineEdit()
    field.setProperty("kind", "field")
    field.setPlaceholderText(placeholder)
    field.setAccessibleName(name or placeholder)
    field.setClearButtonEnabled(True)
    field.setAcceptDrops(False)  # what is dropped is for the library
    field.setMinimumHeight(Size.TARGET)
    field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
    for inner in field.findChildren(QToolButton):
        inner.setAccessibleName(field.accessibleName())
    return field


def thin_bar() -> QProgressBar:
    """Return a progress bar that is a line; what it measures is said beside it."""
    bar = QProgressBar()
    bar.setProperty("kind", "thin")
    bar.setTextVisible(False)
    bar.setFixedHeight(6)
    return bar


def flat_button(name: str, text: str, *, caption: bool = False) -> QToolButton:
    """Return an icon button; `text` is its accessible name, tooltip and optional caption."""
    return make_flat(QToolButton(), name, text, caption=caption)


def make_flat(button: QToolButton, name: str, text: str, *, caption: bool = False) -> QToolButton:
    """Give a tool button the look, the size and the name of `flat_button`."""
    button.setProperty("kind", "flat")
    button.setIcon(icon(name))
    button.setIconSize(QSize(Size.ICON, Size.ICON))
    button.setAccessibleName(text)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setMinimumSize(Size.TARGET, Size.TARGET)
    if caption:
        button.setText(f" {text}")  # Qt leaves no room between icon and text
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    else:
        button.setToolTip(plain_tooltip(text))
    return button


def as_tall_as_its_bar(button: QToolButton) -> QToolButton:
    """Let a button of a bar above a panel be hit over the whole height of that bar."""
    button.setProperty("tall", True)
    button.setMinimumHeight(Size.BAR - 1)  # the line below the bar
    return button


class PressButton(QPushButton):
    """A push button that Enter presses too: outside dialogs Qt gives it Space alone.

    elide: where words end in "…" that have no room; None lets no layout make it narrower than them.
    """

    elide: Qt.TextElideMode | None = None

    def let_shrink(self, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        """Let a layout make it narrower than its words; all of them are in its accessible name."""
        self.elide = elide
        self.setMinimumWidth(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.elide is None:
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        contents = QStyle.SubElement.SE_PushButtonContents
        room = self.style().subElementRect(contents, option, self).width()
        if not option.icon.isNull():
            room -= option.iconSize.width() + Space.XS
        option.text = self.fontMetrics().elidedText(
            option.text, self.elide, room, Qt.TextFlag.TextShowMnemonic
        )
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


def push_button(text: str, *, kind: str = "plain", name: str = "") -> PressButton:
    """Return a push button of a `kind` of the stylesheet: primary, plain or row."""
    button = PressButton()
    # "&" would become a mnemonic; titles and reasons may contain one.
    button.setText(text.replace("&", "&&"))
    button.setProperty("kind", kind)
    button.setAccessibleName(text)
    button.setMinimumHeight(Size.TARGET)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAutoDefault(False)
    if name:
        button.setText(f" {button.text()}")  # Qt leaves no room between icon and text
        button.setIcon(icon(name))
        button.setIconSize(QSize(Size.ICON, Size.ICON))
    return button


def panel_header(title: str, *tools: QWidget, before: QToolButton | None = None) -> QFrame:
    """Return the bar above a panel: its name at the left, its tools at the right.

    before: a button that stands before the name.
    """
    header = QFrame()
    header.setProperty("role", "header")
    header.setFixedHeight(Size.PANEL_HEADER)
    row = QHBoxLayout(header)
    row.setContentsMargins(Space.M, 0, Space.S, 0)
    row.setSpacing(Space.XS)
    if before is not None:
        row.addWidget(as_tall_as_its_bar(before))
    row.addWidget(label(title, bold=True))
    row.addStretch(1)
    for tool in tools:
        row.addWidget(as_tall_as_its_bar(tool) if isinstance(tool, QToolButton) else tool)
    return header


def draw_row(painter: QPainter, option: QStyleOptionViewItem, *, framed: bool = False) -> None:
    """Draw what lies below a row of a list: chosen, pointed at, or plain.

    framed: as the row that has the keyboard is.
    """
    c = colours()
    box = option.rect.adjusted(Space.XS, 1, -Space.XS, -1)
    fill = ""
    if option.state & QStyle.StateFlag.State_Selected:
        fill = c.accent_wash
    elif option.state & QStyle.StateFlag.State_MouseOver:
        fill = c.hover
    if fill:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(box, Size.RADIUS, Size.RADIUS)
    if option.state & QStyle.StateFlag.State_HasFocus or framed:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(c.accent))
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), Size.RADIUS, Size.RADIUS)
