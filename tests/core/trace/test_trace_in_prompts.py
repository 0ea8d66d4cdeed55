from __future__ import annotations

import pytest

from desktop.core.agent.question_trace import QuestionTrace
from desktop.core.agent.signatures import DecisionSignature, VSMChainOfThought
from desktop.core.agent.tree_data import TreeData
from desktop.core.trace.session_memory import SessionMemory


def told(in_prompts: str) -> str:
    """Return what the second question of a session tells a decision; the first was corrected."""
    memory = SessionMemory(enable_reasoning_trace=True)
    first = QuestionTrace(memory, "Where is F-12?")
    first.corrected("Nothing was found.", ["Search for F12."])
    second = QuestionTrace(memory, "And F-13?", in_prompts)  # type: ignore[arg-type]
    second.decided("search", "Look for it.", {}, 1.0)
    tree_data = TreeData("And F-13?", trace=second)
    module = VSMChainOfThought(DecisionSignature, tree_data, tasks_completed=True)
    return str(module._context()["tasks_completed"])


@pytest.mark.parametrize(
    ("in_prompts", "correction", "step"),
    [("off", False, False), ("corrections", True, False), ("all", True, True)],
)
def test_a_decision_is_told_what_was_corrected_before_and_what_was_done(
    in_prompts, correction, step
):
    text = told(in_prompts)
    assert ("Search for F12." in text) is correction
    assert ("Look for it." in text) is step


def test_the_fields_of_a_prompt_are_the_same_with_and_without_a_trace():
    plain = VSMChainOfThought(DecisionSignature, TreeData("x"), tasks_completed=True)
    memory = SessionMemory(enable_reasoning_trace=True)
    traced = TreeData("x", trace=QuestionTrace(memory, "x", "all"))
    with_trace = VSMChainOfThought(DecisionSignature, traced, tasks_completed=True)
    assert plain.predict.signature.fields.keys() == with_trace.predict.signature.fields.keys()
