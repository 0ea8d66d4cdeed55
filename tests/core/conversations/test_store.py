"""Conversations: kept, listed, found, renamed, deleted, and read while one is written."""

from __future__ import annotations

import threading

import pytest

from desktop.core.conversations.store import Conversations
from desktop.core.errors import ConversationNotFound, LibraryNotWritable
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    DecisionEvent,
    PageRegion,
    RevisionEvent,
    TokenEvent,
)
from desktop.core.geometry import Box
from desktop.core.store.database import Database
from tests.core.test_events import EVENTS

PAGE = PageRegion(1, "operator.pdf", 60, "5-4", (Box(72, 200, 420, 214), Box(72, 216, 310, 230)))


def answered(text: str = "The test lasts 24 hours.") -> list:
    words = [TokenEvent(f"{word} ") for word in text.split()]
    return [
        DecisionEvent("text_response", "Pages were found."),
        *words,
        CitationEvent(1, PAGE, "24 hours"),
        TokenEvent("[1]"),
        CompleteEvent("answered", 12.0, 2),
    ]


def titles(conversations: Conversations, search: str = "") -> list[str]:
    return [record.title for record in conversations.list(search)]


def test_a_question_comes_back_with_its_answer_and_every_citation(database, conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "How long does the battery test last?", answered(), [2, 1])

    again = Conversations(database)
    (record,) = again.list()
    (turn,) = again.turns(id_)
    assert (record.title, record.turns) == ("How long does the battery test last?", 1)
    assert record.document_ids == {1, 2}
    assert (turn.prompt, turn.outcome) == (record.title, "answered")
    assert turn.answer == "The test lasts 24 hours. [1]"
    assert turn.citations == (CitationEvent(1, PAGE, "24 hours"),)
    assert [type(event) for event in turn.events] == [
        DecisionEvent,
        TokenEvent,  # the words as one piece
        CitationEvent,
        TokenEvent,
        CompleteEvent,
    ]


def test_an_answer_is_kept_and_found_as_it_stands_after_its_revisions(conversations):
    id_ = conversations.create()
    said = [TokenEvent("It lasts "), TokenEvent("42 days.\n"), TokenEvent("It repeats.")]
    events = [*said, RevisionEvent(0, 0, "It lasts 42 days.", "")]
    conversations.add_turn(id_, "How long?", [*events, CompleteEvent("answered", 1.0, 1)])
    (turn,) = conversations.turns(id_)
    assert turn.answer == "It repeats."
    assert turn.events[1] == events[-1]
    assert conversations.list("42 days") == []


def test_what_the_agent_asked_back_is_what_it_said(conversations):
    id_ = conversations.create()
    question = ClarificationEvent("Which battery?", ("internal", "external"))
    conversations.add_turn(id_, "How long?", [question, CompleteEvent("clarification", 1.0, 1)])
    assert conversations.history(id_)[1]["content"] == "Which battery?\n- internal\n- external"


def test_every_class_of_event_survives_the_library(conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "All?", EVENTS)
    (turn,) = conversations.turns(id_)
    assert turn.events == EVENTS


def test_turns_keep_their_order_and_the_latest_conversation_is_the_first(conversations):
    first, second = conversations.create(), conversations.create()
    conversations.add_turn(first, "one", answered())
    conversations.add_turn(second, "two", answered())
    assert titles(conversations) == ["two", "one"]
    conversations.add_turn(first, "three", answered())
    assert titles(conversations) == ["one", "two"]
    assert [turn.prompt for turn in conversations.turns(first)] == ["one", "three"]
    assert [turn.position for turn in conversations.turns(first)] == [1, 2]


def test_a_long_question_makes_a_short_title_of_one_line(conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "Where is\nthe " + "very " * 50 + "long switch?", answered())
    (title,) = titles(conversations)
    assert title.startswith("Where is the very")
    assert title.endswith("very…")
    assert len(title) <= 80


def test_renaming_changes_the_title_and_an_empty_name_brings_the_question_back(conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "How long?", answered())
    conversations.rename(id_, "  Battery \n test ")
    assert titles(conversations) == ["Battery test"]
    conversations.add_turn(id_, "And the other?", answered())
    assert titles(conversations) == ["Battery test"]
    conversations.rename(id_, "")
    assert titles(conversations) == ["How long?"]


@pytest.mark.parametrize(
    "search",
    ["BATTERY", "atter", "J1C", "24 h", "größe", "GRÖSSE".replace("SS", "ß"), "test battery", "%"],
)
def test_a_conversation_is_found_by_parts_of_words_of_question_and_answer(conversations, search):
    wanted, other = conversations.create(), conversations.create()
    conversations.add_turn(wanted, "Battery test, Größe?", answered("24 h at J1C, 100% full"))
    conversations.add_turn(other, "Where is the valve?", answered("In the cellar."))
    assert titles(conversations, search) == ["Battery test, Größe?"]


