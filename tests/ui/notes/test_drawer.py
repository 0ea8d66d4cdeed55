"""The drawer of the notes in its window: where it lies, how it opens and closes, its keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication

from desktop.ui.design.tokens import Size
from desktop.ui.window.main_window import MainWindow
from tests.ui.fake_workspace import FakeViewer, fake_workspace
from tests.ui.notes.take_pictures import SEAL, SHELF


def area(widget):
    """Return where a widget lies in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def resize(window, qtbot, width, height=800):
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.size() == QSize(width, height))
    QApplication.processEvents()


@pytest.fixture
def listed(window, workspace, qtbot):
    """The drawer with the list of notes."""
    qtbot.waitUntil(lambda: window.centre._viewer is not None)
    window.activateWindow()
    window.notes.toggle()
    drawer = window.notes.drawer
    qtbot.waitUntil(lambda: drawer.shown is drawer.overview)
    return drawer


def test_no_second_window_opens(listed, window):
    assert listed.window() is window
    assert listed.isVisible()


def test_page_answers_and_notes_are_seen_beside_each_other_in_a_wide_window(listed, window, qtbot):
    resize(window, qtbot, 1700)
    page, answers, notes = (area(each) for each in (window.centre, window.chat, listed))
    assert page.right() < answers.left() <= answers.right() < notes.left()
    assert notes.right() == window.width() - 1
    assert notes.top() == page.top()
    assert notes.bottom() == page.bottom()
    assert page.width() >= Size.PAGE
    assert 400 <= notes.width() <= 480


@pytest.mark.parametrize("width", [1440, 1280, 1000, 860])
def test_it_lies_over_the_answers_and_leaves_the_page_as_wide_as_it_was(
    listed, window, qtbot, width
):
    resize(window, qtbot, width)
    page, answers, notes = (area(each) for each in (window.centre, window.chat, listed))
    assert notes.contains(answers.center())
    assert width < 1280 or page.width() >= Size.PAGE
    assert not page.intersects(notes)
    assert window.childAt(answers.center()) is not None
    assert listed.isAncestorOf(window.childAt(answers.center()))


def test_closing_gives_the_columns_their_places_back(window, workspace, qtbot):
    columns = (window.library_panel, window.centre, window.chat)
    window.library_panel.notes_button.setFocus()
    window.resize(1600, 800)
    QApplication.processEvents()
    before = [(each.x(), each.width()) for each in columns]
    window.library_panel.notes_button.click()
    assert window.library_panel.is_folded
    window.notes.drawer.close_button.click()
    assert [(each.x(), each.width()) for each in columns] == before


def test_the_keyboard_goes_in_and_back_to_where_it_was(window, workspace, qtbot):
    window.activateWindow()
    button = window.library_panel.notes_button
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    drawer = window.notes.drawer
    qtbot.waitUntil(drawer.list.hasFocus)
    qtbot.keyClick(drawer.list, Qt.Key.Key_Escape)
    assert not drawer.isVisible()
    assert button.hasFocus()


def test_the_keys_that_open_it_close_it(window, workspace, qtbot):
    window.activateWindow()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for key in (Qt.Key.Key_B, Qt.Key.Key_N):
        qtbot.keyClick(window, key, both)
        drawer = window.notes.drawer
        qtbot.waitUntil(drawer.isVisible)
        qtbot.keyClick(QApplication.focusWidget(), key, both)
        qtbot.waitUntil(lambda drawer=drawer: not drawer.isVisible())


def test_text_that_was_begun_is_there_after_the_drawer_was_closed(listed, window, qtbot):
    listed.new_button.click()
    qtbot.keyClicks(listed.compose.text.editor, "The hatch sti")
    qtbot.keyClick(listed.compose.text.editor, Qt.Key.Key_Escape)
    assert not listed.isVisible()
    window.notes.toggle()
    qtbot.waitUntil(listed.compose.text.editor.hasFocus)
    qtbot.keyClicks(listed.compose.text.editor, "cks")
    assert listed.compose.text.text.replace("\n", "").endswith("cks")
    assert "The hatch sti" in listed.compose.text.text


