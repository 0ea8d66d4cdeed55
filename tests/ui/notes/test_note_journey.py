"""A note from the selected words of a manual to the answer that cites it, in the real window."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from desktop.core.library.places import Place
from desktop.ui.viewer.overlays import Selection, WordPlace
from tests.e2e.real_library import opened

TORQUE = "What is the tightening torque for terminals X2:1 to X2:6?"
NOTE = "The tightening torque for terminals X2:1 to X2:6 is 0.6 Nm here: the old ferrules slip."
PUMP = Place("SITE 12", "HX-200")


@pytest.fixture
def window(real_window, shelf, tmp_path):
    """The real window on the sample manuals, at an asset."""
    folder = shutil.copytree(shelf, tmp_path / "library")
    with opened(folder) as workspace:
        ids = [each.id for each in workspace.library.documents()]
        workspace.library.set_place(ids, PUMP.site, PUMP.asset)
    window = real_window(folder)
    window.chat.composer.scope.work_at(PUMP)
    return window


def ask(window, qtbot):
    window.chat.composer.field.setPlainText(TORQUE)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running)
    return turn


def select_torque(window, qtbot):
    """Select the line of the manual that the answer cites."""
    viewer = window.centre._viewer
    qtbot.waitUntil(lambda: bool(viewer.view.overlays.highlights.current))
    mark = viewer.view.overlays.highlights.current
    qtbot.waitUntil(lambda: viewer._words.get(mark.document_id, mark.page) is not None)
    words = viewer._words.get(mark.document_id, mark.page)
    first = next(n for n, word in enumerate(words.texts) if "X2:1" in word)
    viewer._selection.select(
        Selection(WordPlace(mark.page, first), WordPlace(mark.page, first + 3))
    )
    return viewer, mark


def test_a_note_from_selected_words_reaches_margin_and_answer_and_leaves_both_when_deleted(
    window, qtbot
):
    before = ask(window, qtbot)
    assert before.citations
    assert before.notes.events == []
    viewer, mark = select_torque(window, qtbot)

    viewer.actions_by_name["add_note"].trigger()
    qtbot.waitUntil(lambda: window.notes.drawer is not None)
    drawer = window.notes.drawer
    qtbot.waitUntil(lambda: len(drawer.compose.pages.cards) == 1)
    assert "X2:1" in drawer.compose.pages.cards[0].link.quote
    drawer.compose.text.editor.setPlainText(NOTE)
    drawer.compose.sort.click()
    qtbot.waitUntil(lambda: drawer.shown is drawer.review)
    drawer.review.cards[0].form.role.line.setText("shift lead")
    drawer.review.keep.click()
    qtbot.waitUntil(lambda: drawer.shown is drawer.note)

    qtbot.waitUntil(lambda: len(viewer.notes.marks) == 1)
    assert "by shift lead: The tightening torque" in viewer.notes.marks[0].accessibleName()
    assert window.library_panel.notes_button.accessibleName() == "Notes (1)"

    turn = ask(window, qtbot)
    (cited,) = turn.notes.events
    assert cited.note.role == "shift lead"
    assert "0.6 Nm" in turn.text
    assert turn.citations  # the manual is still cited, apart from the note
    drawer.close_button.click()
    assert not drawer.isVisible()
    turn.notes.rows[0].button.click()
    qtbot.waitUntil(lambda: drawer.isVisible() and drawer.note.form.text.text == NOTE)
    qtbot.waitUntil(lambda: viewer.current_location() == (mark.document_id, mark.page))

    drawer.note.delete.click()
    qtbot.waitUntil(lambda: viewer.notes.marks == [])
    again = ask(window, qtbot)
    assert again.notes.events == []
    assert again.text == before.text

    next(b for b in drawer.notices.findChildren(QPushButton) if b.text() == "Undo").click()
    qtbot.waitUntil(lambda: len(viewer.notes.marks) == 1)
    back = ask(window, qtbot)
    assert [each.note.piece_id for each in back.notes.events] == [cited.note.piece_id]
