"""Questions within a conversation: what the agent is told, and what stays when it breaks off."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from desktop.core.conversations.asking import ask_within
from desktop.core.conversations.recording import BATCH_SECONDS
from desktop.core.conversations.store import Conversations
from desktop.core.engine import Engine
from desktop.core.errors import DiskFull
from desktop.core.events import CompleteEvent, ErrorEvent, Outcome, StatusEvent, TokenEvent
from desktop.core.jobs import Cancelled
from desktop.core.store.database import Database
from tests.fakes.agent import make_agent
from tests.fakes.searcher import FakeSearcher, page_found


@pytest.fixture
def engine():
    engine = Engine()
    yield engine
    engine.close()


class ScriptedAgent:
    """Says its words; before the one that it holds at, it waits to be let go or cancelled."""

    def __init__(self, *said: str, hold_before: int = -1) -> None:
        self.said = said
        self.hold_before = hold_before
        self.holding = threading.Event()
        self.histories: list = []

    async def run(
        self, prompt, *, document_ids=frozenset(), cancel=None, conversation_history=(), **_
    ):
        import asyncio

        self.histories.append(list(conversation_history))
        outcome: Outcome = "answered"
        try:
            for place, word in enumerate(self.said):
                if place == self.hold_before:
                    self.holding.set()
                    await asyncio.sleep(60)
                cancel.check()
                yield TokenEvent(word)
        except (asyncio.CancelledError, Cancelled):
            outcome = "cancelled"
        yield CompleteEvent(outcome, 1.0, 1)


def ask(engine, conversations, agent, conversation_id, prompt="How long?", **options):
    events: list = []
    handle = engine.start(
        lambda cancel: ask_within(
            conversations, conversation_id, agent, prompt, frozenset(), cancel, **options
        ),
        events.append,
        lambda: None,
    )
    return handle, events


def test_a_question_asked_by_itself_is_told_nothing_of_what_was_said_before(engine, conversations):
    agent = ScriptedAgent("24 hours", " [1]")
    id_ = conversations.create()
    for prompt, by_itself in (("How long?", False), ("Why?", True), ("And then?", False)):
        handle, _ = ask(engine, conversations, agent, id_, prompt, by_itself=by_itself)
        assert handle.wait(30)
    told = [len(history) for history in agent.histories]
    assert told == [0, 0, 4], "it is kept in the conversation like any other"


def test_a_follow_up_is_told_what_was_said_before_it(engine, conversations):
    agent = ScriptedAgent("24 hours", " [1]")
    id_ = conversations.create()
    for prompt in ("How long is the test?", "And the other?", "Why?"):
        handle, _ = ask(engine, conversations, agent, id_, prompt)
        assert handle.wait(30)
    assert agent.histories[0] == []
    assert agent.histories[2] == [
        {"role": "user", "content": "How long is the test?"},
        {"role": "assistant", "content": "24 hours"},
        {"role": "user", "content": "And the other?"},
        {"role": "assistant", "content": "24 hours"},
    ]


def test_the_real_agent_answers_within_a_conversation_and_every_event_is_kept(
    engine, conversations
):
    id_ = conversations.create()
    handle, events = ask(engine, conversations, make_agent(), id_, "What is the fuse?")
    assert handle.wait(30)
    conversations.begin_turn(id_, "flush").wait()
    turn = conversations.turns(id_)[0]
    assert turn.outcome == "answered"
    assert turn.citations == tuple(e for e in events if e.type == "citation")
    said = "".join(event.content for event in events if isinstance(event, TokenEvent))
    assert turn.answer == said != ""
    assert [e.type for e in turn.events if e.type != "token"] == [
        e.type for e in events if e.type != "token"
    ]


def test_rules_search_for_a_follow_up_with_the_question_before_it(engine, conversations):
    searcher = FakeSearcher([page_found("The external battery test lasts 24 hours.")])
    id_ = conversations.create()
    for prompt in ("How long does the internal battery test last?", "and for the external one?"):
        handle, events = ask(engine, conversations, make_agent(searcher=searcher), id_, prompt)
        assert handle.wait(30)
    query = searcher.queries[-1]
    assert query.text == "and for the external one?"
    assert query.before == "How long does the internal battery test last?"
    assert events[0].inputs == {"query": "and for the external one?"}
    assert events[-1].outcome == "answered"


def test_a_stopped_question_keeps_what_was_said_and_that_it_was_stopped(engine, conversations):
    agent = ScriptedAgent("24 ", "hours", hold_before=1)
    id_ = conversations.create()
    handle, events = ask(engine, conversations, agent, id_)
    assert agent.holding.wait(30)
    handle.cancel()
    assert handle.wait(30)
    assert events[-1].outcome == "cancelled"
    conversations.begin_turn(id_, "flush").wait()
    turn = conversations.turns(id_)[0]
    assert (turn.answer, turn.outcome) == ("24 ", "cancelled")


def test_stopping_before_the_history_is_read_still_ends_the_question(engine, conversations):
    id_ = conversations.create()
    blocked = threading.Event()
    conversations._database.submit(lambda _: blocked.wait(60))
    handle, events = ask(engine, conversations, ScriptedAgent("never"), id_)
    handle.cancel()
    assert handle.wait(30)
    blocked.set()
    assert [event.outcome for event in events] == ["cancelled"]
    conversations.begin_turn(id_, "flush").wait()
    assert conversations.turns(id_)[0].outcome == "cancelled"


def test_what_was_said_is_on_the_disk_while_the_answer_waits(engine, conversations):
    agent = ScriptedAgent("24 ", "hours", "!", hold_before=2)
    id_ = conversations.create()
    handle, _ = ask(engine, conversations, agent, id_)
    assert agent.holding.wait(30)
    kept = threading.Event()
    while not kept.wait(BATCH_SECONDS / 5):
        turns = conversations.turns(id_)
        if turns and turns[0].answer == "24 hours":
            kept.set()
    assert turns[0].outcome == ""
    handle.cancel()
    assert handle.wait(30)


def test_a_question_that_cannot_be_stored_is_answered_and_says_so(engine, database):
    conversations = Conversations(database)
    id_ = conversations.create()
    conversations.begin_turn(id_, "first").close()

    def full(_: object) -> None:
        raise DiskFull("no space left")

    submit = database.submit
    database.submit = lambda fn: submit(full)
    handle, events = ask(engine, conversations, make_agent(), id_)
    assert handle.wait(30)
    database.submit = submit
    assert events[-1].outcome == "answered"
    warning = events[-2]
    assert isinstance(warning, ErrorEvent)
    assert warning.recoverable
    assert warning.message == "This question was not stored: The disk is full."


def test_a_library_that_is_only_read_answers_with_history_and_keeps_nothing(engine, tmp_path):
    agent = ScriptedAgent("24 hours")
    with Database.open(tmp_path) as database:
        writing = Conversations(database)
        id_ = writing.create()
        writing.add_turn(id_, "First?", [TokenEvent("One."), CompleteEvent("answered", 1.0, 1)])
        with Database.open(tmp_path, read_only=True) as reading:
            handle, events = ask(engine, Conversations(reading), agent, id_, "And then?")
            assert handle.wait(30)
        assert events[-1].outcome == "answered"
        assert [message["content"] for message in agent.histories[0]] == ["First?", "One."]
        assert len(writing.turns(id_)) == 1


ASK_FOR_EVER = """
import asyncio, sys
from pathlib import Path
from desktop.core.conversations.asking import ask_within
from desktop.core.conversations.store import Conversations
from desktop.core.events import CitationEvent, PageRegion, StatusEvent, TokenEvent
from desktop.core.geometry import Box
from desktop.core.jobs import CancelToken
from desktop.core.store.database import Database

