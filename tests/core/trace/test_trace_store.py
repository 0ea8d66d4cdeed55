from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest

from desktop.core.conversations.store import Conversations
from desktop.core.events import CompleteEvent
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.store.database import Database
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningEntry, ReasoningStage
from desktop.core.trace.session_memory import Sessions
from desktop.core.trace.store import TraceStore, UnreadableEntry, from_stored, to_stored


def sessions(database: Database) -> Sessions:
    return Sessions(ReasoningTraceSettings(), database)


def asked(database: Database, conversation: int, question: str = "What is the fuse?"):
    """Begin a question of a conversation; returns its memory and its recording."""
    recording = Conversations(database).begin_turn(conversation, question)
    memory = sessions(database).memory(conversation)
    memory.start_reasoning_trace(memory.add_interaction(question))
    return memory, recording


def test_a_trace_is_read_back_as_it_was_written(database):
    conversation = Conversations(database).create()
    memory, recording = asked(database, conversation)
    entry = memory.add_reasoning_entry(
        "execution", "Searching", action="search", parameters={"query": "Sicherung °C"}
    )
    memory.update_reasoning_entry(
        entry,
        outcome="success",
        evidence=["10 pages"],
        attachments=[{"type": "region", "document_id": 1, "page": 3, "regions": [[1, 2, 3.5, 4]]}],
        metrics={"milliseconds": 12.5},
    )
    memory.finish_reasoning_trace("success", 0.75)
    recording.take(CompleteEvent("answered", 1.0, 1))
    recording.wait()

    (stored,) = TraceStore(database).of_conversation(conversation)
    assert stored.entries == memory.get_trace().entries
    assert (stored.outcome, stored.confidence) == ("success", 0.75)
    (turn,) = Conversations(database).turns(conversation)
    assert TraceStore(database).of_turn(turn.id) == stored


def test_each_turn_has_its_own_trace(database):
    conversation = Conversations(database).create()
    for question in ("first", "second"):
        memory, recording = asked(database, conversation, question)
        memory.add_reasoning_entry("planning", question)
        memory.finish_reasoning_trace("success")
        recording.take(CompleteEvent("answered", 1.0, 1))
        recording.wait()
    store = TraceStore(database)
    turns = Conversations(database).turns(conversation)
    kept = [store.of_turn(turn.id) for turn in turns]
    assert [trace and trace.user_request for trace in kept] == ["first", "second"]


def test_entries_that_come_close_together_while_a_question_runs_are_one_write(database):
    conversation = Conversations(database).create()
    memory, _recording = asked(database, conversation)
    writes = []
    submit = database.submit

    def counted(work):
        writes.append(work)
        return submit(work)

    database.submit = counted

    async def question() -> None:
        for number in range(20):
            memory.add_reasoning_entry("execution", f"step {number}")
        await asyncio.sleep(0.4)

    asyncio.run(question())
    assert len(writes) == 1
    (stored,) = TraceStore(database).of_conversation(conversation)
    assert len(stored.entries) == 20


def test_a_reopened_conversation_remembers_what_was_corrected_in_it(database):
    conversation = Conversations(database).create()
    memory, recording = asked(database, conversation)
    memory.add_reasoning_entry("correction", "Wrong wording", corrections=["Search for F12"])
    memory.finish_reasoning_trace("success")
    recording.close()
    recording.wait()

    again = sessions(database).memory(conversation)
    again.start_reasoning_trace(again.add_interaction("And the next one?"))
    assert "Search for F12" in again.get_reasoning_summary()


def test_deleting_a_conversation_deletes_its_traces(database):
    conversation = Conversations(database).create()
    memory, recording = asked(database, conversation)
    memory.add_reasoning_entry("planning", "x")
    recording.close()
    recording.wait()
    Conversations(database).delete(conversation)
    memory.add_reasoning_entry("execution", "too late")
    memory.finish_reasoning_trace("failed")
    assert TraceStore(database).of_conversation(conversation) == []
    assert database.check() == []


def test_an_entry_of_another_version_is_left_out_and_the_rest_is_shown(database):
    conversation = Conversations(database).create()
    memory, recording = asked(database, conversation)
    memory.add_reasoning_entry("planning", "readable")
    recording.close()
    recording.wait()
    database.write(
        lambda c: c.execute(
            'INSERT INTO trace_entries SELECT id, 7, \'{"stage": "dreaming"}\' FROM traces'
        ).fetchall()
    )
    (stored,) = TraceStore(database).of_conversation(conversation)
    assert [entry.thought for entry in stored.entries] == ["readable"]


