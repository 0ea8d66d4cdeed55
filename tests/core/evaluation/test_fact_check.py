"""Answers beside expected ones and beside what they cite: numbers, units, codes, terminals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.evaluation.cited import cited_statements, without_marks
from desktop.core.evaluation.measures import check_answer, check_grounding

NUMBERS = st.integers(2, 9_999)
UNITS = st.sampled_from(["V", "A", "mA", "Nm", "bar", "mm", "s", "h"])
SPELLED = {"V": "volts", "A": "amps", "mA": "milliamperes", "s": "seconds", "h": "hours"}
CODES = st.from_regex(r"[A-Z]{1,3}-?\d{2,4}", fullmatch=True)


def test_an_answer_with_every_expected_fact_scores_full():
    check = check_answer("Tighten M10 to 90 Nm, crosswise. [1]", "90 Nm, crosswise.", "M10 90 Nm")
    assert (check.missing, check.wrong, check.score) == ((), (), 100)


def test_a_different_number_is_missing_and_wrong():
    check = check_answer("Tighten to 60 Nm. [1]", "90 Nm, crosswise.")
    assert check.missing == ("90 Nm",)
    assert check.wrong == ("60 Nm",)
    assert check.score == 0


def test_what_a_cited_region_says_is_not_wrong_although_nobody_expected_it():
    check = check_answer("It is 16 bar at 40 °C. [1]", "16 bar", "16 bar at up to 40 °C")
    assert check.wrong == ()
    assert check.score == 100


def test_the_number_of_a_citation_is_no_fact_of_the_answer():
    assert check_answer("It is 5 A. [7][12]", "5 A").said == 1
    assert check_answer("See the lid. [5]", "5 A").missing == ("5 A",)


def test_terminals_and_codes_are_compared_to_the_letter():
    assert check_answer("Use X8:3. [1]", "K1 NC at terminal X8:3.").missing == ("K1", "NC")
    assert check_answer("Use K1 (NC), X8:4. [1]", "K1 NC at terminal X8:3.").score < 100


def test_what_the_question_says_itself_need_not_be_told():
    asked = "Does menu 33 test G1 for 2 minutes, and how often?"
    check = check_answer("Every 6 s. [1]", "Menu 33 tests G1 for 2 minutes, every 6 s.", "", asked)
    assert (check.missing, check.recall, check.values) == ((), 1.0, 1.0)
    assert check_answer("Often.", "Every 6 s.", "", asked).values == 0


def test_words_in_capitals_are_no_values():
    check = check_answer("It takes 5 A. [1]", "5 A, the LED goes out.")
    assert (check.recall, check.values) == (0.5, 1.0)
    assert check_answer("The LED is on.", "The LED goes out.").values is None


def test_an_expected_answer_without_facts_is_compared_by_its_words():
    expected = "On the left side of the base frame."
    assert check_answer("It stands on the left of the base frame.", expected).score > 60
    assert check_answer("Nobody knows.", expected).score == 0


@given(NUMBERS, UNITS.filter(SPELLED.get))
def test_a_unit_counts_however_it_is_written(number, unit):
    check = check_answer(f"It is {number} {SPELLED[unit]}.", f"{number} {unit}")
    assert check.score == 100


@given(st.lists(st.tuples(NUMBERS, UNITS), min_size=1, max_size=4), CODES)
def test_every_answer_has_all_the_facts_of_itself(values, code):
    text = f"{code}: " + ", then ".join(f"{number} {unit}" for number, unit in values) + "."
    check = check_answer(text, text)
    assert (check.missing, check.wrong, check.score) == ((), (), 100)


@given(NUMBERS, NUMBERS, UNITS)
def test_another_number_never_scores_full(number, other, unit):
    check = check_answer(f"It is {other} {unit}.", f"{number} {unit}")
    assert (check.score == 100) == (number == other)


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_any_texts_can_be_compared(answer, expected, regions):
    check = check_answer(answer, expected, regions)
    assert 0 <= check.score <= 100
    assert len(check.wrong) <= check.said


@given(st.text(max_size=200))
def test_no_statement_keeps_a_mark_or_is_lost(text):
    for statement in cited_statements(text):
        assert statement.text in text
        assert any(character.isalnum() for character in statement.text)


def test_marks_belong_to_the_words_before_them_on_their_line():
    first, second, third = cited_statements("Open the lid. It is blue. [1][3] Close it. [2]\nDone.")
    assert (first.text, first.cited) == ("Open the lid. It is blue.", (1, 3))
    assert (second.text, second.cited) == ("Close it.", (2,))
    assert (third.text, third.cited) == ("Done.", ())
    assert without_marks("It is 5 A [1], not 6 A [2].") == "It is 5 A\n, not 6 A"


REGIONS = {1: "Fuse F2 5 A slow", 2: "Torque 90 Nm"}


@pytest.mark.parametrize(
    ("answer", "grounded"),
    [
        ("Fuse F2 is 5 A. [1]", 1),
        ("Fuse F2 is 10 A. [1]", 0),
        ("Fuse F2 is 5 A.", 0),
        ("Fuse F2 is 5 A. [2]", 0),
        ("Fuse F2 is 5 A. [9]", 0),
        ("Fuse F2, 5 A, at 90 Nm. [1][2]", 1),
        ("The lid is blue. [1]", 1),
    ],
)
def test_a_statement_is_grounded_if_what_it_cites_says_its_facts(answer, grounded):
    assert check_grounding(answer, REGIONS) == (1, grounded)


def test_an_opening_claims_nothing_and_an_empty_answer_is_not_grounded():
    assert check_grounding("Proceed as follows:\n1. Torque 90 Nm. [2]", REGIONS) == (1, 1)
    assert check_grounding("", REGIONS) == (0, 0)
    assert check_grounding("The lid is blue. [1]", {1: ""}) == (1, 0)
