"""One bar of 44 pixels above the pages; everything else floats over them and moves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QToolButton

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.ui.design.theme import Look, theme
from tests.ui.viewer.fakes import wheel

if TYPE_CHECKING:
    from desktop.ui.viewer.panel import ViewerPanel


def test_tabs_and_tools_share_one_bar_of_44_pixels(opened):
    assert opened.toolbar.height() == 44
    assert opened.toolbar.isAncestorOf(opened.tabs)
    top = opened.view.mapTo(opened, opened.view.rect().topLeft())
    assert top.y() == 44
    for button in (opened.toolbar.more, opened.pill.zoom_button):
        assert button.isVisible()
    assert opened.toolbar.more.height() >= 43, "hit over the whole height of the bar"


def test_bars_that_come_and_go_leave_the_page_where_it_is(opened, qtbot):
    before = opened.view.page_frame(0).area
    opened.actions_by_name["find"].trigger()
    places = [(Box(72, 150, 300, 165),), (Box(72, 250, 300, 265),)]
    opened.show_regions([PageRegion(1, "manual.pdf", 0, "1-1", place) for place in places])
    qtbot.waitUntil(lambda: opened.find_bar.isVisible() and opened.highlight_bar.isVisible())
    assert opened.view.page_frame(0).area.top() == before.top()
    shown = [opened.find_bar.geometry(), opened.highlight_bar.geometry()]
    assert not shown[0].intersected(shown[1]).height() > 20, "their shadows alone may meet"
    opened.find_bar.close_bar()
    assert opened.view.page_frame(0).area.top() == before.top()


@pytest.mark.parametrize(("width", "beside"), [(1000, True), (560, False), (380, False)])
def test_the_steps_through_highlights_are_beside_the_page_and_above_it_if_too_narrow(
    opened, qtbot, width, beside
):
    opened.resize(width, 700)
    places = [(Box(72, 150, 300, 165),), (Box(72, 250, 300, 265),)]
    opened.show_regions([PageRegion(1, "manual.pdf", 0, "1-1", place) for place in places])
    qtbot.waitUntil(opened.highlight_bar.isVisible)
    pages, pill, steps = opened.view.viewport(), opened.pill, opened.highlight_bar.geometry()
    cards = [each.card().translated(each.pos()) for each in (pill, opened.highlight_bar)]
    assert not cards[0].intersects(cards[1])
    assert steps.top() > pages.height() / 2, "the words that it points at stand higher"
    assert (steps.bottom() == pill.geometry().bottom()) is beside
    assert min(pill.x(), steps.left()) >= 0
    assert max(pill.geometry().right(), steps.right()) <= width
    opened.clear_highlights()
    assert abs(pill.geometry().center().x() - pages.width() / 2) <= 1


@pytest.mark.parametrize(("width", "gloves"), [(644, False), (644, True), (560, False)])
def test_no_control_of_the_bars_is_lost_beside_highlights(opened, qtbot, width, gloves):
    theme().wear(Look(gloves=gloves))
    try:
        opened.resize(width, 700)
        places = [(Box(72, 150, 300, 165),), (Box(72, 250, 300, 265),)]
        opened.show_regions([PageRegion(1, "manual.pdf", 0, "1-1", place) for place in places])
        qtbot.waitUntil(opened.highlight_bar.isVisible)
        qtbot.wait(50)
        assert opened.pill.given_up() == []
        least = 44 if gloves else 32
        for bar in (opened.pill, opened.highlight_bar):
            for button in bar.findChildren(QToolButton):
                assert min(button.width(), button.height()) >= least, button.accessibleName()
                assert bar.rect().contains(button.geometry())
    finally:
        theme().wear(Look())


@pytest.mark.parametrize("width", [1000, 560, 380])
def test_the_words_that_a_highlight_points_to_are_free_of_bars(opened, qtbot, width):
    opened.resize(width, 560)
    places = [Box(72, 150, 300, 165), Box(72, 770, 300, 790)]  # the last line of the last page
    opened.show_regions(
        [
            PageRegion(1, "manual.pdf", page, "", (box,))
            for page, box in zip((0, 11), places, strict=True)
        ],
        1,
    )
    qtbot.waitUntil(lambda: opened.current_location() == (1, 11))
    qtbot.waitUntil(opened.highlight_bar.isVisible)
    qtbot.wait(50)
    (words,) = opened.highlight_rects(11)
    for bar in (opened.pill, opened.highlight_bar):
        assert not bar.card().translated(bar.pos()).intersects(words)


def room_for_percentage(panel: ViewerPanel) -> int:
    """Return the pixels beside the percentage in its button; below 12 Qt cuts it."""
    button = panel.pill.zoom_button
    return button.width() - button.fontMetrics().horizontalAdvance(button.text())


@pytest.mark.parametrize("width", [1000, 560, 380])
def test_page_and_zoom_float_in_the_middle_of_the_lower_edge(opened, qtbot, width):
    opened.resize(width, 700)
    qtbot.wait(20)
    pages, pill = opened.view.viewport(), opened.pill.geometry()
    assert abs(pill.center().x() - pages.width() / 2) <= 1
    assert pages.height() - 2 <= pill.bottom() + 1 <= pages.height()
    assert 0 <= pill.left() < pill.right() <= pages.width()
    opened.view.set_zoom(8.0)
    assert opened.pill.zoom_button.text() == "800 %"
    assert room_for_percentage(opened) >= 12


def test_the_end_of_the_last_page_is_not_below_the_pill(opened):
    opened.view.verticalScrollBar().setValue(opened.view.verticalScrollBar().maximum())
    end = opened.view.page_frame(11).area.bottom()
    assert end <= opened.pill.y() + 10


def test_a_wheel_that_a_card_leaves_alone_turns_the_pages(opened):
    below = opened.pill.parentWidget()  # what Qt gives a wheel to that the pill ignores
    assert below is not None
    where = QPointF(opened.pill.geometry().center())
    before = opened.view.verticalScrollBar().value()
    wheel(below, where, -240, Qt.KeyboardModifier.NoModifier)
    assert opened.view.verticalScrollBar().value() > before


def test_the_percentage_is_read_after_the_look_changed(opened):
    theme().wear(Look(gloves=True))
    theme().wear(Look(Qt.ColorScheme.Dark))
    theme().wear(Look(Qt.ColorScheme.Light))
    opened.view.set_zoom(0.87)
    assert room_for_percentage(opened) >= 12
