"""Beside the pages: contents, bookmarks and thumbnails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit

from desktop.core.library.contents import Outline
from desktop.core.structure.values import OutlineEntry

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel
    from tests.ui.viewer.fakes import FakeOutlines

CONTENTS = Outline(
    (
        OutlineEntry(1, "Safety", 0),
        OutlineEntry(1, "Installation", 2),
        OutlineEntry(2, "Battery & fuses <b>", 3),
        OutlineEntry(3, "Test", 5),
        OutlineEntry(1, "Not in this file", -1),
        OutlineEntry(1, "Service", 9),
    )
)


def with_contents(
    panel: ViewerPanel, outlines: FakeOutlines, qtbot: QtBot, outline: Outline = CONTENTS
) -> ViewerPanel:
    outlines.outlines[1] = outline
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.sidebar.outline.tree.model().rowCount() > 0)
    panel.actions_by_name["outline"].trigger()
    return panel


def rows(panel: ViewerPanel, parent: QModelIndex | None = None) -> list[str]:
    model = panel.sidebar.outline.tree.model()
    above = parent or QModelIndex()
    return [model.data(model.index(row, 0, above)) for row in range(model.rowCount(above))]


def test_the_contents_hang_below_each_other_and_lead_to_their_pages(panel, outlines, qtbot):
    with_contents(panel, outlines, qtbot)
    pane = panel.sidebar.outline
    assert pane.isVisible()
    assert rows(panel) == ["Safety", "Installation", "Not in this file", "Service"]
    installation = pane.tree.model().index(1, 0)
    assert rows(panel, installation) == ["Battery & fuses <b>"]
    pane.tree.clicked.emit(pane.tree.model().index(0, 0, installation))
    assert panel.current_location() == (1, 3)
    panel.actions_by_name["back"].trigger()
    assert panel.current_location() == (1, 0)
    pane.tree.clicked.emit(pane.tree.model().index(2, 0))
    assert panel.current_location() == (1, 0)


def test_the_contents_follow_the_page_in_view(panel, outlines, qtbot):
    with_contents(panel, outlines, qtbot)
    pane = panel.sidebar.outline
    for page, section in ((0, "Safety"), (4, "Battery & fuses <b>"), (8, "Test"), (11, "Service")):
        panel.view.go_to_page(page)
        assert pane.tree.model().data(pane.tree.currentIndex()) == section


def test_the_keyboard_goes_through_the_contents(panel, outlines, qtbot):
    with_contents(panel, outlines, qtbot)
    tree = panel.sidebar.outline.tree
    tree.setFocus()
    tree.setCurrentIndex(panel.sidebar.outline.tree.model().index(0, 0))
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert panel.current_location() == (1, 2)


def test_headings_stand_in_for_a_missing_table_of_contents_and_that_is_said(panel, outlines, qtbot):
    found = Outline((OutlineEntry(1, "Wiring", 1),), found=True)
    with_contents(panel, outlines, qtbot, found)
    assert "headings on its pages" in panel.sidebar.outline.note.text()


def test_without_any_contents_the_pane_says_so(opened, qtbot):
    opened.actions_by_name["outline"].trigger()
    qtbot.waitUntil(lambda: "lists no contents" in opened.sidebar.outline.note.text())


def test_one_pane_is_shown_at_a_time_and_its_key_hides_it_again(opened):
    actions = opened.actions_by_name
    actions["thumbnails"].trigger()
    assert opened.thumbnails.isVisible()
    actions["bookmarks"].trigger()
    assert opened.sidebar.bookmarks.isVisible()
    assert not opened.thumbnails.isVisible()
    assert actions["bookmarks"].isChecked()
    assert not actions["thumbnails"].isChecked()
    actions["bookmarks"].trigger()
    assert not opened.sidebar.isVisible()
    assert not actions["bookmarks"].isChecked()


def test_a_page_is_bookmarked_found_again_renamed_and_let_go(panel, outlines, shelf, qtbot):
    with_contents(panel, outlines, qtbot)
    panel.actions_by_name["bookmarks"].trigger()
    list_ = panel.sidebar.bookmarks.list
    for page in (8, 3):
        panel.view.go_to_page(page)
        with qtbot.waitSignal(panel.beside.changed):
            qtbot.keyClick(panel.view, Qt.Key.Key_B)
    both = ["Battery & fuses <b> (Page 1-4)", "Test (Page 2-5)"]
    qtbot.waitUntil(lambda: [list_.item(row).text() for row in range(list_.count())] == both)
    assert "Remove" in panel.actions_by_name["add_bookmark"].text()
    panel.view.go_to_page(0)
    assert "Remove" not in panel.actions_by_name["add_bookmark"].text()
    list_.itemClicked.emit(list_.item(1))
    assert panel.current_location() == (1, 8)
    list_.setFocus()
    list_.setCurrentRow(1)
    list_.editItem(list_.item(1))
    editor = list_.findChild(QLineEdit)
    assert editor is not None
    editor.setText("Relief valve")
    with qtbot.waitSignal(panel.beside.changed):
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert shelf.names[1, 8] == "Relief valve"
    with qtbot.waitSignal(panel.beside.changed):
        qtbot.keyClick(list_, Qt.Key.Key_Delete)
    assert (1, 8) not in shelf.names
    assert list_.count() == 1


def test_bookmarks_of_another_manual_are_not_mixed_in(opened, shelf, qtbot):
    shelf.names[2, 1] = "Boiler"
    opened.open_document(2)
    qtbot.waitUntil(lambda: opened.sidebar.bookmarks.list.count() == 1)
    opened.open_document(1)
    qtbot.waitUntil(lambda: opened.sidebar.bookmarks.list.count() == 0)
    assert opened.sidebar.bookmarks.note.text()


def test_a_bookmark_that_cannot_be_kept_is_said(opened, shelf, qtbot):
    shelf.broken = True
    said: list[str] = []
    opened.status_message.connect(said.append)
    opened.actions_by_name["add_bookmark"].trigger()
    qtbot.waitUntil(lambda: any("could not be saved" in text for text in said))
    assert opened.sidebar.bookmarks.list.count() == 0


def test_a_bookmarked_page_carries_a_ribbon(opened, qtbot):
    def blue_at_the_top() -> bool:
        picture = opened.view.viewport().grab().toImage()
        page = opened.view.page_frame(0).area
        colour = picture.pixelColor(round(page.right() - 55), round(max(page.top(), 0)) + 8)
        return bool(colour.blue() > 120 and colour.red() < 60)

    assert not blue_at_the_top()
    with qtbot.waitSignal(opened.beside.changed):
        opened.actions_by_name["add_bookmark"].trigger()
    qtbot.waitUntil(blue_at_the_top)


def test_every_list_beside_the_pages_has_a_name_and_is_reached_by_tab(opened):
    views = opened.sidebar.findChildren(QAbstractItemView)
    lists = [each for each in views if not isinstance(each, QHeaderView)]
    assert len(lists) == 4
    for each in lists:
        assert each.accessibleName()
        assert each.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_twenty_thousand_entries_are_shown_and_found(make_panel, panel, manual):
    entries = tuple(OutlineEntry(1 + n % 3, f"Section {n}", n // 4) for n in range(20_000))
    pane = panel.sidebar.outline
    pane.show_outline(Outline(entries))
    assert pane.tree.model().rowCount() == 6667
    assert pane.section_at(2500) == "Section 10000"


def test_a_thumbnail_is_dragged_out_as_the_picture_of_its_page_and_its_citation(
    opened, qtbot, dragged
):
    opened.actions_by_name["thumbnails"].trigger()
    strip = opened.thumbnails
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0)
    opened._service.cache.forget_document(1)  # only what the strip shows is drawn
    qtbot.waitUntil(lambda: opened._service.thumbnails.best_whole_page(1, 1) is not None)
    index = strip.model().index(1, 0)
    at, left = strip.visualRect(index).center(), Qt.MouseButton.LeftButton

    def drag() -> None:
        qtbot.mousePress(strip.viewport(), left, pos=at)
        qtbot.mouseMove(strip.viewport(), at + QPoint(1, 0))
        qtbot.mouseMove(strip.viewport(), at + QPoint(40, 40))
        qtbot.mouseMove(strip.viewport(), at + QPoint(50, 50))
        qtbot.mouseRelease(strip.viewport(), left, pos=at + QPoint(50, 50))

    drag()
    ((cited, picture, seen),) = dragged
    assert cited == "Pump P-200, p. 1-2"
    assert picture.pixelColor(2, 2).name() == "#ffffff"  # clear paper would be black elsewhere
    assert picture.size() == seen.size()
    assert picture.height() > picture.width() > 90
    opened._service.forget_document(1)
    drag()
    assert len(dragged) == 1


def test_a_click_on_a_thumbnail_goes_to_its_page(opened, qtbot, dragged):
    opened.actions_by_name["thumbnails"].trigger()
    strip = opened.thumbnails
    at = strip.visualRect(strip.model().index(1, 0)).center()
    qtbot.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert opened.current_location() == (1, 1)
    assert dragged == []
