"""How answers are worded, and that such sentences are quoted first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.retrieval import answer_wording as wording
from desktop.core.retrieval.question import Question
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def bookcase(tmp_path) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answers", "does_not"),
    [
        ("Why is the valve closed?", "Otherwise the tank runs dry.", "The valve is closed."),
        ("Warum ist es zu?", "Es ist zu, weil der Tank leer ist.", "Das Ventil ist zu."),
    ],
)
def test_a_reason_answers_only_who_asks_for_one(question, answers, does_not):
    asked = Question.parse(question)
    assert wording.tells_reason(asked, answers)
    assert not wording.tells_reason(asked, does_not)
    assert not wording.tells_reason(Question.parse("Which valve is closed?"), answers)


@pytest.mark.parametrize(
    "text", ["Press OK.", "3. Press OK.", "Then press OK.", "To start the pump, press OK."]
)
def test_an_order_begins_with_what_to_do(text):
    assert wording.gives_order(Question.parse("How do I start the pump?"), text)
    assert not wording.gives_order(Question.parse("What starts the pump?"), text)


def test_the_name_that_is_asked_for_is_not_in_the_question():
    asked = Question.parse("Which chip drives the X4 port?")
    assert wording.brings_code(asked, "It is handled by the RTL8211E.")
    assert not wording.brings_code(asked, "The port X4 is on the left.")
    valued = Question.parse("Which voltage does the X4 port need?")
    assert not wording.brings_code(valued, "It is handled by the RTL8211E.")


def test_what_the_question_sets_aside_speaks_against_a_text():
    asked = Question.parse("How do I boot from the card instead of the internal memory?")
    assert wording.speaks_of_set_aside(asked, "It boots from the internal memory.") == 1.0
    assert wording.speaks_of_set_aside(asked, "Hold S2 and it boots from the card.") == 0.0
    plain = Question.parse("How do I boot from the card?")
    assert wording.speaks_of_set_aside(plain, "It boots from the internal memory.") == 0.0


def test_who_asks_why_is_told_the_reason_before_the_value(bookcase):
    sheet = Sheet().heading("Suction line")
    sheet.text("The valve V7 of the suction line closes at 3 bar.")
    sheet.text("The valve V7 closes because the tank may run dry.")
    bookcase.add("pump.pdf", [sheet, Sheet().text("Keep the station dry.")])
    answer = bookcase.ask("Why does the valve V7 close at this pressure?")
    assert answer.statements[0].text == "The valve V7 closes because the tank may run dry."


def test_the_way_that_is_asked_for_comes_before_the_one_that_is_set_aside(bookcase):
    sheet = Sheet().heading("Start")
    sheet.text("The board starts from the internal memory when the key S2 is free.")
    sheet.text("The board starts from the card when the key S2 is held.")
    bookcase.add("board.pdf", [sheet, Sheet().text("Keep the board dry.")])
    answer = bookcase.ask("When does the board start from the card instead of the internal memory?")
    assert answer.statements[0].text == "The board starts from the card when the key S2 is held."


def test_an_example_answers_only_who_asks_for_one():
    text = "Two digits; for example 02 for 2002."
    assert wording.gives_example(Question.parse("In which format is the date entered?"), text)
    assert not wording.gives_example(Question.parse("What is an example of a date?"), text)
    assert not wording.gives_example(Question.parse("Which date?"), "Enter the date as DDMMYY.")


def test_what_must_be_is_answered_by_what_demands_it():
    asked = Question.parse("How large must the fuse be?")
    assert wording.demands(asked, "The fuse shall be 5 A.")
    assert not wording.demands(asked, "The fuse is 5 A.")
    assert not wording.demands(Question.parse("How large is the fuse?"), "It shall be 5 A.")


@pytest.mark.parametrize("text", ["int64 seconds,", "and is closed."])
def test_a_text_that_begins_or_ends_within_a_sentence_is_a_fragment(text):
    assert wording.is_fragment(text)
    assert not wording.is_fragment("The valve is closed.")
