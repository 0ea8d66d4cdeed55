"""Signs that a sentence answers the kind of question asked, and what it may lack."""

import pytest

from desktop.core.retrieval import answer_signs as signs
from desktop.core.retrieval.asked_values import asked_kinds, focus_groups, missing_share
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question


def row(text):
    return Quote(text, "row", "", (), ())


def test_a_neighbour_in_the_series_is_another_code():
    question = Question.parse("What does jumper J9 do?")
    assert signs.speaks_of_other_code(question, "J7: bus terminated")
    assert not signs.speaks_of_other_code(question, "J9: menus locked, see also J7")
    assert not signs.speaks_of_other_code(question, "X4 is the supply")


def test_a_row_is_found_by_the_number_that_opens_a_cell():
    question = Question.parse("What is on pin 14 of the connector?")
    assert signs.numbered_as_asked(question, row("13 PH10 | A3 | 14 PB8 | A11")) == 1.0
    assert signs.numbered_as_asked(question, row("1 GND | A14 | 140 PB9 | B2")) == 0.0
    assert signs.numbered_as_asked(question, row("14.2 Nm | PZ 2")) == 0.0
    terminal = Question.parse("Which torque has terminal X3:1?")
    assert signs.numbered_as_asked(terminal, row("1 | M4 | 3 Nm")) == 0.0


def test_a_number_below_the_heading_it_follows_in_the_question_is_all_that_is_asked_for():
    question = Question.parse("In menu 58, what does it mean if bit No. 9 is set to 1?")

    def below(text):
        return Quote(text, "row", "Loom › Status › Bit No. | Meaning", (), ())

    assert signs.numbered_as_asked(question, below("9 | The band slips")) == 1.0
    assert signs.numbered_as_asked(question, below("1 | The band is torn")) < 0.5
    assert signs.numbered_as_asked(question, row("9 | The band slips")) < 0.5


def test_the_number_of_a_connector_is_part_of_its_name():
    assert signs.asked_numbers("What is on pins 19-20 of the GPIO-1 connector?") == ["19", "20"]


def test_a_sentence_that_speaks_of_the_one_before_is_recognised():
    assert signs.refers_back("It uses the ThingSet protocol.")
    assert not signs.refers_back("Items are listed below.")


def test_number_words_are_numbers():
    assert signs.has_number("Two signals are provided.")
    assert not signs.has_number("Signals are provided.")


@pytest.mark.parametrize(
    ("question", "without", "with_value"),
    [
        ("How heavy is the battery?", "The battery lies under the flap.", "Battery, 2.4 kg"),
        ("Which torque do the screws need?", "Tighten the screws.", "Screws: 1.2 Nm"),
        ("Wie schwer ist die Pumpe?", "Die Pumpe steht vorn.", "Pumpe 38 kg"),
        ("What does the seal cost?", "Seal 72-1040, one a pump", "Seal: 18 EUR"),
    ],
)
def test_what_is_asked_for_is_missing_until_a_value_of_its_kind_stands_there(
    question, without, with_value
):
    kinds = asked_kinds(question)
    assert missing_share(kinds, without) > 0
    assert missing_share(kinds, with_value) == 0


def test_a_question_for_no_value_lacks_none():
    assert missing_share(asked_kinds("Why does the pump stop?"), "") == 0


def test_the_question_turns_on_the_word_after_which():
    assert any("torqu" in group for group in focus_groups("Which torque do the screws need?"))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("6.2.1 | Changing the date............................. 6-3", True),
        ("Alarms . . . . . . . . 14", True),
        ("Wait ... then press 3", False),
        ("The value is 6-3.", False),
    ],
)
def test_a_line_of_the_contents_is_known_by_its_dots(text, points):
    assert signs.is_line_of_contents(text) is points