def test_a_library_that_is_only_read_keeps_no_trace_and_shows_the_old_ones(tmp_path):
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        conversation = Conversations(database).create()
        memory, recording = asked(database, conversation)
        memory.add_reasoning_entry("planning", "kept")
        recording.close()
        recording.wait()
    with Database.open(folder, read_only=True) as database:
        memory = sessions(database).memory(conversation)
        memory.start_reasoning_trace(memory.add_interaction("only read"))
        assert memory.add_reasoning_entry("planning", "not kept")
        (stored,) = TraceStore(database).of_conversation(conversation)
        assert [entry.thought for entry in stored.entries] == ["kept"]


_WRITES_FOR_EVER = """
import sys, time
from pathlib import Path
from desktop.core.conversations.store import Conversations
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.store.database import Database
from desktop.core.trace.session_memory import Sessions

import asyncio

database = Database.open(Path(sys.argv[1]))
conversation = Conversations(database).create()
Conversations(database).begin_turn(conversation, "asked").flush()
memory = Sessions(ReasoningTraceSettings(), database).memory(conversation)
memory.start_reasoning_trace(memory.add_interaction("asked"))

async def question():
    for number in range(100_000):
        memory.add_reasoning_entry("execution", f"step {number}", outcome="success")
        print(number, time.monotonic(), flush=True)
        await asyncio.sleep(0.005)

asyncio.run(question())
"""


def test_a_killed_program_loses_only_the_last_moment_of_a_trace(tmp_path):
    folder = tmp_path / "library"
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITES_FOR_EVER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    written: list[tuple[int, float]] = []
    for line in child.stdout:
        number, at = line.split()
        written.append((int(number), float(at)))
        if len(written) == 400:
            break
    os.kill(child.pid, signal.SIGKILL)
    rest = child.stdout.read()
    child.wait()
    written += [(int(n), float(at)) for n, at in (line.split() for line in rest.splitlines())]

    with Database.open(folder) as database:
        (stored,) = TraceStore(database).of_conversation(1)
        assert TraceStore(database).mark_interrupted() == 1
        (after,) = TraceStore(database).of_conversation(1)

    kept = [entry.thought for entry in stored.entries]
    assert kept == [f"step {number}" for number in range(len(kept))]
    killed = written[-1][1]
    # 250 ms by design; a second here, because the machine that tests may be busy
    older = [number for number, at in written if at < killed - 1.0]
    assert older
    assert len(kept) > older[-1]
    assert after.outcome == "failed"


ENTRY = ReasoningEntry(
    "ca71c247aadc4b77",
    "question",
    "2026-11-22T09:19:43.767+00:00",
    ReasoningStage.EXECUTION,
    "Look for the words and the meaning of the question.",
    "fast_vector_search",
    {"query": "How long does the RS-485 battery test last?", "i": 1, "~": 2},
    ("Found 10 pages.",),
    OutcomeStatus.PARTIAL,
    "one page could not be read",
    ("cite_page",),
    (
        {"type": "region", "document_id": 1, "page": 4, "label": "4-11", "regions": [[1.5, 2]]},
        {"type": "file", "path": "answer.pdf", "t": "of ours?", "~p": "marked"},
    ),
    ("Say the unit.",),
    {"milliseconds": 12.0, "tokens_in": 310, "score": 1.42, "m": 7.5, "cells": 3},
)


def test_an_entry_with_every_field_comes_back_as_it_was():
    assert from_stored(to_stored(ENTRY), "question") == ENTRY


def test_an_entry_with_nothing_but_a_thought_comes_back_as_it_was():
    bare = ReasoningEntry("1", "question", "2026-11-22", ReasoningStage.PLANNING, "Think.")
    assert from_stored(to_stored(bare), "question") == bare


def test_entries_stored_with_whole_names_are_still_read():
    before = {name: value for name, value in ENTRY.to_dict().items() if name != "interaction_id"}
    assert from_stored(json.dumps(before), "question") == ENTRY


def test_nothing_that_is_empty_and_no_long_name_is_stored():
    stored = json.loads(to_stored(ENTRY))
    assert max(len(name) for name in stored) == 1
    bare = ReasoningEntry("1", "question", "2026-11-22", ReasoningStage.PLANNING, "Think.")
    assert set(json.loads(to_stored(bare)).values()) == {
        *("1", "2026-11-22", "planning", "Think.", "pending")
    }


@pytest.mark.parametrize("text", ["", "[]", "3", '{"i":"1"}', '{"zz":1}', '{"f":[3]}', '{"m":1}'])
def test_what_is_not_an_entry_is_refused(text):
    with pytest.raises(UnreadableEntry):
        from_stored(text, "question")
