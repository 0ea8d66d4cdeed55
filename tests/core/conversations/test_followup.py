"""What is searched with a question that was asked after another one."""

from __future__ import annotations

import pytest

from desktop.core.conversations.values import question_before, resolved

BATTERY = "How long does the internal battery test last after a power failure?"


def asked(*questions: str) -> list[dict[str, str]]:
    said = []
    for question in questions:
        said.append({"role": "user", "content": question})
        said.append({"role": "assistant", "content": "It lasts 2 minutes and repeats hourly."})
    return said


def test_the_question_asked_last_is_the_one_before():
    assert question_before(asked("Where is the type plate of the station mounted?", BATTERY)) == (
        BATTERY
    )
    assert question_before([]) == question_before(asked()[:0]) == ""
    assert question_before([{"role": "assistant", "content": "Hello"}]) == ""


def test_a_chain_of_follow_ups_goes_back_to_the_question_with_the_subject():
    chain = asked("Where is the type plate?", BATTERY, "and for the external one?")
    assert question_before(chain) == f"{BATTERY} and for the external one?"


def test_terse_questions_one_after_the_other_are_not_all_put_together():
    chain = asked(BATTERY, "altitude?", "carbon brushes?", "what does it weigh?")
    assert question_before(chain) == "carbon brushes? what does it weigh?"


@pytest.mark.parametrize("prompt", ["and for the external one?", "Und bei der externen?", "¿Y 42?"])
def test_a_question_that_says_little_stands_after_the_one_before(prompt):
    assert resolved(prompt, asked(BATTERY)) == f"{BATTERY} {prompt}"


@pytest.mark.parametrize(
    "question",
    [
        "Which backup fuse does the site have to provide for the station?",
        "The display shows E07, which menu clears the fault on pump P1?",
    ],
)
def test_a_question_that_says_enough_is_not_changed(question):
    assert resolved(question, asked(BATTERY)) == question


@pytest.mark.parametrize("prompt", ["and for the external one?", "why?", "", "??", "and"])
def test_without_a_question_before_nothing_is_added(prompt):
    assert resolved(prompt, []) == prompt
    assert resolved(prompt, [{"role": "assistant", "content": "Hello"}]) == prompt
