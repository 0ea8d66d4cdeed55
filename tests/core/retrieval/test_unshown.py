"""Values and work that are asked for and that no statement of the page gives for the thing."""

from __future__ import annotations

import pytest

from desktop.core.retrieval.asked_values import sharp_kinds, without_own_codes
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote
from desktop.core.retrieval.unshown import lacks_qualifier, lacks_value, lacks_work

PAGE = Evidence(1, "loom.pdf", "Loom L9", 0, "1", 1.0, (), ())


def ranked(*texts, kind="row", context="Loom L9 › Parts"):
    return [
        RankedQuote(Quote(text, kind, context, (), ()), 1.0 - i / 10, (), i)
        for i, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("question", "without", "with_value"),
    [
        ("How heavy is the warp beam?", "Warp beam, oak", "Warp beam | 41 kg"),
        ("What is the torque of the reed screws?", "Turn the reed screws", "Reed screws | 9 Nm"),
        ("Which part number has the shuttle S4?", "3 Shuttle S4", "33-8120 | Shuttle S4"),
        ("What is the peak load of the drive in kA?", "Drive | 16 A gG", "Drive | 6 kA"),
    ],
)
def test_a_value_must_stand_with_the_thing_it_is_asked_of(question, without, with_value):
    asked = Question.parse(question)
    other_thing = with_value.replace("Warp beam", "Frame").replace("Reed screws", "Bearing")
    other_thing = other_thing.replace("Shuttle S4", "Comb").replace("Drive", "Lamp")
    unsaid = without if "kA" not in question else "Drive | in two steps"
    assert lacks_value(asked, PAGE, ranked(unsaid))
    assert lacks_value(asked, PAGE, ranked(unsaid, other_thing))
    assert not lacks_value(asked, PAGE, ranked(unsaid, with_value))


def test_the_unit_of_a_figure_may_stand_above_its_column():
    asked = Question.parse("How heavy is the warp beam?")
    row = "Warp beam | 41"
    assert not lacks_value(asked, PAGE, ranked(row, context="Loom L9 › Part | Mass (kg)"))
    assert lacks_value(asked, PAGE, ranked(row, context="Loom L9 › Part | Pieces"))


def test_words_that_lie_together_in_a_drawing_state_nothing():
    asked = Question.parse("How heavy is the warp beam?")
    assert lacks_value(asked, PAGE, ranked("warp beam 41 kg cloth beam", kind="label"))


def test_a_question_for_no_such_value_lacks_none():
    assert not lacks_value(Question.parse("Why does the shuttle stop?"), PAGE, ranked("It jams."))


def test_how_often_work_is_done_is_told_by_what_names_work_thing_and_time():
    asked = Question.parse("How often must the brake band be replaced?")
    assert lacks_work(asked, PAGE, ranked("Every 3 months | Look at the brake band"))
    assert lacks_work(asked, PAGE, ranked("Every 4 years | Replace the fuse"))
    assert not lacks_work(asked, PAGE, ranked("Every 2 years | Renew the brake band"))


def test_one_quantity_is_not_answered_with_its_like():
    asked = Question.parse("What is the idling speed of the shuttle?")
    assert lacks_qualifier(asked, PAGE, ranked("Top speed of the shuttle | 9 m/s"))
    assert not lacks_qualifier(asked, PAGE, ranked("Shuttle, idling | 1 m/s"))
    assert not lacks_qualifier(Question.parse("What is the speed?"), PAGE, ranked("9 m/s"))


def test_a_code_of_the_question_is_no_value_for_it():
    assert "HV3" not in without_own_codes("9 Valves HV3, HV4", "Part number of HV3?")
    assert not sharp_kinds("Which menu shows the time?")
