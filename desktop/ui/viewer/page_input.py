"""What wheel, trackpad, fingers, keys and the mouse's side buttons do over the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import (
    QAction,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QScroller

from desktop.ui.viewer.page_layout import Fit
from desktop.ui.viewer.selection import ARROWS

if TYPE_CHECKING:
    from desktop.ui.viewer.page_view import PageView

_WHEEL_NOTCH = 120.0
_FACTOR_PER_NOTCH = 1.2
_CLOSER = 2.0


class PagePointer(QObject):
    """Watches the viewport of a page view."""

    def __init__(self, view: PageView, actions: dict[str, QAction]) -> None:
        super().__init__(view)
        self._view = view
        self._buttons = {
            Qt.MouseButton.BackButton: actions["back"],
            Qt.MouseButton.ForwardButton: actions["forward"],
        }
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
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            action = self._buttons.get(event.button())
            if action is not None:
                action.trigger()
                return True
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
_SCREEN = 0.9
_LINE = 48


class PageKeys(QObject):
    """Handles the keys of a page view that are not shortcuts of the window."""

    def __init__(self, view: PageView, actions: dict[str, QAction]) -> None:
        super().__init__(view)
        self._view = view
        self._actions = {
            key: action for action in actions.values() if (key := action.property("key"))
        }
        self._actions["="] = actions["zoom_in"]  # "+" without Shift
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = held == Qt.KeyboardModifier.ShiftModifier
        if (held and not shift) or (shift and event.key() in ARROWS):  # those select words
            return False
        if self._move(event.key(), back=shift):
            return True
        action = self._actions.get(QKeySequence(event.key()).toString())
        if action is None:
            return False
        action.trigger()
        return True

    def _move(self, key: int, *, back: bool) -> bool:
        view = self._view
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
