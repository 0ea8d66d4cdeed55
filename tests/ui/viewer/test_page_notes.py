"""Notes in the margins of the pages, and taking a note of what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop.ui.viewer.links import MarginNote
from desktop.ui.viewer.overlays import Selection, WordPlace
from desktop.ui.viewer.page_layout import Fit

if TYPE_CHECKING:
    from desktop.ui.viewer.panel import ViewerPanel

TORQUE = MarginNote("torque", 0, 170.0, "Site note, 12 March, by shift lead: 26 Nm holds")


def names(panel: ViewerPanel) -> list[str]:
    return [mark.accessibleName() for mark in panel.notes.marks]


def test_a_note_stands_beside_its_line_and_says_its_words(opened):
    opened.notes.show_notes(1, [TORQUE])

    (mark,) = opened.notes.marks
    frame = opened.view.page_frame(0)
    assert mark.isVisible()
    assert "26 Nm holds" in mark.accessibleName()
    assert "26 Nm holds" in mark.toolTip()
    assert frame.area.center().x() < mark.x() < frame.area.right()
    assert abs(mark.y() - (frame.area.y() + 170 * frame.area.height() / 842)) < 2


def test_a_note_follows_its_page_when_one_scrolls_and_zooms(opened):
    opened.notes.show_notes(1, [TORQUE])
    before = opened.notes.marks[0].y()
    bar = opened.view.verticalScrollBar()
    bar.setValue(bar.value() + 100)
    assert opened.notes.marks[0].y() == before - 100

    opened.view.set_fit(Fit.PAGE)
    frame = opened.view.page_frame(0)
    assert opened.notes.marks[0].x() < frame.area.right()

    opened.view.go_to_page(6)
    assert names(opened) == []


def test_a_pressed_note_asks_to_be_read(opened, qtbot):
    opened.notes.show_notes(1, [TORQUE])
    with qtbot.waitSignal(opened.notes.opened) as read:
        qtbot.mouseClick(opened.notes.marks[0], Qt.MouseButton.LeftButton)
    assert read.args == ["torque"]


def test_notes_of_one_line_share_a_button_that_counts_them(opened, qtbot):
    other = MarginNote("other", 0, 176.0, "Check the washer")
    opened.notes.show_notes(1, [other, TORQUE])

    (mark,) = opened.notes.marks
    assert mark.text() == "2"
    assert mark.accessibleName() == "2 notes"
    with qtbot.waitSignal(opened.notes.opened) as read:
        mark.menu().actions()[1].trigger()
    assert read.args == ["other"]


def test_markup_in_a_note_is_shown_as_it_was_written(opened):
    evil = MarginNote("evil", 0, 10.0, "<img src=file:///etc/passwd><b>bold</b>")
    opened.notes.show_notes(1, [evil])
    assert "&lt;img src" in opened.notes.marks[0].toolTip()


def test_notes_of_another_manual_are_not_shown(opened):
    opened.notes.show_notes(2, [TORQUE])
    assert names(opened) == []


def test_a_note_is_reached_by_tab(opened, qtbot):
    opened.notes.show_notes(1, [TORQUE])
    mark = opened.notes.marks[0]
    assert mark.focusPolicy() & Qt.FocusPolicy.TabFocus
    mark.setFocus()
    QApplication.processEvents()
    opened.view.verticalScrollBar().setValue(20)
    assert opened.notes.marks == [mark]  # the focus is not lost while one scrolls


def test_adding_a_note_takes_the_selected_words_with_their_boxes(opened, qtbot):
    words = opened._words.get(1, 0)
    assert words is not None
    first, last = words.texts.index("Torque"), len(words.texts) - 1
    opened._selection.select(Selection(WordPlace(0, first), WordPlace(0, last)))
    with qtbot.waitSignal(opened.notes.wanted) as asked:
        opened.actions_by_name["add_note"].trigger()

    (place,) = asked.args
    assert (place.document_id, place.page) == (1, 0)
    assert place.quote == "Torque of screw S-130 is 24 Nm"
    assert len(place.boxes) == 1
    assert 160 < place.boxes[0].y0 < place.boxes[0].y1 < 200


def test_without_a_selection_the_note_is_about_the_page(opened, qtbot):
    opened.view.go_to_page(5)
    opened.view.setFocus()
    with qtbot.waitSignal(opened.notes.wanted) as asked:
        qtbot.keyClick(opened.view, Qt.Key.Key_A)
    (place,) = asked.args
    assert (place.document_id, place.page, place.boxes, place.quote) == (1, 5, (), "")


def test_without_a_manual_no_note_can_be_added(panel):
    assert not panel.actions_by_name["add_note"].isEnabled()
