"""Vectors of notes are made in the background, and notes are found before they have one."""

from __future__ import annotations

import threading
import time

import pytest

from desktop.core.library.places import Place
from desktop.core.notes.desk import NoteDesk, NoteVectors, VectorKeeper
from desktop.core.notes.note import Note
from desktop.core.notes.search import NoteSearch
from desktop.models.errors import ModelNotInstalled, ModelStopped
from tests.fakes.embedder import FakeEmbedder

SECONDS = 5.0


class Embedder(FakeEmbedder):
    """Says when it has embedded; may be held back."""

    def __init__(self) -> None:
        super().__init__(dimension=64)
        self.made = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def embed(self, texts):
        assert self.go_on.wait(SECONDS)
        made = super().embed(texts)
        self.made.set()
        return made


@pytest.fixture
def embedder():
    return Embedder()


@pytest.fixture
def desk(tmp_path, embedder):
    desk = NoteDesk(tmp_path / "knowledge.db", NoteVectors(embedder, embedder))
    yield desk
    desk.close()


def test_a_note_gets_its_vector_after_it_was_kept(desk, embedder):
    keeper = VectorKeeper(desk)
    desk.add(Note("Bleed the line."))
    assert embedder.made.wait(SECONDS)
    keeper.close()
    assert embedder.embedded == ["Bleed the line."]


def test_what_a_stop_left_undone_is_done_at_the_next_start(desk, embedder):
    desk.add(Note("Bleed the line."))
    keeper = VectorKeeper(desk)
    assert embedder.made.wait(SECONDS)
    keeper.close()
    assert embedder.embedded == ["Bleed the line."]


def test_keeping_a_note_never_waits_for_its_vector_and_it_is_found_meanwhile(desk, embedder):
    embedder.go_on.clear()
    keeper = VectorKeeper(desk)
    try:
        desk.add(Note("Bleed the line in spring."))
        assert [note.text for note in desk.list()] == ["Bleed the line in spring."]
    finally:
        embedder.go_on.set()
        keeper.close()
    assert NoteSearch(desk)("When do I bleed the line?", Place())


def test_without_a_text_model_that_can_be_asked_notes_are_found_by_words(desk, embedder):
    desk.add(Note("Bleed the line in spring."))
    embedder.failure = ModelNotInstalled("gone")
    (found,) = NoteSearch(desk)("When do I bleed the line?", Place())
    assert found.note.text == "Bleed the line in spring."


def test_a_failing_model_ends_neither_the_keeper_nor_the_notes(desk, embedder):
    tried = threading.Event()
    embedder.failure, embedder.before_each = ModelStopped("over"), tried.set
    keeper = VectorKeeper(desk)
    desk.add(Note("One."))
    assert tried.wait(SECONDS)
    embedder.failure = None
    desk.add(Note("Two."))
    deadline = time.monotonic() + SECONDS
    while "Two." not in embedder.embedded and time.monotonic() < deadline:
        time.sleep(0.01)
    keeper.close()
    assert sorted(embedder.embedded) == ["One.", "Two."]