class Endless:
    async def run(self, prompt, **_):
        yield StatusEvent("Reading")
        yield CitationEvent(1, PageRegion(1, "m.pdf", 2, "3", (Box(1, 2, 3, 4),)), "quote")
        number = 0
        while True:
            yield TokenEvent(f"{number} ")
            number += 1
            await asyncio.sleep(0.001)

async def main(conversations):
    id_ = conversations.create()
    conversations.add_turn(id_, "finished", [])
    stream = ask_within(conversations, id_, Endless(), "running", frozenset(), CancelToken())
    async for _ in stream:
        turns = conversations.turns(id_)
        print(turns[-1].answer.split()[-1:], flush=True)

asyncio.run(main(Conversations(Database.open(Path(sys.argv[1])))))
"""


def test_kill_9_in_the_middle_of_an_answer_leaves_a_turn_that_can_be_read(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", ASK_FOR_EVER, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        reported = -1
        for line in process.stdout:
            numbers = line.strip("[]'\n")
            reported = int(numbers) if numbers else reported
            if reported > 20:
                process.send_signal(signal.SIGKILL)
                break
    with Database.open(tmp_path) as database:
        assert database.check() == []
        conversations = Conversations(database)
        assert conversations.mark_interrupted() == 1
        (record,) = conversations.list("running")
        finished, turn = conversations.turns(record.id)
        assert (finished.prompt, turn.prompt, turn.outcome) == (
            "finished",
            "running",
            "interrupted",
        )
        pieces = turn.answer.split()
        assert len(pieces) > reported
        assert pieces == [str(number) for number in range(len(pieces))]
        assert turn.events[0] == StatusEvent("Reading")
        assert [each.quote for each in turn.citations] == ["quote"]
