"""A note that is changed in its page while somebody else changes it too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QWidget

from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.ui.errands import Errands
from desktop.ui.notes.controller import Shelf
from desktop.ui.notes.page import NotesPage
from desktop.ui.notes.page_links import PageLinks
from desktop.ui.notes.reading import NoteReading
from tests.ui.fake_workspace import FakeLibrary


@pytest.fixture
def opened(qtbot, tmp_path):
    """A note that is shown: its page, the notes of the site, its id, what connects them."""
    desk = NoteDesk()
    key = desk.add(Note("The seal lasts 3 months.", role="fitter")).piece_id
    window = QWidget()
    qtbot.addWidget(window)
    page = NotesPage(window)
    errands = Errands(page)
    reading = NoteReading(
        page, desk, PageLinks(cast("Any", FakeLibrary(tmp_path, ())), lambda: ()), errands
    )
    reading.show_shelf(Shelf())
    reading.go_to(key)
    qtbot.waitUntil(lambda: page.note.piece_id == key)
    yield page, desk, key, reading
    errands.close()


def type_relations(page, text):
    page.note.relations.set_text(text)
    page.note.relations.edited.emit()


def relations(desk, key):
    return desk.relations(desk.get(key))


def test_relations_are_kept_beside_what_somebody_else_wrote_meanwhile(opened, qtbot):
    page, desk, key, _ = opened
    type_relations(page, "Pump > has part > Seal")
    desk.update(replace(desk.get(key), text="The seal lasts 2 months."))
    page.note.ask_to_save()
    qtbot.waitUntil(lambda: relations(desk, key) == "Pump > has part > Seal")
    assert desk.get(key).text == "The seal lasts 2 months."
    qtbot.waitUntil(lambda: page.note.form.text.text == "The seal lasts 2 months.")


def test_relations_that_both_changed_are_not_overwritten_before_a_person_says_so(opened, qtbot):
    page, desk, key, _ = opened
    type_relations(page, "Pump > has part > Seal")
    desk.update(desk.get(key), "Pump > has part > Valve")
    page.note.ask_to_save()
    qtbot.waitUntil(lambda: page.note.original.relations == "Pump > has part > Valve")
    assert relations(desk, key) == "Pump > has part > Valve"
    assert page.note.relations.text == "Pump > has part > Seal"
    page.note.ask_to_save()
    qtbot.waitUntil(lambda: relations(desk, key) == "Pump > has part > Seal")


def test_reverting_shows_what_somebody_else_wrote(opened, qtbot):
    page, desk, key, _ = opened
    page.note.form.text.set_text("Mine.")
    page.note.form.edited.emit()
    desk.update(replace(desk.get(key), text="Theirs."))
    page.note.ask_to_save()
    qtbot.waitUntil(lambda: page.note.original.note.text == "Theirs.")
    page.note.revert.click()
    assert page.note.form.text.text == "Theirs."
    assert desk.get(key).text == "Theirs."


def test_what_goes_against_another_change_is_not_lost_when_the_window_closes(opened, qtbot):
    page, desk, key, reading = opened
    page.note.form.text.set_text("The seal lasts 1 month.")
    page.note.form.edited.emit()
    desk.update(replace(desk.get(key), text="The seal lasts 2 months."))
    reading.finish()
    qtbot.waitUntil(lambda: len(desk.list()) == 2)
    assert desk.get(key).text == "The seal lasts 2 months."
    assert {note.text for note in desk.list()} == {
        "The seal lasts 1 month.",
        "The seal lasts 2 months.",
    }
