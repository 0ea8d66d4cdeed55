"""Sites and assets in the window: headings, moving manuals, working at a place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QToolButton

from desktop.core.library.places import EVERYWHERE, Place
from desktop.ui.library.manual_list import dragged_manuals, manuals_data
from desktop.ui.library.rows import Group, LibraryRows, arrange
from desktop.ui.window.main_window import MainWindow
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual

PUMP, BOILER, SITE = Place("SITE 12", "Pump P-200"), Place("SITE 12", "Boiler B7"), Place("SITE 12")


def placed(id_, title, place=EVERYWHERE, **more):
    return replace(manual(id_, title, **more), site=place.site, asset=place.asset)


SHELF = (
    placed(1, "Installer", PUMP),
    placed(2, "Operator", PUMP),
    placed(3, "Burner", BOILER),
    placed(4, "Notes", SITE),
    placed(5, "Bus handbook"),
)


@pytest.fixture
def workspace(window, tmp_path):
    workspace = fake_workspace(tmp_path, *SHELF)
    window.open_workspace(workspace)
    return workspace


def lines(window):
    """The rows as a person sees them, indented."""
    rows = window.library_panel.rows.rows
    found = []
    for row in range(rows.rowCount()):
        index = rows.index(row)
        group = index.data(LibraryRows.GroupRole)
        mark = "" if group is None else ("> " if group.collapsed else "v ")
        found.append("  " * index.data(LibraryRows.DepthRole) + mark + index.data())
    return found


def row_of(window, text):
    return next(row for row, line in enumerate(lines(window)) if line.strip("v> ") == text)


def index_of(window, text):
    return window.library_panel.rows.rows.index(row_of(window, text))


def choose(window, *titles):
    rows = window.library_panel.rows
    rows.setCurrentIndex(index_of(window, titles[0]))
    for title in titles:
        flags = rows.selectionModel().SelectionFlag
        rows.selectionModel().select(index_of(window, title), flags.Select)


def pick(window, row_text, entry):
    menu = window.library_panel.rows.menu_at(index_of(window, row_text))
    next(action for action in menu.actions() if action.text() == entry).trigger()


def answer_dialog(window, site, asset):
    dialog = window.findChild(QDialog)
    fields = {each.accessibleName(): each for each in dialog.findChildren(QLineEdit)}
    fields["Site"].setText(site)
    fields["Asset"].setText(asset)
    dialog.accept()


ARRANGED = [
    "v SITE 12",
    "  Notes",
    "  v Boiler B7",
    "    Burner",
    "  v Pump P-200",
    "    Installer",
    "    Operator",
    "v Not at a site",
    "  Bus handbook",
]


def test_manuals_stand_below_their_site_and_asset(window, workspace):
    assert lines(window) == ARRANGED


def test_without_places_there_are_no_headings(window, tmp_path):
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump"), manual(2, "Boiler")))
    assert lines(window) == ["Boiler", "Pump"]


def test_sites_are_sorted_as_people_count():
    shelf = [placed(n, f"M{n}", Place(site)) for n, site in enumerate(("SITE 12", "SITE 7"))]
    assert [e.title for e in arrange(shelf) if isinstance(e, Group)] == ["SITE 7", "SITE 12"]


def test_a_heading_folds_with_a_click_or_the_keyboard_and_stays_folded(
    window, workspace, qtbot, tmp_path
):
    rows = window.library_panel.rows
    place = rows.visualRect(index_of(window, "Pump P-200")).center()
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "  > Pump P-200" in lines(window)
    assert "    Installer" not in lines(window)

    rows.setCurrentIndex(index_of(window, "Burner"))
    qtbot.keyClick(rows, Qt.Key.Key_Left)
    assert rows.currentIndex().data() == "Boiler B7"
    qtbot.keyClick(rows, Qt.Key.Key_Left)
    assert "  > Boiler B7" in lines(window)
    qtbot.keyClick(rows, Qt.Key.Key_Right)
    assert "  v Boiler B7" in lines(window)

    window.close()
    again = MainWindow(viewer_factory=FakeViewer)
    qtbot.addWidget(again)
    again.open_workspace(fake_workspace(tmp_path, *SHELF))
    assert "  > Pump P-200" in lines(again)
    again.close()


def test_a_folded_manual_that_is_shown_elsewhere_is_unfolded(window, workspace):
    pick(window, "Pump P-200", "Fold all")
    assert lines(window) == ["> SITE 12", "> Not at a site"]
    window.library_panel.rows.select(2)
    assert "    Operator" in lines(window)
    assert window.library_panel.rows.selected_id() == 2


def test_the_filter_finds_places_and_looks_into_folded_ones(window, workspace):
    pick(window, "SITE 12", "Fold all")
    window.library_panel.filter_field.setText("p-200")
    assert lines(window) == ["v SITE 12", "  v Pump P-200", "    Installer", "    Operator"]
    window.library_panel.filter_field.setText("nothing like it")
    assert lines(window) == []


def test_several_manuals_get_a_new_place_at_once_and_it_can_be_undone(window, workspace, qtbot):
    choose(window, "Burner", "Bus handbook")
    pick(window, "Burner", "Site and asset…")
    answer_dialog(window, "SITE 7", " Boiler  B9 ")
    qtbot.waitUntil(lambda: "v SITE 7" in lines(window))
    assert workspace.library.manuals[3].place == Place("SITE 7", "Boiler B9")
    assert workspace.library.manuals[5].place == Place("SITE 7", "Boiler B9")

    notices = window.library_panel.notices
    assert notices.texts() == ["2 manuals: now at SITE 7, Boiler B9."]
    next(b for b in notices.findChildren(QPushButton) if b.text() == "Undo").click()
    qtbot.waitUntil(lambda: lines(window) == ARRANGED)


def test_renaming_a_site_keeps_its_assets(window, workspace, qtbot):
    pick(window, "SITE 12", "Rename or move…")
    answer_dialog(window, "Harbour", "")
    qtbot.waitUntil(lambda: "v Harbour" in lines(window))
    assert workspace.library.manuals[1].place == Place("Harbour", "Pump P-200")
    assert workspace.library.manuals[4].place == Place("Harbour")


def test_the_menu_and_its_keys_ask_where_the_selected_manual_belongs(window, workspace, qtbot):
    window.library_panel.rows.select(5)
    window.places.choose_for_selected()
    dialog = window.findChild(QDialog)
    known = next(b for b in dialog.findChildren(QToolButton) if b.accessibleName() == "Known: Site")
    known.menu().actions()[0].trigger()
    assert [entry.text() for entry in known.menu().actions()] == ["SITE 12"]
    assert dialog.findChild(QLineEdit).text() == "SITE 12"
    answer_dialog(window, "SITE 12", "")
    qtbot.waitUntil(lambda: workspace.library.manuals[5].place == SITE)


def drag_to(window, ids, text):
    rows = window.library_panel.rows
    where = rows.visualRect(index_of(window, text)).center()
    data, left = manuals_data(ids), Qt.MouseButton.LeftButton
    none, copy = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(where, copy, data, left, none)
    QApplication.sendEvent(rows.viewport(), enter)
    move = QDragMoveEvent(where, copy, data, left, none)
    QApplication.sendEvent(rows.viewport(), move)
    drop = QDropEvent(QPointF(where), copy, data, left, none)
    QApplication.sendEvent(rows.viewport(), drop)
    return enter.isAccepted(), move.isAccepted()


def test_dragging_a_manual_to_a_heading_or_its_manuals_moves_it_there(window, workspace, qtbot):
    assert drag_to(window, [5], "Pump P-200") == (True, True)
    qtbot.waitUntil(lambda: workspace.library.manuals[5].place == PUMP)
    qtbot.waitUntil(lambda: "    Bus handbook" in lines(window))
    drag_to(window, [5, 2], "Burner")
    qtbot.waitUntil(lambda: workspace.library.manuals[2].place == BOILER)
    assert workspace.library.manuals[5].place == BOILER


def test_files_dragged_over_the_list_still_belong_to_the_window(window, workspace):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/media/usb/pump.pdf")])
    assert dragged_manuals(data) == []
    enter = QDragEnterEvent(
        QPoint(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window.library_panel.rows.viewport(), enter)
    assert window.overlay.isVisible()
    assert window.overlay.title == "Add “pump.pdf”"


def test_working_at_a_place_asks_its_manuals_and_tells_the_agent(window, workspace, qtbot):
    pick(window, "Pump P-200", "I am here: ask only these manuals")
    scope = window.chat.composer.scope
    assert scope.text().strip() == "SITE 12, Pump P-200"
    assert workspace.place() == PUMP
    window.chat.ask("Which fuse?")
    assert workspace.asked[-1][1] == frozenset({1, 2})

    pick(window, "Pump P-200", "Go back to all manuals")
    assert not workspace.place()
    assert scope.selected == frozenset()
    assert scope.text().strip() == "All manuals (5)"


def test_the_place_one_works_at_is_remembered(window, workspace, qtbot, tmp_path):
    window.chat.composer.scope.work_at(SITE)
    window.close()
    again = MainWindow(viewer_factory=FakeViewer)
    qtbot.addWidget(again)
    later = fake_workspace(tmp_path, *SHELF)
    again.open_workspace(later)
    assert again.chat.composer.scope.selected == frozenset({1, 2, 3, 4})
    assert later.place() == SITE
    again.close()


def test_a_place_can_be_chosen_where_the_question_is_asked(window, workspace):
    scope = window.chat.composer.scope
    scope.menu().aboutToShow.emit()
    texts = [action.text() for action in scope.menu().actions() if action.isCheckable()]
    assert texts[:4] == ["All manuals", "SITE 12", "    Boiler B7", "    Pump P-200"]
    entry = next(a for a in scope.menu().actions() if a.text().strip() == "Boiler B7")
    entry.trigger()
    assert scope.place == BOILER
    assert scope.selected == frozenset({3})
    ticked = [a.text().strip() for a in scope.menu().actions() if a.isChecked()]
    assert ticked == ["Boiler B7", "Burner"]
    entry.trigger()
    assert not scope.place


def test_the_menu_of_manuals_leaves_the_question_free_and_what_is_typed_goes_there(
    window, workspace, qtbot
):
    composer = window.chat.composer
    composer.scope.setFocus()
    menu = composer.scope.menu()
    menu.popup(composer.field.mapToGlobal(QPoint(0, 0)))
    top = composer.scope.window().mapToGlobal(QPoint(0, 0)).y()
    field_top = composer.field.parentWidget().mapToGlobal(QPoint(0, 0)).y()
    assert menu.geometry().bottom() - menu.contentsMargins().bottom() <= max(field_top, top)
    ticked = next(each for each in menu.actions() if each.data() == 3)
    where = menu.actionGeometry(ticked).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=where)
    assert (composer.scope.selected, menu.isVisible()) == (frozenset({3}), True)
    qtbot.keyClicks(menu, "w")
    assert (composer.field.toPlainText(), menu.isVisible()) == ("w", False)
    assert window.focusWidget() is composer.field
    menu.popup(composer.field.mapToGlobal(QPoint(0, 0)))
    where = menu.actionGeometry(menu.actions()[0]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=where)
    assert (composer.scope.selected, menu.isVisible()) == (frozenset(), False)


def test_a_manual_that_moves_to_the_place_one_works_at_is_asked_too(window, workspace, qtbot):
    scope = window.chat.composer.scope
    scope.work_at(BOILER)
    window.places.move([5], BOILER)
    qtbot.waitUntil(lambda: scope.selected == frozenset({3, 5}))


def test_a_place_whose_last_manual_left_is_not_worked_at_any_more(window, workspace, qtbot):
    scope = window.chat.composer.scope
    scope.work_at(BOILER)
    window.places.move([3], EVERYWHERE)
    qtbot.waitUntil(lambda: not scope.place)
    assert scope.selected == frozenset()
    assert not workspace.place()


def test_one_manual_of_the_place_leaves_one_there_and_another_does_not(window, workspace):
    scope = window.chat.composer.scope
    scope.work_at(PUMP)
    scope.select([2])
    assert (scope.place, scope.text().strip()) == (PUMP, "Operator")
    scope.select([5])
    assert not scope.place


def test_rows_that_move_keep_the_selection(window, workspace, qtbot):
    choose(window, "Installer", "Operator")
    window.places.move([3], Place("SITE 7", "Boiler B7"))
    qtbot.waitUntil(lambda: "v SITE 7" in lines(window))
    assert window.library_panel.rows.selected_ids() == [1, 2]


def test_a_name_with_markup_is_only_a_name(window, tmp_path):
    rude = placed(1, "Pump", Place("<b>SITE</b> &", "../../x"))
    window.open_workspace(fake_workspace(tmp_path, rude))
    assert lines(window)[0] == "v <b>SITE</b> &"
    window.chat.composer.scope.work_at(Place("<b>SITE</b> &"))
    assert window.chat.composer.scope.text().strip() == "<b>SITE</b> &&"


def test_every_row_is_told_to_screen_readers(window, workspace):
    index = index_of(window, "Pump P-200")
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Pump P-200, 2 manuals, unfolded"
    assert index.data(LibraryRows.IdRole) is None
