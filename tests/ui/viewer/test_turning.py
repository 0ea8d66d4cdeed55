"""Pages turned, two in a row, and in their printed size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication

from desktop.core.geometry import Box
from desktop.ui.viewer.page_layout import (
    Fit,
    PagePoint,
    PageStrip,
    upright_rect,
)
from desktop.ui.viewer.page_painter import PageFrame

if TYPE_CHECKING:
    from desktop.ui.viewer.panel import ViewerPanel

SIZES = np.array([[600, 800], [600, 800], [800, 600], [600, 800], [400, 400]], np.float64)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (0, QRect(0, 0, 100, 50)),
        (1, QRect(0, 700, 50, 100)),
        (2, QRect(500, 750, 100, 50)),
        (3, QRect(550, 0, 50, 100)),
    ],
)
def test_the_upper_left_of_a_turned_page_shows_this_part_of_it(turn, expected):
    assert upright_rect(QRect(0, 0, 100, 50), 600, 800, turn) == expected


def test_two_pages_stand_beside_each_other_and_a_last_one_keeps_its_side():
    strip = PageStrip(SIZES, 1.0, 10, 2000, across=2)
    first, second, last = strip.rect(0), strip.rect(1), strip.rect(4)
    assert first.y() == second.y()
    assert second.x() == first.right() + 11
    assert first.x() == (2000 - 1210) // 2
    assert strip.rect(2).y() == first.bottom() + 11
    assert last.x() < 1000
    assert strip.page_at(100, first.x() + 5) == 0
    assert strip.page_at(100, second.x() + 5) == 1
    assert list(strip.visible(0, 100)) == [0, 1]
    assert strip.beside(1, 1) == 2
    assert strip.beside(4, 1) == 4
    assert strip.locate(second.x(), second.y()) == PagePoint(1, 0.0, 0.0)


def test_a_turned_strip_swaps_width_and_height():
    strip = PageStrip(SIZES, 1.0, 10, 2000, turn=1)
    assert (strip.rect(0).width(), strip.rect(0).height()) == (800, 600)
    assert (strip.rect(2).width(), strip.rect(2).height()) == (600, 800)


def test_a_turned_box_is_drawn_where_the_turned_page_shows_it():
    from PySide6.QtCore import QRectF

    frame = PageFrame(QRectF(100, 0, 800, 600), 600, 800, 1)
    drawn = frame.rect(Box(0, 0, 60, 20))
    assert (drawn.right(), drawn.top()) == (900, 0)
    assert (drawn.width(), drawn.height()) == (20, 60)
    assert frame.point(QPointF(900, 0)) == (0, 0)


def dark_centre(panel: ViewerPanel) -> QPoint:
    """Return the middle of everything black that is on the screen."""
    picture = panel.view.viewport().grab().toImage()
    places = [
        (x, y)
        for y in range(0, picture.height(), 2)
        for x in range(0, picture.width(), 2)
        if picture.pixelColor(x, y).lightness() < 60
    ]
    assert places
    return QPoint(
        sum(x for x, _ in places) // len(places), sum(y for _, y in places) // len(places)
    )


def test_turning_shows_words_and_selection_at_the_same_place(opened, qtbot):
    opened.resize(900, 660)  # no second page below the wide one
    qtbot.keyClick(opened.view, Qt.Key.Key_9)
    qtbot.keyClick(opened.view, Qt.Key.Key_BracketRight)
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0 and not opened.view.zooming)
    frame = opened.view.page_frame(0)
    assert frame.area.width() > frame.area.height()
    expected = frame.rect(Box(72, 80, 300, 185))
    seen = dark_centre(opened)
    assert expected.contains(QPointF(seen))
    opened.actions_by_name["select_page"].trigger()
    opened.actions_by_name["copy"].trigger()
    assert "S-130" in QGuiApplication.clipboard().text()
    for _ in range(3):
        opened.actions_by_name["rotate_right"].trigger()
    assert opened.view.turn == 0


def test_a_word_under_the_pointer_is_found_on_a_turned_page(opened, qtbot):
    opened.actions_by_name["rotate_left"].trigger()
    opened.actions_by_name["fit_page"].trigger()
    words = opened._words.get(1, 0)
    assert words is not None
    place = opened.view.page_frame(0).rect(words.box(0)).center().toPoint()
    qtbot.mouseDClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    opened.actions_by_name["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "Page"


def test_two_pages_turn_by_two_and_fit_the_width(opened, qtbot):
    opened.actions_by_name["two_up"].trigger()
    view = opened.view
    assert opened.actions_by_name["two_up"].isChecked()
    first, second = view.page_frame(0).area, view.page_frame(1).area
    assert first.left() >= 0
    assert second.right() <= view.viewport().width()
    assert second.left() > first.right()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.page == 2
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.page == 4
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.page == 2
    opened.actions_by_name["two_up"].trigger()
    assert view.across == 1
    assert view.page == 2
    assert not opened.actions_by_name["two_up"].isChecked()


def test_small_pages_are_turned_with_the_large_ones(opened, qtbot):
    small = opened.thumbnails
    opened.actions_by_name["thumbnails"].trigger()

    def black() -> tuple[int, int]:
        """Width and height of what is written on the second small page."""
        area = small.visualRect(small.model().index(1, 0)).adjusted(0, 0, 0, -30)
        picture = small.viewport().grab(area).toImage()
        inked = np.array(
            [
                [picture.pixelColor(x, y).lightness() < 225 for x in range(picture.width())]
                for y in range(picture.height())
            ]
        )
        inked[inked.sum(axis=1) > 60] = False  # the edges of the paper
        inked[:, inked.sum(axis=0) > 60] = False
        return int(inked.any(axis=0).sum()), int(inked.any(axis=1).sum())

    qtbot.waitUntil(lambda: opened.pending_drawings() == 0 and black() != (0, 0))
    wide, high = black()
    assert wide > high
    opened.actions_by_name["rotate_right"].trigger()
    qtbot.wait(100)
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0)
    qtbot.waitUntil(lambda: black()[1] > black()[0])


def test_another_manual_is_shown_upright_though_this_one_is_turned(opened, qtbot):
    opened.actions_by_name["rotate_right"].trigger()
    opened.open_document(2)
    qtbot.waitUntil(lambda: opened.current_location() == (2, 0))
    assert opened.view.turn == 0
    opened.open_document(1)
    assert opened.view.turn == 1


def test_the_printed_size_is_a_hundred_percent(opened, qtbot):
    opened.actions_by_name["actual_size"].trigger()
    assert opened.view.zoom == 1.0
    assert opened.view.fit is Fit.NONE
    assert opened.pill.zoom_button.text() == "100 %"
