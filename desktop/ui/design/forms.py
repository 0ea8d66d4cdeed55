"""What forms are made of: fields with their names and faults, names and choices, a frame."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from desktop.core.library.places import LONGEST_NAME
from desktop.ui.design.controls import (
    PressButton,
    button_row,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    painted_as,
    remark,
    scrolled,
    set_tone,
    text_field,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import Menu, menu_of
from desktop.ui.design.tokens import Size, Space, Type

MOST_LINES = 12


class Field(QWidget):
    """One line, or an area that grows with its text when `lines` is more than one.

    edited(): a person changed the text.
    """

    edited = Signal()

    def __init__(self, name: str, hint: str = "", *, lines: int = 1, example: str = "") -> None:
        super().__init__()
        self.editor: QLineEdit | QPlainTextEdit = (
            text_field(name) if lines == 1 else _Area(name, lines)
        )
        self.editor.setAccessibleDescription(hint)
        self.editor.setPlaceholderText(example)
        self.editor.textChanged.connect(self._changed)
        self.setFocusProxy(self.editor)
        caption = label(name, bold=True, wrap=True)
        caption.setMinimumWidth(1)  # two fields beside each other are equally wide
        caption.setBuddy(self.editor)
        self.fault = remark(factor=Type.SMALL, tone="bad")
        self._quiet = False
        column = in_column(self, spacing=Space.XS)
        column.addWidget(caption)
        if hint:
            column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        fill(column, self.editor, self.fault)

    @property
    def text(self) -> str:
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
        self.fault.say(sentence)

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
        fill(in_column(self._inside, spacing=Space.M), *fields)
        fill(in_column(self, spacing=Space.S), self.button, self._inside)
        self.button.toggled.connect(self.open)
        self.open(False)

    def set_name(self, name: str) -> None:
        """Change the text of the line."""
        self.button.setText(name.replace("&", "&&"))
        self.button.setAccessibleName(name)

    def open(self, opened: bool = True) -> None:
        """Show the fields, or the line alone."""
        self.button.setChecked(opened)
        self.button.setIcon(icon("chevron-down" if opened else "chevron-right", "muted"))
        self._inside.setVisible(opened)


class _Area(QPlainTextEdit):
    def __init__(self, name: str, lines: int) -> None:
        super().__init__()
        self.setProperty("kind", "field")
        self.setAccessibleName(name)
        self._least = lines
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = min(MOST_LINES, max(self._least, self.blockCount()))
        margins = 2 * (Space.XS + 2) + 2 * int(self.document().documentMargin())
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)


class PageFrame(QWidget):
    """Holds `content`; buttons stand below it, at the left and at the right."""

    def __init__(
        self, content: QWidget, left: tuple[QWidget, ...] = (), right: tuple[QWidget, ...] = ()
    ) -> None:
        super().__init__()
        self._title = label("", factor=Type.TITLE, bold=True, wrap=True)
        self._state = label("", wrap=True)
        self._title.setMinimumWidth(1)  # an endless name must not make the page wider
        inner = QWidget()
        painted_as(inner, "panel")
        # the scroll bar is part of the inset
        room = (Space.INSET, Space.INSET, Space.INSET - Size.SCROLL_BAR, Space.INSET)
        column = in_column(inner, room, spacing=Space.S)
        fill(column, self._title, self._state, Space.M, content, None)
        self.area = scrolled(inner, always_a_bar=True)
        whole = in_column(self)
        whole.addWidget(self.area, 1)
        if left or right:
            footer = QFrame()
            footer.setProperty("role", "footer")
            row = in_row(footer, (Space.INSET, Space.S, Space.INSET, Space.S), spacing=Space.S)
            row.addLayout(button_row(*right, left=left))
            whole.addWidget(footer)

    def show_title(self, title: str, state: str, tone: str = "muted") -> None:
        self._title.setText(title)
        self._state.setText(state)
        set_tone(self._state, tone)

    def to_top(self) -> None:
        self.area.verticalScrollBar().setValue(0)


class NameField(QWidget):
    """A line for a name, with the known ones in a menu beside it."""

    def __init__(self, name: str, example: str) -> None:
        super().__init__()
        self.line = text_field(name, placeholder=example)
        self.line.setMaxLength(LONGEST_NAME)
        self._known = flat_button("chevron-down", self.tr("Known: {name}").format(name=name))
        self._menu = menu_of(self._known)
        self.setFocusProxy(self.line)
        fill(in_row(self, spacing=Space.XS), (self.line, 1), self._known)

    @property
    def name(self) -> str:
        """The text in the line."""
        return self.line.text()

    def offer(self, names: Collection[str]) -> None:
        """Offer known names, and complete them while one is typed."""
        self._menu.clear()
        wanted = sorted(name for name in names if name)
        for name in wanted:
            entry = self._menu.addAction(name.replace("&", "&&"))
            entry.triggered.connect(partial(self.choose, name))
        self._known.setEnabled(bool(wanted))
        if not self.completes():
            return
        completer = QCompleter(wanted, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.line.setCompleter(completer)

    def choose(self, name: str) -> None:
        self.line.setText(name)

    def completes(self) -> bool:
        """Whether known names are completed while one is typed."""
        return True


T = TypeVar("T")
LONGEST_ENTRY = 60


class Choice(PressButton, Generic[T]):
    """chosen(): a person chose another value. name: what is chosen, for a screen reader."""

    chosen = Signal()

    def __init__(self, name: str, values: Sequence[tuple[T, str]] = ()) -> None:
        super().__init__()
        self._name = name
        self._values: list[tuple[T, str]] = []
        self._at = 0
        self._menu = Menu(self)
        self.setMenu(self._menu)
        self.setProperty("kind", "choice")
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(Size.TARGET)
        self.let_shrink()  # an endless tag must not make the window wider
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if values:
            self.offer(values)

    @property
    def value(self) -> T:
        """What is chosen."""
        return self._values[self._at][0]

    def offer(self, values: Sequence[tuple[T, str]]) -> None:
        """Offer other values; the chosen one stays if among them, else the first is chosen."""
        before = self._values[self._at][0] if self._values else None
        self._values = list(values)
        self._menu.clear()
        group = QActionGroup(self._menu)
        for number, (_, text) in enumerate(self._values):
            entry = self._menu.addAction(in_a_menu(text))
            entry.setCheckable(True)
            group.addAction(entry)
            entry.triggered.connect(partial(self._choose, number))
        places = [number for number, (value, _) in enumerate(self._values) if value == before]
        self._show(places[0] if places else 0)

    def set_value(self, value: T, text: str = "") -> None:
        """Show a value without telling anybody; one not offered yet is added, as `text`."""
        places = [number for number, (each, _) in enumerate(self._values) if each == value]
        if not places:
            self.offer([*self._values, (value, text or str(value))])
            places = [len(self._values) - 1]
        self._show(places[0])

    def _choose(self, number: int, _checked: bool = False) -> None:
        if number != self._at:
            self._show(number)
            self.chosen.emit()

    def _show(self, number: int) -> None:
        self._at = number
        text = self._values[number][1]
        self.setText(f"  {in_a_menu(text)}")  # Qt's style drops the padding beside a menu
        self.setAccessibleName(f"{self._name}: {text}")
        self._menu.actions()[number].setChecked(True)


def in_a_menu(text: str, longest: int = LONGEST_ENTRY) -> str:
    """Return a text as a menu entry: cut short if it is long, with no letter underlined."""
    short = text if len(text) <= longest else text[:longest].rstrip() + " …"
    return short.replace("&", "&&")