def test_without_notes_discarding_a_new_one_leads_back_to_the_answers(window, tmp_path, qtbot):
    workspace = fake_workspace(tmp_path, *SHELF)
    window.open_workspace(workspace)
    window.notes.toggle()
    drawer = window.notes.drawer
    qtbot.waitUntil(lambda: drawer.shown is drawer.compose)
    qtbot.keyClicks(drawer.compose.text.editor, "The hatch")
    drawer.compose.cancel.click()
    assert not drawer.isVisible()
    assert not drawer.compose.text.text
    window.notes.toggle()
    qtbot.waitUntil(lambda: drawer.isVisible() and drawer.shown is drawer.compose)


def test_a_note_takes_the_place_of_the_list_and_leads_back_to_its_row(listed, qtbot):
    listed.list.setFocus()
    qtbot.keyClick(listed.list, Qt.Key.Key_Down)
    qtbot.keyClick(listed.list, Qt.Key.Key_Down)
    assert listed.shown is listed.overview  # going through the rows opens nothing
    key = listed.list.key
    qtbot.keyClick(listed.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: listed.shown is listed.note)
    assert listed.note.piece_id == key
    assert not listed.list.isVisible()
    assert listed.note.form.text.editor.hasFocus()
    listed.back.setFocus()
    assert listed.back.accessibleName() == "All notes"
    qtbot.keyClick(listed.back, Qt.Key.Key_Space)
    assert listed.list.hasFocus()
    assert listed.list.key == key


def test_its_keys_are_its_own_while_it_has_the_keyboard(listed, window, qtbot):
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(listed.list, Qt.Key.Key_N, control)
    assert listed.shown is listed.compose
    qtbot.keyClick(listed.compose.text.editor, Qt.Key.Key_F, control)
    qtbot.waitUntil(listed.filters.field.hasFocus)
    qtbot.keyClick(listed.filters.field, Qt.Key.Key_W, control)
    assert not listed.isVisible()


def test_tab_stays_in_a_drawer_that_covers_the_answers(listed, window, qtbot):
    resize(window, qtbot, 900)
    listed.list.setFocus()
    for _ in range(12):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert listed.has_keyboard
    resize(window, qtbot, 1700)
    been: list[bool] = []
    for _ in range(60):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        been.append(listed.has_keyboard)
    assert set(been) == {True, False}


def test_asking_a_question_uncovers_the_answers(listed, window, qtbot):
    resize(window, qtbot, 900)
    assert listed.isVisible()
    window.chat.focus_question()
    qtbot.waitUntil(lambda: not listed.isVisible())
    assert window.chat.composer.field.hasFocus()


def test_what_is_pressed_in_the_answers_leaves_a_drawer_beside_them_open(listed, window, qtbot):
    resize(window, qtbot, 1700)
    window.chat.focus_question()
    assert window.chat.composer.field.hasFocus()
    assert listed.isVisible()
    assert SEAL.title.split(" …")[0] in listed.list.views()[0].title


def test_left_open_over_the_answers_it_is_open_in_the_next_window(listed, window, workspace, qtbot):
    resize(window, qtbot, 1000)
    window.close()
    again = MainWindow(viewer_factory=FakeViewer)
    qtbot.addWidget(again)
    again.show()
    again.activateWindow()
    qtbot.waitUntil(again.isActiveWindow)
    again.resize(1000, 800)
    again.open_workspace(workspace)
    assert again.notes.is_open
    again.close()


def test_a_new_conversation_is_not_begun_below_the_notes(listed, window, qtbot):
    resize(window, qtbot, 1280)
    window.conversations.new()
    assert listed.isHidden()
    qtbot.waitUntil(window.chat.composer.field.hasFocus)


def test_beside_the_notes_a_new_conversation_leaves_them_open(listed, window, qtbot):
    resize(window, qtbot, 1700)
    window.conversations.new()
    assert listed.isVisible()
