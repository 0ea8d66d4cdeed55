"""Two manuals beside each other: opened, used with mouse and keys, closed, restored."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.notes.note import Note
from desktop.ui.design.tokens import Size
from desktop.ui.library.lists import manual_menu
from knowledge.pieces import PageLink
from tests.ui.real_window import id_of, open_manual, row


@pytest.fixture
def window(real_window, shelf, tmp_path, qtbot):
    window = real_window(shutil.copytree(shelf, tmp_path / "library"))
    open_manual(window, qtbot)
    return window


def beside(window, qtbot, part="operator"):
    """Open a manual beside the first one, as the menu of its row does."""
    view = row(window, next(r.title for r in window._model.records() if part in r.name))
    chosen = id_of(window, part)
    menu = manual_menu(
        window.library_panel, view, lambda name: window.library_panel.rows.wanted.emit(name, chosen)
    )
    next(entry for entry in menu.actions() if entry.text() == "Open beside").trigger()
    qtbot.waitUntil(
        lambda: (
            window.centre.beside is not None
            and window.centre.beside.current_location() == (chosen, 0)
        )
    )
    return window.centre.beside


def test_a_manual_opens_beside_the_first_and_both_are_read(window, qtbot):
    first, operator = window.centre._viewer, id_of(window, "operator")
    second = beside(window, qtbot)
    assert second.isVisible()
    assert first.isVisible()
    assert abs(first.width() - second.width()) <= 2
    assert min(first.width(), second.width()) >= Size.PAGE
    assert window.library_panel.is_folded  # its room is needed
    assert window.chat.isHidden()
    second.view.go_to_page(4)
    assert window.centre.place() == (id_of(window, "installation"), 0)
    assert second.current_location() == (operator, 4)
    qtbot.waitUntil(lambda: not first.pending_drawings() and not second.pending_drawings())


def test_keys_work_in_the_pane_that_has_the_keyboard(window, qtbot):
    second = beside(window, qtbot)
    first = window.centre._viewer
    window.centre.change_pane()
    qtbot.waitUntil(second.view.hasFocus)
    qtbot.keyClick(second.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(second.find_bar.isVisible)
    assert not first.find_bar.isVisible()
    window.centre.change_pane()
    qtbot.waitUntil(first.view.hasFocus)
    qtbot.keyClick(first.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(first.find_bar.isVisible)
    # without pages in hand the keys are those of the first manual, as before
    first.find_bar.close_bar()
    window.chat.focus_question()
    assert window.chat.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(first.find_bar.isVisible)


def test_closing_its_last_tab_closes_the_pane_and_the_library_comes_back(window, qtbot):
    second = beside(window, qtbot)
    second.tabs.close_asked.emit(id_of(window, "operator"))
    qtbot.waitUntil(lambda: window.centre.beside is None)
    assert not window.library_panel.is_folded
    assert window.chat.isVisible()
    assert window.centre._viewer.isVisible()


def test_the_menu_of_a_tab_opens_it_beside_and_in_the_other_pane(window, qtbot):
    first, chosen = window.centre._viewer, id_of(window, "installation")
    choose_in_tab_menu(first.tabs, "Open beside")
    qtbot.waitUntil(lambda: window.centre.beside is not None)
    second = window.centre.beside
    qtbot.waitUntil(lambda: second.current_location() == (chosen, 0))
    second.open_document(id_of(window, "operator"))
    qtbot.waitUntil(lambda: len(second.tabs.document_ids()) == 2)
    choose_in_tab_menu(second.tabs, "Open beside", tab=1)
    qtbot.waitUntil(lambda: len(first.tabs.document_ids()) == 2)


def test_a_manual_that_was_opened_to_choose_it_goes_beside_the_one_before(window, qtbot):
    before, chosen = id_of(window, "installation"), id_of(window, "operator")
    window.library_panel.rows.wanted.emit("open", chosen)
    qtbot.waitUntil(lambda: window.centre.place() == (chosen, 0))
    window.library_panel.rows.select(chosen)
    window.library.do_selected("beside")
    qtbot.waitUntil(lambda: window.centre.place() == (before, 0))
    second = window.centre.beside
    qtbot.waitUntil(lambda: second.current_location() == (chosen, 0))
    assert window.chat.isHidden()
    window.library_panel.answers_wanted.emit()
    assert window.chat.isVisible()
    assert not window.library.can_selected("compare"), "it has no other revision"


def choose_in_tab_menu(tabs, text, tab=0):
    where = tabs.tabRect(tab).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, tabs.mapToGlobal(where))
    QApplication.sendEvent(tabs, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(entry for entry in menu.actions() if entry.text() == text).trigger()
    menu.close()


def test_a_citation_is_marked_in_the_pane_that_shows_its_manual(window, qtbot):
    second, operator = beside(window, qtbot), id_of(window, "operator")
    place = PageRegion(operator, "operator.pdf", 3, "2-1", (Box(72, 100, 300, 120),))
    window.centre.show_regions([place], 0)
    qtbot.waitUntil(lambda: second.current_location() == (operator, 3))
    assert second.highlight_rects(3)
    assert window.centre.place() == (id_of(window, "installation"), 0)
    window.centre.clear_regions()
    assert not second.highlight_rects(3)


def test_what_a_report_cites_is_marked_beside_it(window, qtbot):
    report = QWidget()
    window.centre.show_report(report, "Is it 1.2 Nm?")
    window.centre.open_beside(id_of(window, "operator"))
    qtbot.waitUntil(lambda: window.centre.beside.current_location() is not None)
    chosen = id_of(window, "installation")
    place = PageRegion(chosen, "installation.pdf", 3, "2-1", (Box(72, 100, 300, 120),))
    window.centre.show_regions([place], 0)
    qtbot.waitUntil(lambda: window.centre.beside.current_location() == (chosen, 3))
    assert report.isVisible()


def test_a_highlight_made_in_one_pane_is_seen_in_the_other(window, qtbot):
    first = window.centre._viewer
    second = beside(window, qtbot, "installation")
    first.view.setFocus()
    qtbot.keyClick(first.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(first.annotations.card.isVisible)
    qtbot.keyClick(first.view, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(second.annotations.annotations) == 1)


def test_notes_stand_in_the_margins_of_both_panes(window, qtbot):
    first, second = window.centre._viewer, beside(window, qtbot)
    hashes = {record.id: record.sha256 for record in window._model.records()}
    for part, page in (("installation", 0), ("operator", 0), ("operator", 4)):
        link = PageLink(hashes[id_of(window, part)], page)
        window._workspace.notes.add(Note(f"{part} {page} is wrong here.", pages=(link,)))
    qtbot.waitUntil(lambda: noted(first) == ["installation 0"])
    qtbot.waitUntil(lambda: noted(second) == ["operator 0"])
    second.view.go_to_page(4)
    qtbot.waitUntil(lambda: noted(second) == ["operator 4"])
    second.notes.marks[0].click()
    drawer = window.notes.drawer
    qtbot.waitUntil(lambda: drawer.note.form.text.text == "operator 4 is wrong here.")
    assert not area(drawer).intersects(area(second))  # it lies over the answers
    second.open_document(id_of(window, "installation"))
    qtbot.waitUntil(lambda: noted(second) == ["installation 0"])


def noted(viewer):
    """Return how the notes begin that stand in the margin of what is in view."""
    said = [mark.accessibleDescription() for mark in viewer.notes.marks if mark.isVisible()]
    return [text.split(": ")[-1].split(" is")[0] for text in said]


def area(widget):
    """Return where a widget lies in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def test_both_panes_come_back_at_the_next_start(real_window, shelf, tmp_path, qtbot):
    folder = shutil.copytree(shelf, tmp_path / "library")
    window = real_window(folder)
    open_manual(window, qtbot)
    second = beside(window, qtbot)
    second.view.go_to_page(5)
    operator = id_of(window, "operator")
    window.close()
    window._workspace.close()
    again = real_window(folder)
    qtbot.waitUntil(lambda: again.centre.beside is not None)
    qtbot.waitUntil(lambda: again.centre.beside.current_location() == (operator, 5))
    assert again.centre.place() == (id_of(again, "installation"), 0)


def test_a_manual_that_leaves_the_library_leaves_both_panes(window, qtbot):
    beside(window, qtbot)
    window.centre.forget_document(id_of(window, "operator"))
    qtbot.waitUntil(lambda: window.centre.beside is None)
    assert window.centre._viewer.isVisible()
