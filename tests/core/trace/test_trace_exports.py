from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.agent.question_trace import QuestionTrace
from desktop.core.agent.steps import as_it_succeeded
from desktop.core.evaluation.examples import (
    ExampleFileError,
    demos_of,
    read_examples,
    write_examples,
)
from desktop.core.trace.export import write_json, write_spans
from desktop.core.trace.reasoning_trace import confidence_of
from desktop.core.trace.session_memory import SessionMemory

if TYPE_CHECKING:
    from desktop.core.trace.reasoning_trace import ReasoningTrace


def asked(memory: SessionMemory, question: str, *, fails_first: bool = False) -> QuestionTrace:
    """Write the trace of a question that was searched for and answered."""
    trace = QuestionTrace(memory, question)
    trace.planned("Planned: an answer.", ["answer"], [])
    if fails_first:
        tool = trace.began("search", {"query": question}, "first")
        tool.error = "Nothing was found."
        trace.ended(tool, 3.0)
    for name, inputs in (("search", {"query": "F12"}), ("text_response", {})):
        trace.decided(name, f"Now {name}.", inputs, 2.0)
        tool = trace.began(name, inputs, f"Now {name}.")
        tool.evidence.append("Found 10 pages.")
        trace.ended(tool, 12.5)
    trace.finished("answered", ["answer"], [], 0.9)
    return trace


@pytest.fixture
def memory() -> SessionMemory:
    return SessionMemory(enable_reasoning_trace=True)


def only(memory: SessionMemory) -> ReasoningTrace:
    (trace,) = memory.traces()
    return trace


def test_the_json_export_has_every_entry_and_what_is_left_to_deliver(memory, tmp_path):
    asked(memory, "Where is F12?")
    write_json(memory.traces(), tmp_path / "trace.json")
    (exported,) = json.loads((tmp_path / "trace.json").read_text())
    assert exported["user_request"] == "Where is F12?"
    assert exported["outcome"] == "success"
    assert exported["pending_commitments"] == []
    assert [each["stage"] for each in exported["entries"]] == [
        "planning",
        "planning",
        "execution",
        "planning",
        "execution",
        "finalization",
    ]


def test_spans_are_a_tree_with_hex_ids_and_times_in_nanoseconds(memory, tmp_path):
    asked(memory, "Where is F12?")
    write_spans(memory.traces(), tmp_path / "spans.jsonl", "1.2")
    (line,) = (tmp_path / "spans.jsonl").read_text().splitlines()
    (resource,) = json.loads(line)["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    root, *steps = scope["spans"]
    assert len(steps) == 6
    assert {step["parentSpanId"] for step in steps} == {root["spanId"]}
    assert {step["traceId"] for step in steps} == {root["traceId"]}
    assert len(bytes.fromhex(root["traceId"])) == 16
    assert len({bytes.fromhex(span["spanId"]) for span in scope["spans"]}) == 7
    search = next(step for step in steps if step["name"] == "search" and "12" in str(step))
    assert int(search["endTimeUnixNano"]) >= int(search["startTimeUnixNano"])
    assert int(root["endTimeUnixNano"]) >= max(int(step["endTimeUnixNano"]) for step in steps)
    values = {each["key"]: each["value"] for each in root["attributes"]}
    assert values["groundwork.user_request"] == {"stringValue": "Where is F12?"}


def test_successful_traces_become_examples_that_dspy_can_learn_from(memory, tmp_path):
    asked(memory, "Where is F12?")
    unsure = asked(memory, "Where is F13?")
    assert unsure.trace is not None
    memory.finish_reasoning_trace("success", 0.3, unsure.trace.interaction_id)
    asked(memory, "Where is F14?").finished("partial", [], ["No report."], 0.9)

    assert write_examples(memory.traces(), tmp_path / "examples.json") == 2
    first, second = read_examples(tmp_path / "examples.json")

    assert (first.tool_name, first.tool_inputs, first.should_end) == (
        "search",
        {"query": "F12"},
        False,
    )
    assert (second.tool_name, second.should_end) == ("text_response", True)
    assert "Chosen action: search (SUCCESSFUL)" in second.tasks_completed
    demos = demos_of([first, second])
    assert demos[1].inputs().toDict().keys() == {"user_prompt", "tasks_completed"}
    assert demos[0].tool_name == "search"


def test_a_file_that_is_no_examples_is_refused(tmp_path):
    (tmp_path / "x.json").write_text('[{"user_prompt": "x", "do": "harm"}]')
    with pytest.raises(ExampleFileError):
        read_examples(tmp_path / "x.json")


def test_a_call_that_failed_earlier_in_the_session_is_made_as_it_succeeded_then(memory):
    asked(memory, "Where is F-12?", fails_first=True)
    again = QuestionTrace(memory, "Where is F-12?")
    decision = Decision(tool="search", inputs={"query": "Where is F-12?"}, reasoning="Look.")
    learned = as_it_succeeded(decision, again)
    assert learned.inputs == {"query": "F12"}
    assert "earlier" in learned.reasoning
    other = decision.model_copy(update={"inputs": {"query": "Where is F-13?"}})
    assert as_it_succeeded(other, again) is other


def test_a_call_that_succeeds_after_it_failed_is_kept_as_a_correction(memory):
    trace = asked(memory, "Where is F-12?", fails_first=True).trace
    assert trace is not None
    assert trace.corrections == [
        'Call search with {"query": "F12"} instead of {"query": "Where is F-12?"}.'
    ]


def test_a_language_model_is_told_as_much_as_the_settings_say(memory):
    asked(memory, "Where is F-12?", fails_first=True)
    told = {
        much: QuestionTrace(memory, "And F-13?", much) for much in ("off", "corrections", "all")
    }
    for trace in told.values():
        trace.decided("search", "Now search.", {}, 1.0)
    assert told["off"].for_prompt() == ""
    assert "instead of" in told["corrections"].for_prompt()
    assert "Now search." not in told["corrections"].for_prompt()
    assert "Now search." in told["all"].for_prompt()


def test_confidence_falls_with_failed_steps_and_doubts_and_stays_without_them(memory):
    asked(memory, "Where is F12?")
    assert confidence_of(only(memory), 0.8) == (0.8, "")
    assert confidence_of(None, 0.8) == (0.8, "")
    other = SessionMemory(enable_reasoning_trace=True)
    asked(other, "Where is F12?", fails_first=True)
    other.add_reasoning_entry("verification", "x", metrics={"findings": 2, "left": 1})
    value, why = confidence_of(only(other), 0.8)
    assert value < 0.5
    assert why == "1 failed step, 1 correction, 1 doubt left"
