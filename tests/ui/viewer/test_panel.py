"""What a person does in the viewer: opening, turning, zooming, finding, copying."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from shiboken6 import isValid

from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.ui.design.tokens import Size
from desktop.ui.viewer.page_layout import Fit
from desktop.ui.viewer.toolbar import DocumentTabs
from tests.ui.viewer.fakes import FakeLibrary, context_menu, wheel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel


def at(panel: ViewerPanel, page: int, x: float, y: float) -> QPoint:
    """Return the viewport position of a point of a page."""
    corner = panel.view.page_frame(page).rect(Box(x, y, x, y))
    return corner.topLeft().toPoint()


def is_in_front(panel: ViewerPanel, document_id: int) -> bool:
    return panel.tabs.current_id() == document_id


def drag(qtbot: QtBot, panel: ViewerPanel, start: QPoint, end: QPoint) -> None:
    viewport = panel.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(viewport, (start + end) / 2)
    qtbot.mouseMove(viewport, end)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_without_a_manual_the_viewer_says_what_to_do(panel):
    assert panel.message.isVisible()
    assert panel.message.title.text() == "Open a manual from the library, or drop PDFs anywhere"
    assert panel.current_location() is None
    assert not panel.toolbar.isVisible()


def test_an_opened_manual_has_a_tab_a_label_and_a_path(opened, manual):
    assert opened.tabs.tabText(0) == "Pump P-200"
    assert opened.pill.page_field.text() == "1-1 (1 of 12)"
    document = opened.view.document
    assert document is not None
    assert document.path == manual


def test_a_report_can_be_the_only_tab_and_leaves_the_viewer_as_it_was(panel, qtbot):
    report = QWidget()
    panel.show_report(report, "Do A & B agree?")
    assert report.isVisible()
    assert panel.toolbar.isVisible()
    assert panel.tabs.tabText(0) == "Do A && B agree?"
    live = [name for name, action in panel.actions_by_name.items() if action.isEnabled()]
    assert live == ["close_document"]
    with qtbot.waitSignal(panel.emptied):
        panel.actions_by_name["close_document"].trigger()
    assert panel.message.isVisible()
    assert not panel.toolbar.isVisible()
    assert panel.is_empty


def test_a_report_closed_behind_a_manual_leaves_its_page(opened, qtbot):
    report = QWidget()
    opened.show_report(report, "Is it 24 Nm?")
    opened.open_document(1)
    qtbot.waitUntil(lambda: opened.current_location() == (1, 0))
    opened.tabs.close_asked.emit(-1)
    qtbot.waitUntil(lambda: not isValid(report))
    assert opened.current_location() == (1, 0)
    assert opened.tabs.count() == 1


def test_a_manual_that_is_not_in_the_library_is_reported(panel, qtbot):
    with qtbot.waitSignal(panel.status_message) as said:
        panel.open_document(99)
    assert "cannot be opened" in said.args[0]
    assert panel.current_location() is None


def test_a_printed_label_typed_in_the_page_field_leads_to_its_page(opened, qtbot):
    field = opened.pill.page_field
    field.setFocus()
    field.selectAll()
    with qtbot.waitSignal(opened.location_changed):
        qtbot.keyClicks(field, "2-3")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert opened.current_location() == (1, 6)
    assert field.text() == "2-3 (7 of 12)"


def test_an_unknown_page_is_refused_and_the_field_shows_where_one_is(opened, qtbot):
    field = opened.pill.page_field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "77-1")
    with qtbot.waitSignal(opened.status_message) as said:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "77-1" in said.args[0]
    assert field.text() == "1-1 (1 of 12)"


def test_keys_turn_pages_and_zoom(opened, qtbot):
    view = opened.view
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.page == 11
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.page == 0
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.page == 1
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() > 0
    before = view.zoom
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.zoom > before
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.zoom < before
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.fit is Fit.WIDTH


def test_fit_width_fills_the_viewer_and_follows_its_size(opened, qtbot):
    for width in (900, 700):
        opened.resize(width, 700)
        room = opened.view.viewport().width()
        assert room - 50 <= opened.view.page_frame(0).area.width() <= room
        assert opened.view.horizontalScrollBar().maximum() == 0


def test_where_there_is_little_room_blank_paper_beside_the_words_gives_way(opened):
    opened.resize(Size.PAGE, 700)
    readable = opened.view.zoom
    opened.resize(Size.PAGE - 80, 700)
    view = opened.view
    assert view.zoom == pytest.approx(readable, rel=0.01)
    assert view.horizontalScrollBar().minimum() == view.horizontalScrollBar().maximum()
    words = view.page_frame(0).rect(Box(72, 100, 290, 190))
    assert words.left() >= 0
    assert words.right() <= view.viewport().width()
    opened.resize(360, 700)
    assert view.zoom < readable  # never less paper than the words need
    assert view.page_frame(0).rect(Box(72, 100, 72, 100)).left() >= 0


def test_a_page_that_is_zoomed_by_hand_is_moved_over_whole(opened):
    opened.resize(Size.PAGE - 80, 700)
    opened.view.set_zoom(1.5)
    bar = opened.view.horizontalScrollBar()
    bar.setValue(bar.minimum())
    assert opened.view.page_frame(0).area.left() > 0
    bar.setValue(bar.maximum())
    assert opened.view.page_frame(0).area.right() < opened.view.viewport().width()


def test_fit_page_shows_the_whole_page(opened):
    opened.actions_by_name["fit_page"].trigger()
    area = opened.view.page_frame(opened.view.page).area
    assert area.top() >= 0
    assert area.bottom() <= opened.view.viewport().height()


def test_the_wheel_with_control_zooms_around_the_pointer(opened):
    pointer = QPointF(at(opened, 0, 100, 160))
    before = opened.view.page_frame(0).point(pointer)
    zoom = opened.view.zoom
    wheel(opened.view.viewport(), pointer, 240, Qt.KeyboardModifier.ControlModifier)
    assert opened.view.zoom == pytest.approx(zoom * 1.44)
    after = opened.view.page_frame(0).point(pointer)
    assert after == pytest.approx(before, abs=2.0)


def test_back_and_forward_return_to_where_one_was(opened, qtbot):
    opened.open_document(1, 8)
    opened.open_document(2, 1)
    qtbot.waitUntil(lambda: opened.current_location() == (2, 1))
    back, forward = opened.actions_by_name["back"], opened.actions_by_name["forward"]
    back.trigger()
    assert opened.current_location() == (1, 8)
    back.trigger()
    assert opened.current_location() == (1, 0)
    assert not back.isEnabled()
    forward.trigger()
    forward.trigger()
    assert opened.current_location() == (2, 1)


def test_each_tab_keeps_its_place_and_closing_shows_the_other(opened, qtbot):
    opened.view.go_to_page(5)
    opened.open_document(2)
    qtbot.waitUntil(lambda: opened.current_location() == (2, 0))
    opened.tabs.setCurrentIndex(0)
    assert opened.current_location() == (1, 5)
    opened.close_document(1)
    assert opened.current_location() == (2, 0)
    opened.close_document(2)
    assert opened.message.isVisible()
    assert opened.current_location() is None


def test_one_long_title_leaves_the_other_tabs_readable(make_panel, manual, qtbot):
    library = FakeLibrary(*[manual] * 6)
    long = "Installation, operation and maintenance of the pumps P-200 to P-290 " * 3
    library.records[2] = replace(library.document(2), title=long)
    panel = make_panel(library)
    for document_id in range(1, 7):
        panel.open_document(document_id)
        qtbot.waitUntil(partial(is_in_front, panel, document_id))
    tabs = panel.tabs
    widths = [tabs.tabRect(index).width() for index in range(tabs.count())]
    title = tabs.fontMetrics().horizontalAdvance("Pump P-200")
    assert min(widths) > title + Size.TARGET
    assert max(widths) < tabs.width() / 2
    assert tabs.tabRect(tabs.currentIndex()).right() <= tabs.width()
    panel.resize(panel.width() - 37, panel.height())
    rest = 6  # pixels that are left over when the room is shared
    cut = [
        each for each in map(tabs.tabRect, range(6)) if each.left() < -rest < rest < each.right()
    ]
    assert not cut, "a tab of which only the end is seen shows nothing but its x"


def test_a_locked_manual_is_not_on_the_page_of_the_one_before(show, manual, qtbot):
    library = FakeLibrary(manual, manual)
    record = replace(library.document(2), state="needs_password", page_count=0)
    library.records[2], library.page_records[2] = record, []
    panel = show(library, page=7)
    panel.open_document(2)
    qtbot.waitUntil(lambda: panel.tabs.current_id() == 2)
    assert panel.current_location() == (2, 0)


def test_find_counts_steps_and_closes_with_escape(opened, qtbot):
    opened.view.go_to_page(3)
    opened.actions_by_name["find"].trigger()
    qtbot.keyClicks(opened.find_bar.field, "s-130")
    qtbot.waitUntil(lambda: opened.find_bar.count.text() == "4 of 12")
    assert opened.current_location() == (1, 3)
    qtbot.keyClick(opened.find_bar.field, Qt.Key.Key_Return)
    assert opened.find_bar.count.text() == "5 of 12"
    assert opened.current_location() == (1, 4)
    qtbot.keyClick(opened.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert opened.current_location() == (1, 3)
    qtbot.keyClick(opened.find_bar.field, Qt.Key.Key_Escape)
    assert not opened.find_bar.isVisible()
    assert opened.view.overlays.on_page(1, 3).hits == []


def test_what_is_not_in_the_manual_is_said_to_have_no_hits(opened, qtbot):
    opened.find_bar.open_bar("zeppelin")
    qtbot.waitUntil(lambda: opened.find_bar.count.text() == "No hits")


def test_dragging_selects_words_and_copy_keeps_the_line_break(opened, qtbot):
    drag(qtbot, opened, at(opened, 0, 140, 157), at(opened, 0, 120, 177))
    opened.actions_by_name["copy"].trigger()
    assert clipboard() == "the battery before service\nTorque of"


def test_a_double_click_selects_one_word(opened, qtbot):
    qtbot.mouseDClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=at(opened, 0, 90, 157))
    opened.actions_by_name["copy"].trigger()
    assert clipboard() == "Disconnect"


def test_copy_with_citation_names_title_and_label(opened, qtbot):
    qtbot.mouseDClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=at(opened, 0, 90, 157))
    opened.actions_by_name["copy_citation"].trigger()
    assert clipboard() == "“Disconnect” — Pump P-200, p. 1-1"


def test_select_all_takes_the_whole_page(opened, qtbot):
    opened.actions_by_name["select_page"].trigger()
    opened.actions_by_name["copy"].trigger()
    assert clipboard().splitlines()[0] == "Page 0"
    assert clipboard().splitlines()[-1] == "Torque of screw S-130 is 24 Nm"


def test_words_read_by_ocr_can_be_selected_though_the_file_has_none(show, second_manual, qtbot):
    library = FakeLibrary(second_manual)
    box = np.array([[72, 300, 200, 320]], np.float32)
    library.word_overrides[1, 0] = PageWords(("SCANNED",), box, np.array([0]), from_ocr=True)
    panel = show(library)
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at(panel, 0, 100, 310))
    panel.actions_by_name["copy"].trigger()
    assert clipboard() == "SCANNED"


def test_thumbnails_turn_pages_and_say_why_one_was_not_read(show, manual, qtbot):
    library = FakeLibrary(manual)
    pages = list(library.pages(1))
    pages[5] = replace(pages[5], reason="The page is torn.")
    library.page_records[1] = pages
    opened = show(library)
    opened.actions_by_name["thumbnails"].trigger()
    assert opened.thumbnails.isVisible()
    qtbot.waitUntil(lambda: len(opened._service.thumbnails) >= 3)
    model = opened.thumbnails.model()
    assert model.rowCount() == 12
    assert model.index(4, 0).data() == "2-1"
    assert model.index(4, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Page 2-1 (5 of 12)"
    assert "Page 2-2 (6 of 12). The page is torn." in model.index(5, 0).data(
        Qt.ItemDataRole.ToolTipRole
    )
    opened.thumbnails.clicked.emit(model.index(4, 0))
    assert opened.current_location() == (1, 4)
    opened.actions_by_name["thumbnails"].trigger()
    assert not opened.thumbnails.isVisible()


def test_a_manual_shown_while_it_is_indexed_gets_its_labels_later(show, manual, qtbot):
    library = FakeLibrary(manual)
    known = library.pages(1)
    library.page_records[1] = [
        replace(page, label="", passes=("done", "pending", "pending")) for page in known[:5]
    ]
    panel = show(library, page=9)
    assert panel.pill.page_field.text() == "10 of 12"
    library.page_records[1] = known
    panel.refresh_document(1)
    qtbot.waitUntil(lambda: panel.pill.page_field.text() == "2-6 (10 of 12)")
    assert panel.current_location() == (1, 9)


@pytest.mark.parametrize(
    ("state", "reason", "title"),
    [
        ("needs_password", "encrypted", "This manual is locked"),
        ("failed", "no pages", "This manual cannot be shown"),
        ("queued", "", "This manual is being read"),
    ],
)
def test_a_manual_that_cannot_be_shown_says_why(make_panel, manual, qtbot, state, reason, title):
    library = FakeLibrary(manual)
    record = replace(library.document(1), page_count=0, reason=reason)
    library.records[1] = replace(record, state=state)
    library.page_records[1] = []
    panel = make_panel(library)
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.message.title.text() == title)
    assert panel.message.isVisible()
    panel.close_document(1)


def test_every_control_has_a_name_a_tooltip_and_room_for_a_glove(opened):
    opened.find_bar.open_bar("x")
    controls = [
        widget
        for kind in (QAbstractButton, QLineEdit)
        for widget in opened.findChildren(kind)
        if widget.isVisible() and widget.parent() is not opened.find_bar.field
    ]
    tab_scrollers = [widget for widget in controls if widget.parent() is opened.tabs]
    for widget in controls:
        if widget in tab_scrollers and not widget.toolTip():
            continue
        assert widget.accessibleName(), widget
        assert widget.toolTip(), widget.accessibleName()
        assert min(widget.width(), widget.height()) >= 32, widget.accessibleName()


def test_tooltips_name_the_keys(panel):
    assert "Ctrl+F" in panel.actions_by_name["find"].toolTip()
    assert "N" in panel.actions_by_name["next_highlight"].toolTip()


def test_the_context_menu_copies_and_selects_the_page_under_the_pointer(opened, qtbot):
    menu = context_menu(opened, at(opened, 0, 90, 157))
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == [  # nothing is selected that could be highlighted
        "Copy",
        "Copy with citation",
        "Add note here",
        "Explain a region",
        "Select all on page",
    ]
    menu.actions()[-1].trigger()
    menu.close()
    opened.actions_by_name["copy"].trigger()
    assert clipboard().startswith("Page 0")
    menu = context_menu(opened, at(opened, 0, 90, 157))
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts[:2] == ["Highlight", "Highlight and comment"]
    menu.close()


def test_a_tab_shows_the_product_and_the_whole_title_where_two_are_of_one_product(qtbot):
    tabs = DocumentTabs()
    qtbot.addWidget(tabs)
    tabs.bring(1, "Operating Manual for BASIS 2 Mass Flow Meters")
    tabs.bring(2, "HX-200 Booster station, Operator manual")
    assert [tabs.tabText(at) for at in (0, 1)] == [
        "BASIS 2 Mass Flow Meters",
        "HX-200 Booster station",
    ]
    tabs.bring(3, "HX-200 Booster station, Installation manual")
    assert tabs.tabText(1) == "HX-200 Booster station, Operator manual"
    assert tabs.title_of(1) == "Operating Manual for BASIS 2 Mass Flow Meters"
    tabs.drop(3)
    assert tabs.tabText(1) == "HX-200 Booster station"


def test_the_button_that_closes_a_tab_is_as_tall_as_the_bar(opened, qtbot):
    button = opened.tabs.tabButton(0, DocumentTabs.ButtonPosition.RightSide)
    assert button.height() == Size.BAR - 1
    assert opened.tabs.rect().contains(button.geometry())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(button.width() // 2, 2))
    assert opened.tabs.count() == 0
