"""Framing a part of a page: with the mouse, or what is in view with the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent

from desktop.core.geometry import Box
from desktop.ui.viewer.region.page_area import PageArea

if TYPE_CHECKING:
    from desktop.ui.viewer.pages.page_view import PageView

_SMALLEST = 6.0
"""Points of either side below which a frame counts as a slip of the hand."""


class RegionTool(QObject):
    """framed(area): a `PageArea` was framed. slipped(): too small, or given up."""

    framed = Signal(object)
    slipped = Signal()

    def __init__(self, view: PageView, mode: QAction) -> None:
        """mode: checked while the next drag is a frame; holding Alt does the same for one."""
        super().__init__(view)
        self._view, self._mode = view, mode
        self._start: tuple[int, QPointF] | None = None
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        mode.toggled.connect(self._show_mode)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._key(event)
        if not isinstance(event, QMouseEvent):
            return False
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseButtonPress and left:
            return self._press(event)
        if event.type() == QEvent.Type.MouseMove:
            if self._start is not None:
                self._drag(event.position())
            return self._start is not None or self._mode.isChecked()
        if event.type() == QEvent.Type.MouseButtonRelease and left and self._start is not None:
            self._release(event.position())
            return True
        return False

    def _show_mode(self, on: bool) -> None:
        shape = Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(shape)

    def _press(self, event: QMouseEvent) -> bool:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        page = self._view.page_under(event.position())
        if page is None or not (alt or self._mode.isChecked()):
            return False
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        self._start = (page, event.position())
        return True

    def _drag(self, position: QPointF) -> None:
        self._view.overlays.region = self._area(position)
        self._view.viewport().update()

    def _release(self, position: QPointF) -> None:
        area = self._area(position)
        self._start = None
        self._end(area)

    def _key(self, event: QKeyEvent) -> bool:
        if not self._mode.isChecked():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._start = None
            self._end(None)
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            seen = QRectF(self._view.viewport().rect())
            page = self._view.page
            corners = (seen.topLeft(), seen.bottomRight())
            self._end(self._between(page, *corners))
            return True
        return False

    def _end(self, area: PageArea | None) -> None:
        self._mode.setChecked(False)
        if area is None or area.box.width < _SMALLEST or area.box.height < _SMALLEST:
            self.slipped.emit()
        else:
            self.framed.emit(area)

    def _area(self, position: QPointF) -> PageArea | None:
        return None if self._start is None else self._between(*self._start, position)

    def _between(self, page: int, start: QPointF, end: QPointF) -> PageArea | None:
        """Return what lies between two corners of a frame, cut at the edges of its page."""
        document = self._view.document
        if document is None or page >= len(document.pages):
            return None
        frame = self._view.page_frame(page)
        (x0, y0), (x1, y1) = frame.point(start), frame.point(end)
        width, height = (float(side) for side in document.sizes[page])
        box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        return PageArea(document.id, page, box.intersection(Box(0.0, 0.0, width, height)))
