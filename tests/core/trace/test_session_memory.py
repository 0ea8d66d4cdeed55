"""The seed's usage patterns, best practices and troubleshooting cases."""

from __future__ import annotations

import pytest

from desktop.core.settings.sections import ReasoningTraceSettings, Settings
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from desktop.core.trace.session_memory import REASONING_TRACE_AVAILABLE, SessionMemory, Sessions


@pytest.fixture
def memory() -> SessionMemory:
    memory = SessionMemory(enable_reasoning_trace=True)
    memory.start_reasoning_trace(memory.add_interaction(user_request="Search and email docs"))
    return memory


# Usage patterns


def test_pattern_1_a_session_without_trace_is_the_default_and_one_with_it_is_asked_for():
    assert not SessionMemory().is_reasoning_trace_enabled()
    assert SessionMemory(enable_reasoning_trace=True).is_reasoning_trace_enabled()


def test_pattern_2_reasoning_is_recorded_while_it_happens_and_updated_after_the_call(memory):
    interaction = memory.interactions[0].interaction_id
    planning = memory.add_reasoning_entry(
        stage="planning",
        thought="User wants documents searched and emailed",
        evidence=["Detected delivery intent: email, attach"],
        commitments=["send_email", "attach_documents"],
        outcome="success",
    )
    search = memory.add_reasoning_entry(
        stage="execution",
        thought="Executing document search",
        action="search_documents",
        parameters={"query": "Tesla"},
        outcome="pending",
    )
    pending = memory.get_trace(interaction).entries[1]
    assert pending.outcome is OutcomeStatus.PENDING

    assert memory.update_reasoning_entry(
        search,
        outcome="success",
        evidence=["Found 3 PDFs"],
        attachments=[{"type": "file", "path": "/docs/tesla.pdf", "status": "found"}],
    )

    first, second = memory.get_trace(interaction).entries
    assert (first.entry_id, first.stage) == (planning, ReasoningStage.PLANNING)
    assert first.commitments == ("send_email", "attach_documents")
    assert second.outcome == "success"
    assert second.action == "search_documents"
    assert second.parameters == {"query": "Tesla"}
    assert second.evidence == ("Found 3 PDFs",)
    assert second.timestamp == pending.timestamp


def test_pattern_3_the_summary_joins_the_examples_of_a_prompt_when_there_is_history(memory):
    examples = "Example: ..."
    memory.add_reasoning_entry(
        "execution", "Searching", action="search", parameters={"query": "fuse"}, outcome="success"
    )

    summary = memory.get_reasoning_summary(max_entries=10)

    prompt = f"{examples}\n\n{summary}\n\nWhat is the fuse?" if summary else examples
    assert "search" in prompt
    assert '"query": "fuse"' in prompt


def test_pattern_4_commitments_are_checked_against_what_was_delivered(memory):
    memory.add_reasoning_entry(
        "planning", "Two things to deliver", commitments=["send_email", "attach_documents"]
    )
    assert memory.get_pending_commitments() == ["send_email", "attach_documents"]
    assert memory.get_trace_attachments() == []

    entry = memory.add_reasoning_entry("execution", "Searching", action="search")
    files = [{"type": "file", "path": f"/docs/{name}.pdf"} for name in ("a", "b", "c")]
    memory.update_reasoning_entry(entry, attachments=files)
    assert memory.fulfil_commitment("attach_documents")

    assert memory.get_pending_commitments() == ["send_email"]
    assert memory.get_trace_attachments() == files
    assert not memory.fulfil_commitment("attach_documents")


def test_pattern_5_what_the_critic_says_after_a_failure_can_guide_the_next_attempt(memory):
    step = memory.add_reasoning_entry("execution", "Searching", action="search")
    memory.update_reasoning_entry(
        step, outcome="failed", error="No documents found with query 'very_specific_term'"
    )
    memory.add_reasoning_entry(
        stage="correction",
        thought="Search query too specific",
        evidence=["0 results returned", "Query length: 3 words"],
        corrections=["Retry with broader query", "Consider stemming or fuzzy matching"],
        outcome="success",
    )

    assert memory.get_trace_corrections() == [
        "Retry with broader query",
        "Consider stemming or fuzzy matching",
    ]
    assert "Retry with broader query" in memory.get_reasoning_summary(include_corrections_only=True)
    assert "Searching" not in memory.get_reasoning_summary(include_corrections_only=True)


