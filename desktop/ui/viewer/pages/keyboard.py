"""Plain keys over the pages: reading a manual with one hand on the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent

from desktop.ui.viewer.pages.zoom import Fit

if TYPE_CHECKING:
    from desktop.ui.viewer.actions import ActionName
    from desktop.ui.viewer.pages.page_view import PageView

Key = Qt.Key
_ACTION_KEYS: dict[int, ActionName] = {
    Key.Key_Plus: "zoom_in",
    Key.Key_Equal: "zoom_in",
    Key.Key_Minus: "zoom_out",
    Key.Key_0: "fit_width",
    Key.Key_9: "fit_page",
    Key.Key_8: "actual_size",
    Key.Key_7: "two_up",
    Key.Key_6: "cover_alone",
    Key.Key_BracketRight: "rotate_right",
    Key.Key_BracketLeft: "rotate_left",
    Key.Key_H: "heat_map",
    Key.Key_N: "next_highlight",
    Key.Key_P: "previous_highlight",
    Key.Key_A: "add_note",
    Key.Key_B: "add_bookmark",
    Key.Key_E: "mark_region",
    Key.Key_L: "page_links",
}
_SCREEN = 0.9
_LINE = 48


class PageKeys(QObject):
    """Handles the keys of a page view that are not shortcuts of the window."""

    def __init__(self, view: PageView, actions: dict[ActionName, QAction]) -> None:
        super().__init__(view)
        self._view = view
        self._actions = actions
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        held = event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        )
        if held:
            return False
        name = _ACTION_KEYS.get(event.key())
        if name is not None:
            self._actions[name].trigger()
            return True
        return self._move(event)

    def _move(self, event: QKeyEvent) -> bool:
        view, key = self._view, event.key()
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Key.Key_PageDown, Key.Key_PageUp, Key.Key_Space):
            self._screen(-1 if key == Key.Key_PageUp or (key == Key.Key_Space and back) else 1)
        elif key in (Key.Key_Down, Key.Key_Up):
            bar = view.verticalScrollBar()
            bar.setValue(bar.value() + (_LINE if key == Key.Key_Down else -_LINE))
        elif key in (Key.Key_Left, Key.Key_Right):
            self._aside(1 if key == Key.Key_Right else -1)
        elif key == Key.Key_Home:
            view.go_to_page(0)
        elif key == Key.Key_End and view.document is not None:
            view.go_to_page(len(view.document.pages) - 1)
        else:
            return False
        return True

    def _screen(self, direction: int) -> None:
        if self._view.fit is Fit.PAGE:
            self._view.turn_row(direction)
            return
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + round(direction * bar.pageStep() * _SCREEN))

    def _aside(self, direction: int) -> None:
        """Scroll sideways where there is anything at the side, else turn the page."""
        bar = self._view.horizontalScrollBar()
        if bar.maximum() > bar.minimum():
            bar.setValue(bar.value() + direction * _LINE)
        else:
            self._view.turn_row(direction)