def test_every_word_of_a_search_must_stand_somewhere_in_the_conversation(conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "Where is the valve?", answered("In the cellar."))
    conversations.add_turn(id_, "Which pump?", answered("P1."))
    conversations.rename(id_, "Übergabe")
    for found in ("valve pump", "übergabe cellar", "p1", 'pump "', "Ü"):
        expected = [] if '"' in found else ["Übergabe"]
        assert titles(conversations, found) == expected
    assert titles(conversations, "valve boiler") == []
    assert titles(conversations, "AND OR NOT * ( valve:") == []


def test_a_deleted_conversation_is_gone_with_all_of_its_traces(database, conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "Where is the valve?", answered())
    conversations.delete(id_)
    assert conversations.list() == []
    assert conversations.list("valve") == []
    assert database.check() == []
    for call in (conversations.turns, conversations.delete, conversations.record):
        with pytest.raises(ConversationNotFound):
            call(id_)
    with pytest.raises(ConversationNotFound):
        conversations.rename(id_, "x")
    assert conversations.create() > id_
    assert Conversations(database).create() > id_


def test_a_question_to_a_conversation_that_was_deleted_keeps_nothing(database, conversations):
    id_ = conversations.create()
    recording = conversations.begin_turn(id_, "Where?")
    recording.take(TokenEvent("There"))
    recording.flush()
    conversations.delete(id_)
    recording.take(CompleteEvent("answered", 1.0, 1))
    recording.wait()
    assert recording.failure is None
    late = conversations.begin_turn(id_, "Still?")
    late.close()
    with pytest.raises(ConversationNotFound):
        late.wait()
    assert isinstance(late.failure, ConversationNotFound)
    assert database.check() == []


def test_a_turn_is_there_as_soon_as_it_is_asked_and_grows_while_it_is_answered(conversations):
    id_ = conversations.create()
    recording = conversations.begin_turn(id_, "How long?")
    recording.take(TokenEvent("24 "))
    recording.flush()
    recording.take(TokenEvent("hours"))
    recording._last.result()
    (turn,) = conversations.turns(id_)
    assert (turn.prompt, turn.answer, turn.outcome) == ("How long?", "24 ", "")
    recording.take(CompleteEvent("answered", 1.0, 1))
    recording.wait()
    (turn,) = conversations.turns(id_)
    assert (turn.answer, turn.outcome) == ("24 hours", "answered")


def test_a_question_that_never_ended_is_marked_as_interrupted_and_can_be_found(conversations):
    id_ = conversations.create()
    recording = conversations.begin_turn(id_, "How long?")
    recording.take(TokenEvent("24 bells"))
    recording.flush()
    assert conversations.mark_interrupted() == 1
    assert conversations.mark_interrupted() == 0
    (turn,) = conversations.turns(id_)
    assert (turn.outcome, turn.answer) == ("interrupted", "24 bells")
    assert titles(conversations, "bells") == ["How long?"]


def test_a_library_that_is_only_read_shows_conversations_and_keeps_none(tmp_path):
    with Database.open(tmp_path) as database:
        store = Conversations(database)
        id_ = store.create()
        store.add_turn(id_, "How long?", answered())
        with Database.open(tmp_path, read_only=True) as reading:
            readers = Conversations(reading)
            assert readers.read_only
            assert titles(readers) == ["How long?"]
            assert len(readers.turns(id_)) == len(readers.history(id_)) - 1 == 1
            with pytest.raises(LibraryNotWritable):
                readers.create()
            with pytest.raises(LibraryNotWritable):
                readers.begin_turn(id_, "More?")


def test_ten_conversations_are_read_by_ten_readers_while_one_is_written(database, conversations):
    ids = [conversations.create() for _ in range(10)]
    for number, id_ in enumerate(ids):
        conversations.add_turn(id_, f"question {number}", answered(f"answer {number}"))
    written = conversations.create()
    recording = conversations.begin_turn(written, "a long one")
    stop = threading.Event()
    rounds, wrong = [0] * len(ids), []

    def read(place: int) -> None:
        while not stop.is_set():
            (turn,) = conversations.turns(ids[place])
            (growing,) = conversations.turns(written)
            pieces = growing.answer.split()
            fine = (
                turn.prompt == f"question {place}"
                and turn.answer == f"answer {place} [1]"
                and turn.citations == (CitationEvent(1, PAGE, "24 hours"),)
                and pieces == [str(n) for n in range(len(pieces))]
                and len(conversations.list("answer")) == len(ids)
            )
            if not fine:
                wrong.append((place, turn, growing))
            rounds[place] += 1

    recording.flush()
    recording._last.result()
    threads = [threading.Thread(target=read, args=(place,)) for place in range(len(ids))]
    for thread in threads:
        thread.start()
    number = 0
    while number < 30 or not all(rounds):
        recording.take(TokenEvent(f"{number} "))
        recording.flush()
        recording._last.result()
        number += 1
    stop.set()
    for thread in threads:
        thread.join()
    recording.take(CompleteEvent("answered", 1.0, 1))
    recording.wait()
    assert wrong == []
    assert conversations.turns(written)[0].answer.split() == [str(n) for n in range(number)]
    assert database.check() == []
