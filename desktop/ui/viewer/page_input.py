"""What wheel, trackpad, fingers, keys and the mouse's side buttons do over the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QScroller

from desktop.ui.viewer.page_layout import Fit
from desktop.ui.viewer.selection import ARROWS

if TYPE_CHECKING:
    from desktop.ui.viewer.actions import ActionName
    from desktop.ui.viewer.page_view import PageView

_WHEEL_NOTCH = 120.0
_FACTOR_PER_NOTCH = 1.2
_CLOSER = 2.0


class ZoomGestures(QObject):
    """Watches the viewport of a page view."""

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        viewport = view.viewport()
        viewport.grabGesture(Qt.GestureType.PinchGesture)
        QScroller.grabGesture(viewport, QScroller.ScrollerGestureType.TouchGesture)
        viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent):
            return self._wheel(event)
        if isinstance(event, QNativeGestureEvent):
            return self._trackpad(event)
        if isinstance(event, QGestureEvent):
            return self._fingers(event)
        return False

    def _wheel(self, event: QWheelEvent) -> bool:
        # Qt reports the Command key of a Mac as the control modifier
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        notches = event.angleDelta().y() / _WHEEL_NOTCH
        self._zoom(_FACTOR_PER_NOTCH**notches, event.position())
        return True

    def _trackpad(self, event: QNativeGestureEvent) -> bool:
        kind = event.gestureType()
        if kind == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom(1.0 + event.value(), event.position())
            return True
        if kind == Qt.NativeGestureType.SmartZoomNativeGesture:  # two fingers tap twice
            self._closer(event.position())
            return True
        return False

    def _closer(self, around: QPointF) -> None:
        """Zoom in on a place, and the next time show the whole width again."""
        if self._view.fit is Fit.NONE:
            self._view.set_fit(Fit.WIDTH)
        else:
            self._zoom(_CLOSER, around)

    def _fingers(self, event: QGestureEvent) -> bool:
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        middle = self._view.viewport().mapFromGlobal(pinch.centerPoint().toPoint())
        self._zoom(pinch.scaleFactor(), QPointF(middle))
        event.accept(pinch)
        return True

    def _zoom(self, factor: float, around: QPointF) -> None:
        if factor > 0 and factor != 1.0:
            self._view.set_zoom(self._view.zoom * factor, around)


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
    Key.Key_M: "highlight",
    Key.Key_C: "comment",
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
        if back and key in ARROWS:
            return False  # selects words
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


class MouseButtons(QObject):
    """Watches the viewport of a page view."""

    def __init__(self, view: PageView, actions: dict[ActionName, QAction]) -> None:
        super().__init__(view)
        self._actions = {
            Qt.MouseButton.BackButton: actions["back"],
            Qt.MouseButton.ForwardButton: actions["forward"],
        }
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or event.type() != QEvent.Type.MouseButtonPress:
            return False
        action = self._actions.get(event.button())
        if action is None:
            return False
        action.trigger()
        return True
