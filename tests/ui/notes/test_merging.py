"""A note that is changed in its page while somebody else changes it too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QWidget

from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.ui.bridge import Errands
from desktop.ui.notes.drawer import NotesDrawer
from desktop.ui.notes.page_links import PageLinks
from desktop.ui.notes.reading import NoteReading
from desktop.ui.notes.shelf import Shelf
from tests.ui.fake_workspace import FakeLibrary


@pytest.fixture
def opened(qtbot, tmp_path):
    """A note that is shown: its drawer, the notes of the site, its id, what connects them."""
    desk = NoteDesk()
    key = desk.add(Note("The seal lasts 3 months.", role="fitter")).piece_id
    window = QWidget()
    qtbot.addWidget(window)
    drawer = NotesDrawer(window)
    errands = Errands(drawer)
    reading = NoteReading(
        drawer, desk, PageLinks(cast("Any", FakeLibrary(tmp_path, ())), lambda: ()), errands
    )
    reading.show_shelf(Shelf())
    reading.go_to(key)
    qtbot.waitUntil(lambda: drawer.note.piece_id == key)
    yield drawer, desk, key, reading
    errands.close()


def type_relations(drawer, text):
    drawer.note.relations.set_text(text)
    drawer.note.relations.edited.emit()


def relations(desk, key):
    return desk.relations(desk.get(key))


def test_relations_are_kept_beside_what_somebody_else_wrote_meanwhile(opened, qtbot):
    drawer, desk, key, _ = opened
    type_relations(drawer, "Pump > has part > Seal")
    desk.update(replace(desk.get(key), text="The seal lasts 2 months."))
    drawer.note.ask_to_save()
    qtbot.waitUntil(lambda: relations(desk, key) == "Pump > has part > Seal")
    assert desk.get(key).text == "The seal lasts 2 months."
    qtbot.waitUntil(lambda: drawer.note.form.text.text == "The seal lasts 2 months.")


def test_relations_that_both_changed_are_not_overwritten_before_a_person_says_so(opened, qtbot):
    drawer, desk, key, _ = opened
    type_relations(drawer, "Pump > has part > Seal")
    desk.update(desk.get(key), "Pump > has part > Valve")
    drawer.note.ask_to_save()
    qtbot.waitUntil(lambda: drawer.note.original.relations == "Pump > has part > Valve")
    assert relations(desk, key) == "Pump > has part > Valve"
    assert drawer.note.relations.text == "Pump > has part > Seal"
    drawer.note.ask_to_save()
    qtbot.waitUntil(lambda: relations(desk, key) == "Pump > has part > Seal")


def test_reverting_shows_what_somebody_else_wrote(opened, qtbot):
    drawer, desk, key, _ = opened
    drawer.note.form.text.set_text("Mine.")
    drawer.note.form.edited.emit()
    desk.update(replace(desk.get(key), text="Theirs."))
    drawer.note.ask_to_save()
    qtbot.waitUntil(lambda: drawer.note.original.note.text == "Theirs.")
    drawer.note.revert.click()
    assert drawer.note.form.text.text == "Theirs."
    assert desk.get(key).text == "Theirs."


def test_what_goes_against_another_change_is_not_lost_when_the_window_closes(opened, qtbot):
    drawer, desk, key, reading = opened
    drawer.note.form.text.set_text("The seal lasts 1 month.")
    drawer.note.form.edited.emit()
    desk.update(replace(desk.get(key), text="The seal lasts 2 months."))
    reading.finish()
    qtbot.waitUntil(lambda: len(desk.list()) == 2)
    assert desk.get(key).text == "The seal lasts 2 months."
    assert {note.text for note in desk.list()} == {
        "The seal lasts 1 month.",
        "The seal lasts 2 months.",
    }
