"""The controls all panels are built from: plain-text labels, buttons with a name and a size.

Text from manuals, file names and messages may contain anything; nothing built here ever
interprets it as rich text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QMargins,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    SignalInstance,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.design.icons import icon
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type

if TYPE_CHECKING:
    Act = Callable[..., object] | SignalInstance
    """What pressing a button does: a function, or a signal that is emitted."""
    Key = Qt.Key | QKeySequence.StandardKey
    Item = QWidget | QLayout


def in_column(
    owner: QWidget | None = None, room: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QVBoxLayout:
    """Return a vertical layout. room: around it, at the left, top, right and bottom."""
    layout = QVBoxLayout() if owner is None else QVBoxLayout(owner)
    layout.setContentsMargins(*room)
    layout.setSpacing(spacing)
    return layout


def in_row(
    owner: QWidget | None = None, room: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QHBoxLayout:
    """Return a layout from left to right, like `in_column`."""
    layout = QHBoxLayout() if owner is None else QHBoxLayout(owner)
    layout.setContentsMargins(*room)
    layout.setSpacing(spacing)
    return layout


LEFT, TOP = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop


def fill(
    layout: QBoxLayout, *items: Item | int | tuple[Item, int | Qt.AlignmentFlag] | None
) -> None:
    """Put widgets and layouts into a column or a row, one after the other; pixels between them.

    A pair is an item with its share of the room that is left, or with where it lies in its own.
    None: the room that is left, or a share of it.
    """
    for each in items:
        item, how = each if isinstance(each, tuple) else (each, 0)
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        else:
            if isinstance(item, QWidget):
                layout.addWidget(item)
            else:
                layout.addLayout(item)
            if isinstance(how, Qt.AlignmentFlag):
                layout.setAlignment(item, how)
            else:
                layout.setStretchFactor(item, how)


def button_row(*right: QWidget, left: Sequence[QWidget] = ()) -> QHBoxLayout:
    """Return a row of buttons: `left` at its beginning, the others at its end."""
    row = QHBoxLayout()
    fill(row, *left, None, *right)
    return row


def scrolled(content: QWidget, name: str = "", *, always_a_bar: bool = False) -> QScrollArea:
    """Return a view of a widget that may be taller than the room for it, never wider.

    always_a_bar: its scroll bar keeps its room, so that the contents never move sideways.
    """
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    if always_a_bar:
        bar = area.verticalScrollBar()
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar.rangeChanged.connect(lambda _, most: bar.setEnabled(most > 0))  # or it shows no handle
    return area


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
DELETE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class Keys(QObject):
    """Does what keys mean that a widget, or what it holds, has no use of its own for."""

    def __init__(self, widget: QWidget, acts: Mapping[tuple[Key, ...], Callable[[], object]]):
        super().__init__(widget)
        self._acts = acts
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            for keys, act in self._acts.items():
                if any(
                    event.key() == key if isinstance(key, Qt.Key) else event.matches(key)
                    for key in keys
                ):
                    act()
                    return True
        return False


def empty(layout: QLayout) -> None:
    """Take every widget out of a layout and delete it."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def discard(widget: QWidget, layout: QLayout) -> None:
    """Take one widget out of a layout and delete it."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


def painted_as(widget: QWidget, role: str) -> None:
    """Give a plain widget the background of a `role` of the stylesheet."""
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


LONGEST_WORD = 220
"""Pixels of a word that stays on one line; a longer one, such as a row of numbers, may break."""
_MAY_BREAK = "\N{ZERO WIDTH SPACE}"
_JOINS = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{WORD JOINER}": None})


class Label(QLabel):
    """A label that keeps its margins when the stylesheet changes; hidden, a QFrame loses them.

    One that wraps is never wider than its panel: it breaks long words, too.
    """

    def __init__(self, leading: int = 100) -> None:
        """leading: distance between its lines, in per cent of the font's own."""
        super().__init__()
        self._leading = leading
        self._shown = ""
        plain = leading == 100
        self.setTextFormat(Qt.TextFormat.PlainText if plain else Qt.TextFormat.RichText)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._shown = _breakable(text, self.fontMetrics()) if self.wordWrap() else text
        if self.textFormat() == Qt.TextFormat.PlainText:
            super().setText(self._shown)
            return
        # only so can the distance be told to a QLabel; none of the text is ever markup
        style = f"margin:0; white-space:pre-wrap; line-height:{self._leading}%"
        super().setText(f'<p style="{style}">{html.escape(self._shown)}</p>')

    def text(self) -> str:
        """Return what it shows, literally."""
        return self._shown

    def say(self, text: str) -> None:
        """Show a text, or hide while there is none."""
        self.setText(text)
        self.setVisible(bool(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            QApplication.clipboard().setText(self.selectedText().replace(_MAY_BREAK, ""))
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        margins = self.contentsMargins()
        super().changeEvent(event)
        self.setContentsMargins(margins)


def label(
    text: str = "",
    *,
    factor: float = Type.BODY,
    bold: bool = False,
    tone: str = "",
    wrap: bool = False,
    selectable: bool = False,
    leading: int = 100,
) -> Label:
    """Return a label that shows `text` literally. leading: as `Label`."""
    result = Label(leading)
    result.setFont(scaled_font(factor, bold=bold))
    result.setWordWrap(wrap)
    result.setText(text)
    if tone:
        result.setProperty("tone", tone)
    if selectable:
        # By mouse only: labels in the tab order would bury the controls between them.
        result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return result


def remark(*, factor: float = Type.BODY, bold: bool = False, tone: str = "") -> Label:
    """Return a label that wraps, and is hidden until it says something."""
    result = label(factor=factor, bold=bold, tone=tone, wrap=True)
    result.hide()
    return result


def _breakable(text: str, metrics: QFontMetrics) -> str:
    """Return a text in which words that are wider than a narrow panel may be broken anywhere."""
    if metrics.horizontalAdvance(text) <= LONGEST_WORD:
        return text
    return "".join(
        _broken(part, metrics) if metrics.horizontalAdvance(part) > LONGEST_WORD else part
        for part in re.split(r"([ \n]+)", text)
    )


def _broken(word: str, metrics: QFontMetrics) -> str:
    if (parted := word.translate(_JOINS)) != word:
        return _breakable(parted, metrics)
    return _MAY_BREAK.join(word)


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


def text_field(name: str, text: str = "", placeholder: str = "") -> QLineEdit:
    """Return a line to write in. name: for a screen reader."""
    field = QLineEdit(text)
    field.setProperty("kind", "field")
    field.setAccessibleName(name)
    field.setPlaceholderText(placeholder)
    field.setMinimumHeight(Size.TARGET)
    return field


def search_field(placeholder: str, name: str = "") -> QLineEdit:
    """Return a field that searches as you type. name: for a screen reader, else `placeholder`."""
    field = text_field(name or placeholder, placeholder=placeholder)
    field.setClearButtonEnabled(True)
    field.setAcceptDrops(False)  # what is dropped is for the library
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


def flat_button(
    name: str, text: str, act: Act | None = None, *, caption: bool = False
) -> QToolButton:
    """Return an icon button; `text` is its accessible name, tooltip and optional caption."""
    button = make_flat(QToolButton(), name, text, caption=caption)
    if act is not None:
        button.clicked.connect(act)
    return button


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
    """Make a button in the bar above a panel clickable over the bar's whole height."""
    button.setProperty("tall", True)
    button.setMinimumHeight(Size.BAR - 1)  # the line below the bar
    return button


class PressButton(QPushButton):
    """A push button that Enter presses too: outside dialogs Qt lets only Space press it.

    elide: where words without room get their "…"; with None no layout can make the
    button narrower than its words.
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
        shown = self.fontMetrics().elidedText(
            option.text, self.elide, room, Qt.TextFlag.TextShowMnemonic
        )
        with QPainter(self) as painter:
            self.draw_frame(painter, shown)

    def draw_frame(self, painter: QPainter, text: str = "") -> None:
        """Draw the button with other words than its own, or without any."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = text
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


def push_button(
    text: str, act: Act | None = None, *, kind: str = "plain", name: str = ""
) -> PressButton:
    """Return a push button of a `kind` of the stylesheet: primary, plain or row."""
    button = PressButton()
    if act is not None:
        button.clicked.connect(act)
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
    row = in_row(header, (Space.INSET, 0, Space.M, 0), spacing=Space.XS)
    if before is not None:
        row.addWidget(as_tall_as_its_bar(before))
    fill(row, label(title, bold=True), None)
    for tool in tools:
        row.addWidget(as_tall_as_its_bar(tool) if isinstance(tool, QToolButton) else tool)
    return header


def draw_row(painter: QPainter, option: QStyleOptionViewItem, *, framed: bool = False) -> None:
    """Draw the background of a list row: chosen, pointed at, or plain.

    framed: as for the row that has the keyboard.
    """
    c = colours()
    box = option.rect.adjusted(Space.S, 1, -Space.S, -1)
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


ROW_ROOM = QMargins(Space.INSET, Space.S, Space.S, Space.S)
"""Around what `RowText` draws in a row."""
_BELOW_TITLE = 3


@dataclass(frozen=True, slots=True)
class RowText:
    """The contents of a list row: an icon, if any, a bold title, and a small detail below it.

    Both are cut to a number of lines; a button of the list may lie to their right.
    """

    icon: str
    title: str
    detail: str
    title_lines: int
    detail_lines: int = 1
    mark_width: int = 0
    """Pixels at the left of the words, 0 for those of an icon."""

    @property
    def _mark_width(self) -> int:
        return self.mark_width or Size.ICON

    def height(self, width: int) -> int:
        """Return its height in a row of this many pixels inside `ROW_ROOM`."""
        return _BELOW_TITLE + sum(_high(text, font) for text, font in self._cut(width))

    def draw(self, painter: QPainter, area: QRect, inks: tuple[str, str, str]) -> QRect:
        """Draw it and return where its detail is. inks: for icon, title and detail."""
        mark = QRect(area.left(), area.top() + 1, Size.ICON, Size.ICON)
        mark.translate((self._mark_width - Size.ICON) // 2, 0)
        if self.icon:
            icon(self.icon, inks[0]).paint(painter, mark)
        place = area.adjusted(self._mark_width + Space.S, 0, -Size.TARGET, 0)
        for (text, font), ink in zip(self._cut(area.width()), inks[1:], strict=True):
            place.setHeight(_high(text, font))
            painter.setFont(font)
            painter.setPen(QColor(ink))
            painter.drawText(place, 0, text)
            last = QRect(place)
            place.moveTop(place.bottom() + 1 + _BELOW_TITLE)
        return last

    def _cut(self, width: int) -> list[tuple[str, QFont]]:
        room = width - self._mark_width - Space.S - Size.TARGET
        bold, small = scaled_font(Type.BODY, bold=True), scaled_font(Type.SMALL)
        detail = in_lines(self.detail, QFontMetrics(small), room)
        return [
            (cut_to_lines(self.title, bold, room, self.title_lines), bold),
            (cut_to_lines(detail, small, room, self.detail_lines), small),
        ]


def _high(text: str, font: QFont) -> int:
    return (text.count("\n") + 1) * QFontMetrics(font).lineSpacing()


def row_width(option: QStyleOptionViewItem) -> int:
    """Return how wide the rows of a list are."""
    view = option.widget
    if isinstance(view, QAbstractItemView):
        return view.viewport().width()
    return option.rect.width()


class ElidedLabel(Label):
    """One line that ends in "…" where the room runs out; it never widens its panel."""

    def __init__(self, *, factor: float = Type.BODY, bold: bool = False, tone: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(scaled_font(factor, bold=bold))
        if tone:
            self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            fitting = self.fontMetrics().elidedText(
                self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
            )
            painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignVCenter, fitting)


def cut_to_lines(text: str, font: QFont, width: int, most: int) -> str:
    """Return a text broken into lines of this many pixels; what does not fit ends in "…".

    A word that is longer than a line, such as a file's name, is broken anywhere.
    """
    units = text.encode("utf-16-le")  # what Qt counts in
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(40, width))
        start, end = line.textStart(), line.textStart() + line.textLength()
        if len(lines) == most - 1:
            end = len(units) // 2
        lines.append(units[2 * start : 2 * end].decode("utf-16-le").strip())
    layout.endLayout()
    if lines:
        cut = Qt.TextElideMode.ElideRight
        lines[-1] = QFontMetrics(font).elidedText(lines[-1], cut, max(40, width))
    return "\n".join(lines)


DOT = " · "


def in_lines(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return a text with a line break replacing each dot whose next part does not fit."""
    if DOT not in text or metrics.horizontalAdvance(text) <= width:
        return text
    lines = [""]
    for part in text.split(DOT):
        longer = f"{lines[-1]}{DOT}{part}" if lines[-1] else part
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


class FlowLayout(QLayout):
    """Left to right, then the next line; every line as tall as its tallest item.

    The names without an underscore are Qt's.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = Space.S) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.setContentsMargins(QMargins(0, 0, 0, 0))

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), place=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        super().setGeometry(rect)
        self._arrange(rect, place=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, room: QRect, *, place: bool) -> int:
        """Put everything where it fits; returns the height that takes."""
        margins = self.contentsMargins()
        whole, room = room, room.marginsRemoved(margins)
        x, y, line = room.x(), room.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            if x > room.x() and x + hint.width() > room.right() + 1:
                x, y, line = room.x(), y + line + self._gap, 0
            if place:
                item.setGeometry(QRect(QPoint(x, y), hint))
            x += hint.width() + self._gap
            line = max(line, hint.height())
        return y + line + margins.bottom() - whole.y()


class TallRows(QStyledItemDelegate):
    """Draws as the style does, with rows as tall as a target."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(Size.TARGET, size.height() + Space.S))


def make_tall(view: QAbstractItemView) -> None:
    """Give a list or tree the look of the window's other lists, and tall rows."""
    view.setProperty("kind", "flat")
    view.setItemDelegate(TallRows(view))