def test_configuration_the_section_of_the_settings_turns_the_trace_off_and_on():
    assert Settings().reasoning_trace.enabled
    off = Sessions(ReasoningTraceSettings(enabled=False))
    assert not off.memory(1).is_reasoning_trace_enabled()
    assert Sessions(ReasoningTraceSettings()).memory(1).is_reasoning_trace_enabled()


def test_example_2_the_next_question_of_the_session_sees_the_correction(memory):
    memory.add_reasoning_entry(
        "execution", "Too specific", outcome="failed", error="No documents found"
    )
    memory.add_reasoning_entry(
        "correction", "Too specific", corrections=["Remove version suffixes", "Try 'tesla' only"]
    )
    memory.add_reasoning_entry("execution", "Broader", outcome="success")

    memory.start_reasoning_trace(memory.add_interaction("And the manual of it?"))

    summary = memory.get_reasoning_summary()
    assert "Remove version suffixes" in summary
    assert "Search and email docs" in summary
    assert memory.get_trace_corrections() == []


# Best practices


def test_best_practice_a_step_goes_from_pending_to_success_or_failed(memory):
    entry = memory.add_reasoning_entry("execution", "Running")
    assert memory.get_trace().entries[0].outcome == "pending"
    memory.update_reasoning_entry(entry, outcome="failed", error="it broke")
    assert memory.get_trace().entries[0].outcome == "failed"
    assert memory.get_trace().entries[0].error == "it broke"


def test_best_practice_what_grows_is_added_and_what_changes_is_replaced(memory):
    entry = memory.add_reasoning_entry("execution", "Running", evidence=["one"])
    memory.update_reasoning_entry(entry, evidence=["one", "two"], metrics={"milliseconds": 4})
    memory.update_reasoning_entry(entry, thought="Ran", metrics={"hits": 2})
    found = memory.get_trace().entries[0]
    assert found.evidence == ("one", "two")
    assert found.metrics == {"milliseconds": 4.0, "hits": 2.0}
    assert found.thought == "Ran"


@pytest.mark.parametrize(
    ("written", "secret"),
    [
        ("Log in with password: hunter2!", "hunter2"),
        ("The API key is sk-abcdefghijklmnopqrstuvwx and it works", "abcdefghijkl"),
        ("Das Passwort lautet Geheim99", "Geheim99"),
        ("open https://admin:letmein99@pump.local/set", "letmein99"),
    ],
)
def test_best_practice_sensitive_data_stays_out_of_every_field(memory, written, secret):
    entry = memory.add_reasoning_entry(
        "execution",
        written,
        parameters={"query": written, "nested": [{"text": written}]},
        evidence=[written],
        error=written,
        corrections=[written],
        commitments=[written],
        attachments=[{"type": "file", "path": "/a", "note": written}],
    )
    memory.start_reasoning_trace(memory.add_interaction(written))
    assert entry
    stored = repr([(trace, memory.interactions) for trace in memory.traces()])
    assert secret not in stored
    assert "***" in stored


def test_best_practice_a_value_that_is_a_secret_by_its_name_alone_is_left_out(memory):
    memory.add_reasoning_entry("execution", "x", parameters={"password": "blue-horse"})
    assert memory.get_trace().entries[0].parameters == {"password": "***"}


def test_best_practice_ordinary_words_about_passwords_and_codes_stay(memory):
    asked = "Where do I change the password of the panel, and what is fuse F-12 on X1:3?"
    memory.add_reasoning_entry("planning", asked)
    assert memory.get_trace().entries[0].thought == asked


# Troubleshooting


def test_trouble_add_entry_returns_none_when_the_session_has_no_trace():
    memory = SessionMemory()
    interaction = memory.add_interaction("a question")
    assert memory.start_reasoning_trace(interaction) is False
    assert memory.add_reasoning_entry("planning", "x") is None


