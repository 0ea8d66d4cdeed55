"""Where the question of a text begins."""

import pytest

from desktop.core.question.parts import from_question_word


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the site manager explaining how to vent the pumps", "how to vent the pumps"),
        ("dem Kunden erklären, wie die Pumpe entlüftet wird", "wie die Pumpe entlüftet wird"),
        ("how the battery is connected", "how the battery is connected"),
        ("the pump P1 and how it is vented", "the pump P1 and how it is vented"),
        ("the torque of all of the terminals of X2 and what", ""),
        ("the weight of the station", ""),
    ],
)
def test_whom_a_request_is_for_is_no_part_of_its_question(text, asked):
    assert from_question_word(text) == (asked or text)
