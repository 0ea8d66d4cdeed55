"""The train of thought and the errors that a decision reads."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from desktop.core.agent.decision import Decision
from desktop.core.agent.tree_data import TreeData


def test_the_train_of_thought_is_nested_under_its_prompt():
    tree_data = TreeData("How do I wire the battery?")
    tree_data.update_tasks_completed("search", "look", {"query": "battery"}, "Found 3.")
    tree_data.update_tasks_completed("answer", "enough", {}, "It failed.", successful=False)
    assert tree_data.tasks_completed_string() == (
        "<prompt_1>\n"
        "Prompt: How do I wire the battery?\n"
        "<task_1>\n"
        "Chosen action: search (SUCCESSFUL)\n"
        "Reasoning: look\n"
        "Inputs: {'query': 'battery'}\n"
        "Parsed_info: Found 3.\n"
        "</task_1>\n"
        "<task_2>\n"
        "Chosen action: answer (UNSUCCESSFUL)\n"
        "Reasoning: enough\n"
        "Parsed_info: It failed.\n"
        "</task_2>\n"
        "</prompt_1>\n"
    )


def test_a_second_prompt_opens_a_second_entry():
    tree_data = TreeData("One?", tasks_completed=[{"prompt": "Zero?", "task": []}])
    tree_data.update_tasks_completed("search", "", {})
    assert [entry["prompt"] for entry in tree_data.tasks_completed] == ["Zero?", "One?"]


def test_errors_are_kept_per_tool_and_forgotten_after_a_success():
    tree_data = TreeData("x")
    tree_data.add_error("search", "nothing")
    tree_data.add_error("look", "dark")
    assert tree_data.get_errors("search") == [{"tool": "search", "message": "nothing"}]
    assert len(tree_data.get_errors()) == 2
    tree_data.clear_errors("search")
    assert tree_data.get_errors() == [{"tool": "look", "message": "dark"}]


def test_a_decision_with_a_key_nobody_knows_is_refused():
    with pytest.raises(ValidationError, match="confidence"):
        Decision.model_validate({"tool": "search", "confidence": 1})
