"""Zooming with wheel, trackpad and fingers, around what is under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QScroller

from desktop.ui.viewer.pages.zoom import Fit

if TYPE_CHECKING:
    from desktop.ui.viewer.pages.page_view import PageView

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
        """Look closer at a place, and the next time see the whole width again."""
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
