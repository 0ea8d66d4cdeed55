"""How answers were reached, on the command line."""

from __future__ import annotations

import json

import pytest

from desktop.cli import main
from desktop.core.conversations.store import Conversations
from desktop.core.events import CompleteEvent
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.store.database import Database
from desktop.core.trace.session_memory import Sessions


@pytest.fixture
def run(tmp_path, capsys):
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        store = Conversations(database)
        traced, _untraced = store.create(), store.create("without")
        recording = store.begin_turn(traced, "Where is the valve?")
        memory = Sessions(ReasoningTraceSettings(), database).memory(traced)
        memory.start_reasoning_trace(memory.add_interaction("Where is the valve?"))
        memory.add_reasoning_entry(
            "planning",
            "Look for it.",
            action="search",
            parameters={"query": "valve"},
            commitments=["draft_email"],
            outcome="success",
            metrics={"milliseconds": 12},
        )
        memory.finish_reasoning_trace("success", 0.9)
        recording.take(CompleteEvent("answered", 1.0, 1))
        recording.wait()

    def call(*arguments: str):
        code = main(["--library", str(folder), "conversations", "trace", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_the_steps_of_a_conversation_are_shown_with_what_was_not_delivered(run):
    code, out, _ = run("1")
    assert code == 0
    assert "Where is the valve?" in out
    assert "search: Look for it." in out
    assert "12 ms" in out
    assert "not done: draft email" in out


def test_a_trace_is_written_in_all_three_forms(run, tmp_path):
    files = [tmp_path / name for name in ("trace.json", "spans.jsonl", "examples.json")]
    options = zip(("--json", "--spans", "--examples"), map(str, files), strict=True)
    code, out, _ = run("1", *(part for option in options for part in option))
    assert code == 0
    assert all(str(file) in out for file in files)
    assert json.loads(files[0].read_text())[0]["user_request"] == "Where is the valve?"
    assert "resourceSpans" in json.loads(files[1].read_text())
    assert [each["tool_name"] for each in json.loads(files[2].read_text())] == ["search"]


def test_a_conversation_without_a_trace_says_so(run):
    code, _, err = run("2")
    assert code != 0
    assert "no trace" in err
