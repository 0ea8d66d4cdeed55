"""What the agent is told of earlier turns."""

from __future__ import annotations

from desktop.core.conversations.values import messages, without_marks


def test_questions_and_answers_alternate_and_citation_marks_are_left_out():
    said = [("How long?", "24 hours [1]. It repeats [2] [13]."), ("Where?", "J1C [1]\n- 24 V")]
    assert messages(said) == [
        {"role": "user", "content": "How long?"},
        {"role": "assistant", "content": "24 hours. It repeats."},
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": "J1C\n- 24 V"},
    ]


def test_codes_in_square_brackets_are_no_citation_marks():
    assert without_marks("Set [Menu 41] to [1042] [2]") == "Set [Menu 41] to [1042]"


def test_a_question_without_an_answer_is_remembered_as_a_question():
    assert messages([("How long?", "")]) == [{"role": "user", "content": "How long?"}]


def test_what_is_older_is_left_out_when_it_is_too_much_and_never_half_a_turn():
    said = [(f"question {number}", "a" * 80) for number in range(10)]
    kept = messages(said, most_characters=300)
    assert [message["content"] for message in kept if message["role"] == "user"] == [
        "question 7",
        "question 8",
        "question 9",
    ]
    assert sum(len(message["content"]) for message in kept) <= 300


def test_a_very_long_answer_is_cut_at_a_word():
    (_, answer) = messages([("Why?", "because " * 1000)])
    assert answer["content"].endswith("because …")
    assert len(answer["content"]) <= 1200
