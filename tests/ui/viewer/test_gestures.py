"""Fingers on a trackpad and the buttons of a mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication

from desktop.ui.viewer.page_layout import Fit

if TYPE_CHECKING:
    from desktop.ui.viewer.panel import ViewerPanel

AROUND = QPointF(300, 400)


def gesture(panel: ViewerPanel, kind: Qt.NativeGestureType, value: float = 0.0) -> None:
    viewport = panel.view.viewport()
    there = QPointF(viewport.mapToGlobal(AROUND.toPoint()))
    event = QNativeGestureEvent(
        kind,
        QPointingDevice.primaryPointingDevice(),
        2,
        AROUND,
        AROUND,
        there,
        value,
        QPointF(),
    )
    QApplication.sendEvent(viewport, event)


def test_a_pinch_zooms_around_the_pointer(opened):
    view = opened.view
    page = view.page_under(AROUND)
    assert page is not None
    before, zoom = view.page_frame(page).point(AROUND), view.zoom
    for _ in range(6):
        gesture(opened, Qt.NativeGestureType.ZoomNativeGesture, 0.05)
    assert view.zoom == pytest.approx(zoom * 1.05**6, rel=0.01)
    assert view.page_frame(page).point(AROUND) == pytest.approx(before, abs=2.0)


def test_while_a_pinch_goes_on_nothing_is_drawn_and_then_only_the_last_size(opened, qtbot):
    for _ in range(8):
        gesture(opened, Qt.NativeGestureType.ZoomNativeGesture, 0.02)
    assert opened.view.zooming
    assert opened.pending_drawings() == 0
    qtbot.waitUntil(lambda: not opened.view.zooming)
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0)


def test_tapping_twice_looks_closer_and_shows_the_width_again(opened):
    zoom = opened.view.zoom
    gesture(opened, Qt.NativeGestureType.SmartZoomNativeGesture)
    assert opened.view.zoom == pytest.approx(2 * zoom)
    gesture(opened, Qt.NativeGestureType.SmartZoomNativeGesture)
    assert opened.view.fit is Fit.WIDTH
    assert opened.view.zoom == pytest.approx(zoom)


def test_the_buttons_at_the_side_of_a_mouse_go_back_and_forward(opened, qtbot):
    opened.open_document(1, 5)
    qtbot.waitUntil(lambda: opened.current_location() == (1, 5))
    viewport = opened.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.BackButton)
    assert opened.current_location() == (1, 0)
    qtbot.mousePress(viewport, Qt.MouseButton.ForwardButton)
    assert opened.current_location() == (1, 5)
