"""What becomes an example of a prompt, and what a question's outcome is worth."""

import pytest

from desktop.core.evaluation.examples import decision_examples, shortened
from desktop.core.evaluation.gold import GoldQuestion
from desktop.core.evaluation.measures import QuestionOutcome, conduct_of
from desktop.core.evaluation.optimise import mean_score, score
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    PageRegion,
    ResultEvent,
    TokenEvent,
)

REGION = PageRegion(1, "pump.pdf", 4, "5", ())
FUSE = {"id": "q", "kind": "spec", "question": "Which fuse?", "document": "pump.pdf", "pages": [4]}


def outcome(text, ended="answered", *, errors=(), judged=None, cited=("pump.pdf", 4), **gold):
    question = GoldQuestion.model_validate(FUSE | {"answer": "5 A"} | gold)
    events = [
        *errors,
        CitationEvent(1, REGION, "Fuse F2 5 A"),
        TokenEvent(text),
        CompleteEvent(ended, 1.0, 2),
    ]
    conduct = conduct_of(events, lambda region: "Fuse F2 5 A")
    answered = ended == "answered"
    return QuestionOutcome(question, (), cited, answered, 1.0, conduct, judged)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (outcome("It is 5 A. [1]"), 100),
        (outcome("It is 5 A."), 0),  # nothing stands behind it
        (outcome("It is 5 A. [1]\nIt is 5 A."), 50),
        (outcome("It is 10 A. [1]"), 0),
        (outcome("Not in your manuals.", "not_found"), 0),
        (outcome("It is 5 A. [1]", judged=50), 75),
        (outcome("It is 5 A. [1]", errors=[ErrorEvent("no", tool="decision")]), 80),
        (outcome("It is F2. [1]", answer=""), 100),
        (outcome("It is F2. [1]", answer="", cited=("pump.pdf", 7)), 0),
        (outcome("Not in your manuals.", "not_found", document=None, pages=[]), 100),
        (outcome("It is 5 A. [1]", document=None, pages=[]), 0),
        (outcome("", "failed", document=None, pages=[]), 0),
    ],
)
def test_an_outcome_is_worth_what_is_right_and_stands_on_its_page(found, expected):
    assert score(found) == expected


def test_the_mean_of_nothing_is_zero():
    assert mean_score([]) == 0
    assert mean_score([outcome("It is 5 A. [1]"), outcome("It is 10 A. [1]")]) == 50


def test_an_example_leaves_out_what_every_prompt_has_and_keeps_objects_whole():
    environment = "\n".join(["<search.pages> {}", *("x" * 500 for _ in range(4))])
    inputs = {
        "atlas": "who I am",
        "available_tools": [{"name": "search"}],
        "config": {},
        "user_prompt": "Which fuse?",
        "conversation_history": [],
        "environment": environment,
    }
    example = shortened(inputs, {"tool_name": "search"})
    assert set(example) == {"user_prompt", "environment", "tool_name"}
    lines = example["environment"].splitlines()
    assert [len(line) for line in lines[1:3]] == [500, 500]
    assert lines[-1] == "(2 more objects are not shown)"


def test_an_example_of_an_answer_keeps_the_passages_it_cites():
    passages = "\n\n".join(f"<passage {n}: Pump>\ntext {n}\n</passage {n}>" for n in (1, 2, 3))
    example = shortened({"passages": passages}, {"answer": "It is so. [2]"})
    assert example["passages"] == "<passage 2: Pump>\ntext 2\n</passage 2>"


def test_decisions_become_examples_with_what_was_done_before_them():
    events: list[Event] = [
        DecisionEvent("search", "look", {"query": "fuse"}, step=1),
        ResultEvent("search", "pages", "pages", (), {}, "Found 1 page."),
        DecisionEvent("text_response", "enough", {}, step=2),
        CompleteEvent("answered", 1.0, 2),
    ]
    first, second = decision_examples("Which fuse?", events)
    assert first["tool_inputs"] == {"query": "fuse"}
    assert "tasks_completed" not in first
    assert not first["should_end"]
    assert "Chosen action: search (SUCCESSFUL)" in second["tasks_completed"]
    assert "Found 1 page." in second["tasks_completed"]
    assert second["should_end"]
