"""A button that shows one of a few values and lets a person choose another one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy

from desktop.ui.controls import PressButton
from desktop.ui.tokens import Size

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        self._menu = QMenu(self)
        self.setMenu(self._menu)
        self.setProperty("kind", "choice")
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(Size.TARGET)
        self.setMinimumWidth(1)  # an endless tag must not make the window wider
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if values:
            self.offer(values)

    @property
    def value(self) -> T:
        """What is chosen."""
        return self._values[self._at][0]

    def offer(self, values: Sequence[tuple[T, str]]) -> None:
        """Offer other values; what was chosen stays if it is among them, else the first is."""
        before = self._values[self._at][0] if self._values else None
        self._values = list(values)
        self._menu.clear()
        group = QActionGroup(self._menu)
        for number, (_, text) in enumerate(self._values):
            entry = self._menu.addAction(_in_a_menu(text))
            entry.setCheckable(True)
            group.addAction(entry)
            entry.triggered.connect(partial(self._choose, number))
        places = [number for number, (value, _) in enumerate(self._values) if value == before]
        self._show(places[0] if places else 0)

    def set_value(self, value: T, text: str = "") -> None:
        """Show a value without telling anybody; one that is not offered is, as `text`."""
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
        self.setText(f"  {_in_a_menu(text)}")  # Qt's style drops the padding beside a menu
        self.setAccessibleName(f"{self._name}: {text}")
        self._menu.actions()[number].setChecked(True)


def _in_a_menu(text: str) -> str:
    short = text if len(text) <= LONGEST_ENTRY else text[:LONGEST_ENTRY].rstrip() + " …"
    return short.replace("&", "&&")
