"""A follow-up is read by itself and after the question before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.question.query import Query, Question
from desktop.core.retrieval.in_context import STANDS_ALONE, may_follow
from desktop.models.built_in import load_text_embedder
from tests.fakes.bookcase import Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fakes.bookcase import Bookcase

TORQUE = "What is the tightening torque of the left motor mount?"


@pytest.fixture(scope="module")
def motors(tmp_path_factory) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path_factory.mktemp("motors"), load_text_embedder()) as bookcase:
        bookcase.add(
            "motors.pdf",
            (
                Sheet().heading("Torques").text("Tighten the left motor mount to 12 Nm."),
                Sheet().heading("Torques").text("The torque of the rear motor mount is 20 Nm."),
                Sheet().heading("Cleaning").text("Clean the rear window with a soft cloth."),
                Sheet().heading("Oil").text("Change the oil of the gear every 500 hours."),
            ),
        )
        yield bookcase


def first(bookcase: Bookcase, question: str, before: str = "") -> int:
    return bookcase.searcher.search(Query(question, before=before))[0].page


@pytest.mark.parametrize("question", ["And for the rear one?", "And the rear motor mount?"])
def test_a_follow_up_is_answered_on_the_subject_of_the_question_before(motors, question):
    assert first(motors, question, TORQUE) == 1


def test_another_question_is_answered_as_it_is_without_a_question_before(motors):
    question = "How often must I change the oil of the gear?"
    assert first(motors, question, TORQUE) == first(motors, question) == 3


def test_pages_carry_the_question_itself_and_the_weights_of_its_words(motors):
    for page in motors.searcher.search(Query("And for the rear one?", before=TORQUE)):
        assert page.asked is not None
        assert page.asked.text == "And for the rear one?"
        assert len(page.term_weights) == len(page.asked.groups)


def test_pages_carry_the_question_before_where_it_was_read_as_well(motors):
    follow_up, other = "And for the rear one?", "How often must I change the oil of the gear?"
    for question, read_with in ((follow_up, TORQUE), (other, "")):
        found = motors.searcher.search(Query(question, before=TORQUE))
        assert {page.read_with for page in found} == {read_with}


def test_a_question_that_is_answered_better_by_itself_is_not_read_with_the_one_before(motors):
    question = "When does the gearbox get new lubricant before it wears out?"
    assert motors.search(question)[0].chance < STANDS_ALONE  # so it is tried
    found = motors.searcher.search(Query(question, before="How heavy is the motor?"))
    assert {page.read_with for page in found} == {""}
    assert found[0].chance == pytest.approx(motors.search(question)[0].chance)


def test_what_no_page_has_finds_nothing(motors):
    only = frozenset({4711})
    assert motors.searcher.search(Query("And the rear one?", only, before=TORQUE)) == []


def test_a_question_that_names_another_manual_stands_alone(tmp_path):
    with bookcase_at(tmp_path, load_text_embedder()) as bookcase:
        for name, torque in (("HX-200 pump", "12 Nm"), ("KM-90 compressor", "20 Nm")):
            sheet = Sheet().heading(f"{name} manual").text(f"The flange of {name} takes {torque}.")
            bookcase.add(f"{name}.pdf", (sheet,))
        before = "Which torque does the flange of the HX-200 take?"
        question = Query("Which torque does the flange of the KM-90 take?", before=before)
        alone = bookcase.searcher.search(Query(question.text))
        found = bookcase.searcher.search(question)
    assert [page.named for page in alone] == [page.named for page in found]
    assert found[0].document == "KM-90 compressor.pdf"
    assert found[0].score == pytest.approx(alone[0].score)


def test_a_question_whose_words_only_another_manual_has_is_not_a_follow_up(tmp_path):
    with bookcase_at(tmp_path, load_text_embedder()) as bookcase:
        pump = Sheet().heading("HX-200 pump").text("Error 10 of the HX-200: the valve is blocked.")
        bookcase.add("HX-200 pump.pdf", (pump,))
        drive = Sheet().heading("Faults").text("OCA: the load is too heavy.")
        bookcase.add("KM-90 drive.pdf", (drive,))
        before = "What does error 10 mean on the HX-200?"
        for question, read_with in (("it keeps reporting OCA", ""), ("and why?", before)):
            found = bookcase.searcher.search(Query(question, before=before))
            assert {page.read_with for page in found} == {read_with}


def test_a_question_with_a_code_that_another_manual_has_is_not_a_follow_up(tmp_path):
    with bookcase_at(tmp_path, load_text_embedder()) as bookcase:
        cooling = "The chiller cools 0.5 kW at 20 degrees, and 0.3 kW at 5 degrees."
        bookcase.add("chiller.pdf", (Sheet().heading("Cooling").text(cooling),))
        call = "Before a repair of code E6 call the maker."
        bookcase.add("pump.pdf", (Sheet().heading("Pump").text(call),))
        before = "How much does the chiller cool at 20 degrees?"
        for code in ("E6", "E7"):  # the other one stands nowhere
            found = bookcase.searcher.search(Query(f"What does {code} mean?", before=before))
            assert {page.read_with for page in found} == {"" if code == "E6" else before}


@pytest.mark.parametrize(
    ("question", "before", "may"),
    [
        ("And of the load output?", "What is the torque of the mains terminals?", True),
        ("Und am TD8?", "Wie viel Ampere zieht der TD5?", True),
        ("And of the load output?", "Wie viel Ampere zieht der TD5?", False),
        ("Wie wird die Pumpe entleert?", "How tight do the helium lines go?", False),
        ("How do I spin only the cold head without the helium compressor?", "And E10?", False),
    ],
)
def test_only_a_short_question_in_the_same_language_may_lean_on_the_one_before(
    question, before, may
):
    assert may_follow(Question.parse(question), before) == may