def test_trouble_add_entry_returns_none_before_a_trace_was_started():
    memory = SessionMemory(enable_reasoning_trace=True)
    memory.add_interaction("a question")
    assert memory.add_reasoning_entry("planning", "x") is None


def test_trouble_the_module_says_whether_it_is_available():
    assert REASONING_TRACE_AVAILABLE is True


def test_trouble_the_summary_is_empty_until_there_are_entries(memory):
    interaction = memory.interactions[0].interaction_id
    assert len(memory._reasoning_traces[interaction].entries) == 0
    assert memory.get_reasoning_summary() == ""
    memory.add_reasoning_entry("planning", "x")
    assert len(memory._reasoning_traces[interaction].entries) > 0
    assert memory.get_reasoning_summary() != ""


def test_trouble_the_summary_of_another_interaction_is_its_own(memory):
    first = memory.interactions[0].interaction_id
    memory.add_reasoning_entry("planning", "only in the first")
    memory.start_reasoning_trace(memory.add_interaction("second"))
    assert memory.get_reasoning_summary() == ""
    assert "only in the first" in memory.get_reasoning_summary(interaction_id=first)


def test_trouble_a_trace_of_an_unknown_interaction_does_not_start(memory):
    assert memory.start_reasoning_trace("nobody asked this") is False
    assert memory.get_reasoning_summary(interaction_id="nobody asked this") == ""


def test_trouble_every_method_is_safe_while_the_trace_is_disabled():
    memory = SessionMemory()
    interaction = memory.add_interaction("still remembered")
    assert memory.interactions[0].user_request == "still remembered"
    assert memory.update_reasoning_entry("x", outcome="success") is False
    assert memory.get_reasoning_summary() == ""
    assert memory.get_pending_commitments(interaction) == []
    assert memory.get_trace_attachments(interaction) == []
    assert memory.get_trace_corrections(interaction) == []
    assert memory.fulfil_commitment("answer") is False
    assert memory.finish_reasoning_trace("success") is False
    assert memory.get_trace() is None
    assert memory.traces() == []


# What is not in the seed


def test_a_stage_an_outcome_or_a_field_that_does_not_exist_is_refused(memory):
    with pytest.raises(ValueError, match="guessing"):
        memory.add_reasoning_entry("guessing", "x")
    with pytest.raises(ValueError, match="splendid"):
        memory.add_reasoning_entry("planning", "x", outcome="splendid")
    with pytest.raises(TypeError, match="mood"):
        memory.add_reasoning_entry("planning", "x", mood="good")


def test_an_update_of_an_entry_that_is_not_there_changes_nothing(memory):
    assert memory.update_reasoning_entry("nothing", outcome="success") is False


def test_a_finished_trace_leaves_no_step_pending(memory):
    memory.add_reasoning_entry("execution", "cut off")
    memory.add_reasoning_entry("finalization", "done", outcome="success")
    assert memory.finish_reasoning_trace("partial", 0.5)
    trace = memory.get_trace()
    assert [entry.outcome for entry in trace.entries] == ["skipped", "success"]
    assert (trace.outcome, trace.confidence) == ("partial", 0.5)


def test_the_summary_tells_the_last_entries_only(memory):
    for number in range(30):
        memory.add_reasoning_entry("execution", f"step number {number}", outcome="success")
    summary = memory.get_reasoning_summary(max_entries=5)
    assert "step number 29" in summary
    assert "step number 24" not in summary


def test_two_questions_at_once_write_into_their_own_traces(memory):
    one = memory.interactions[0].interaction_id
    other = memory.add_interaction("the other")
    memory.start_reasoning_trace(other)
    memory.add_reasoning_entry("planning", "for one", interaction_id=one)
    memory.add_reasoning_entry("planning", "for the other", interaction_id=other)
    assert [e.thought for e in memory.get_trace(one).entries] == ["for one"]
    assert [e.thought for e in memory.get_trace(other).entries] == ["for the other"]


def test_a_session_forgets_its_oldest_traces_and_goes_on(memory):
    for number in range(60):
        memory.start_reasoning_trace(memory.add_interaction(f"question {number}"))
        memory.add_reasoning_entry("planning", "x")
    assert len(memory.traces()) == 50
    assert memory.traces()[-1].user_request == "question 59"
