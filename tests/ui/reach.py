"""Whether whoever sees little, has no mouse or wears gloves can use what is on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QRadioButton,
    QScrollBar,
    QSplitterHandle,
    QTabBar,
    QTextEdit,
    QWidget,
)

INTERACTIVE = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
)
LEAST_SIDE = 28
"""Pixels of what a gloved finger or a shaking hand has to hit."""
ROOM_FOR_TEXT = 26


@dataclass
class Survey:
    """What is wrong with the windows that were looked at, and the classes that were seen."""

    nameless: set[str] = field(default_factory=set)
    unreachable: set[str] = field(default_factory=set)
    small: set[str] = field(default_factory=set)
    untitled: set[str] = field(default_factory=set)
    traps: set[str] = field(default_factory=set)
    seen: set[type] = field(default_factory=set)
    controls: int = 0

    def faults(self) -> dict[str, list[str]]:
        found = {
            "without a name": self.nameless,
            "not reached by Tab": self.unreachable,
            "too small": self.small,
            "never left by Tab": self.traps,
            "windows without a title": self.untitled,
        }
        return {what: sorted(those) for what, those in found.items() if those}

    def look(self, where: str = "") -> Survey:
        """Look at every window that is visible now. where: the state, said with its faults."""
        for top in QApplication.topLevelWidgets():
            if top.isVisible() and not _of_the_system(top):
                self.look_at(top, where)
        return self

    def look_at(self, top: QWidget, where: str = "") -> None:
        within = [top, *(each for each in top.findChildren(QWidget) if each.window() is top)]
        visible = [each for each in within if each.isVisible()]
        self.seen |= {kind for each in visible for kind in type(each).__mro__}
        controls = [each for each in visible if is_interactive(each)]
        self.controls += len(controls)
        if controls and not top.windowTitle() and top.windowType() != Qt.WindowType.ToolTip:
            self.untitled.add(f"{where}: {described(top)}")
        reached = _in_tab_order(top)
        for each in controls:
            if not is_named(each):
                self.nameless.add(f"{where}: {described(each)}")
            if each.isEnabled() and not _reached(each, reached):
                self.unreachable.add(f"{where}: {described(each)}")
            if holds_tab(each):
                self.traps.add(f"{where}: {described(each)}")
            if each.isEnabled() and is_small(each):
                self.small.add(f"{where}: {described(each)} {each.width()}x{each.height()}")


def is_interactive(widget: QWidget) -> bool:
    """Whether a person does something with it: Qt's own controls, and what takes a click."""
    if _part_of_another(widget):
        return False
    return isinstance(widget, INTERACTIVE) or _takes_clicks(widget)


def is_named(widget: QWidget) -> bool:
    return bool(
        widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text().strip())
    )


def holds_tab(widget: QWidget) -> bool:
    """Whether Tab is typed into it, or goes through its rows, instead of leaving it."""
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return not (widget.tabChangesFocus() or widget.isReadOnly())
    return isinstance(widget, QAbstractItemView) and widget.tabKeyNavigation()


def is_small(widget: QWidget) -> bool:
    """Whether it is too small for a glove; text that runs over lines is as tall as it is."""
    if isinstance(widget, QAbstractButton | QComboBox | QAbstractSpinBox):
        return min(widget.width(), widget.height()) < LEAST_SIDE
    if isinstance(widget, QLineEdit):
        return widget.height() < ROOM_FOR_TEXT
    if isinstance(widget, QTabBar) and widget.count():
        return widget.tabRect(0).height() < LEAST_SIDE
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        first = widget.visualRect(widget.model().index(0, 0, widget.rootIndex()))
        return first.isValid() and first.height() < ROOM_FOR_TEXT
    return False


def described(widget: QWidget) -> str:
    path = [type(each).__name__ for each in (widget, *_ancestors(widget)[:3])]
    return f"{'.'.join(reversed(path))} {widget.accessibleName()!r}"


def _takes_clicks(widget: QWidget) -> bool:
    """Whether one of our own classes says what a press of the mouse does."""
    return (
        any(
            "mousePressEvent" in kind.__dict__ or "mouseReleaseEvent" in kind.__dict__
            for kind in type(widget).__mro__
            if kind.__module__.startswith("desktop.")
        )
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
    )


def _of_the_system(top: QWidget) -> bool:
    """Whether Qt made it: file dialogs and menus, which need nothing of us."""
    return isinstance(top, QFileDialog) or not any(
        kind.__module__.startswith("desktop.") for kind in type(top).__mro__
    )


def _part_of_another(widget: QWidget) -> bool:
    """Scroll bars, and what Qt itself makes a spin box, a combo box, a tab bar of."""
    parent = widget.parentWidget()
    parts_of = QAbstractSpinBox | QComboBox | QLineEdit | QAbstractItemView | QTabBar
    if isinstance(parent, QAbstractScrollArea) and widget is parent.viewport():
        return True
    kinds = QScrollBar | QSplitterHandle | QMenuBar
    of_qt = widget.objectName().startswith("qt_") or isinstance(widget, kinds)
    popup = any(isinstance(each, QComboBox) for each in _ancestors(widget))
    return isinstance(parent, parts_of) or of_qt or popup


def _ancestors(widget: QWidget) -> list[QWidget]:
    found = []
    parent = widget.parentWidget()
    while parent is not None:
        found.append(parent)
        parent = parent.parentWidget()
    return found


def _in_tab_order(top: QWidget) -> set[QWidget]:
    """Return what Qt's chain of Tab goes through.

    Not by `nextInFocusChain`: PySide would count each widget as a part of the one before, and
    call it deleted together with that.
    """
    widgets = (top, *top.findChildren(QWidget))
    return {each for each in widgets if each.focusPolicy() & Qt.FocusPolicy.TabFocus}


def _reached(widget: QWidget, reached: set[QWidget]) -> bool:
    proxy = widget.focusProxy()
    if (proxy or widget) in reached:
        return True
    # The arrows go from one radio button to the next; Tab goes to the chosen one.
    if isinstance(widget, QRadioButton) and widget.group() is not None:
        return any(each in reached for each in widget.group().buttons())
    return False
