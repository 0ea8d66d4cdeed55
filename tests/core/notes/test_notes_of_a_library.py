"""The notes of a library as the window and the commands open it."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from desktop.app import open_workspace
from desktop.core.events import Event, NoteCitationEvent, RevisedText
from desktop.core.library.places import Place
from desktop.core.notes.note import Note
from desktop.core.settings.sections import Settings

pytestmark = pytest.mark.slow

NOTE = Note("The seal bolts take a torque of 12 Nm.", place=Place("SITE 12", "P-200"))


@pytest.fixture
def asked(tmp_path):
    """Asks a library without manuals, with these settings."""

    def ask(question, *, place=NOTE.place, note=None, read_only=False, **knowledge):
        settings = Settings()
        settings.parser.in_process = True
        for name, value in knowledge.items():
            setattr(settings.knowledge, name, value)
        opened = open_workspace(tmp_path / "library", settings=settings, read_only=read_only)
        with closing(opened) as workspace:
            if note is not None:
                workspace.notes.add(note)
            workspace.place.choose(place)
            events: list[Event] = []
            done = threading.Event()
            workspace.ask(question, frozenset(), events.append, done.set)
            assert done.wait(30)
            return events

    return ask


def test_a_note_answers_where_the_manuals_cannot_and_stays_when_the_library_is_opened_again(asked):
    question = "What torque do the seal bolts take?"
    before = asked(question)
    assert before[-1].outcome == "impossible"
    first = asked(question, note=NOTE)
    again = asked(question, read_only=True)
    for events in (first, again):
        assert "12 Nm. [1]" in RevisedText(events).text
        (cited,) = [event for event in events if isinstance(event, NoteCitationEvent)]
        assert cited.note.scope == "asset P-200"
        assert events[-1].outcome == "answered"
    elsewhere = asked(question, place=Place("SITE 12", "P-300"))
    assert RevisedText(elsewhere).text == RevisedText(before).text


def test_notes_can_be_kept_out_of_answers(asked):
    events = asked("What torque do the seal bolts take?", note=NOTE, notes_in_answers=False)
    assert "12 Nm" not in RevisedText(events).text


def test_a_library_that_is_only_asked_gets_no_file_of_notes(asked, tmp_path):
    asked("What torque do the seal bolts take?")
    assert not (tmp_path / "library" / "knowledge.db").exists()
