"""Questions of several parts: where they are cut, what is told of each, what is left open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.answering.parts import parts_of
from desktop.core.question.parts import possible_cuts, sure_parts
from tests.fakes.bookcase import bookcase_at
from tests.fakes.manuals import fill
from tests.fakes.searcher import page_found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.reader.evidence import Evidence
    from tests.fakes.bookcase import Bookcase


@pytest.fixture(scope="module")
def manuals(tmp_path_factory) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path_factory.mktemp("manuals")) as bookcase:
        fill(bookcase)
        yield bookcase


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Which fuse protects the controller, and how is it reset?",
            ("Which fuse protects the controller", "how is it reset?"),
        ),
        (
            "Wo stelle ich den Druck ein und wie hoch darf er sein?",
            ("Wo stelle ich den Druck ein", "wie hoch darf er sein?"),
        ),
        (
            "What does E07 mean? Who resets the drive?",
            ("What does E07 mean?", "Who resets the drive?"),
        ),
    ],
)
def test_a_question_may_be_cut_at_a_conjunction_or_where_a_sentence_ends(question, parts):
    assert parts in [cut.parts for cut in possible_cuts(question)]


@pytest.mark.parametrize(
    "question",
    [
        "How do I put a PIN on the thermostat so that nobody changes the schedule?",
        "Can a pack stay in the charger when i leave the workshop?",
        "¿Cuántos clientes aguanta a la vez el punto de acceso?",
    ],
)
def test_a_word_that_joins_in_another_language_cuts_nothing(question):
    assert possible_cuts(question) == []


def test_a_word_joins_in_its_own_language():
    (cut,) = possible_cuts("Jaká je hmotnost modulu a kolik stojí přeprava?")
    assert cut.parts == ("Jaká je hmotnost modulu", "kolik stojí přeprava?")


@pytest.mark.parametrize(
    "question", ["Where is the stand?", "and the pump?", "What is it and why?"]
)
def test_a_cut_leaves_something_to_look_for_on_both_sides(question):
    assert possible_cuts(question) == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Which torque do the flange bolts need and which the floor anchors?",
            ("Which torque do the flange bolts need", "which the floor anchors?"),
        ),
        (
            "Was heißt Fehler 10 und wo ist die Klemme? Und wie lange läuft die Pumpe?",
            ("Was heißt Fehler 10", "wo ist die Klemme?", "Und wie lange läuft die Pumpe?"),
        ),
        ("How is the filter cleaned, and how often?", ("How is the filter cleaned", "how often?")),
    ],
)
def test_where_something_else_is_asked_a_question_is_surely_cut(question, parts):
    assert sure_parts(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "How is the pump started and stopped?",
        "Can I use a pump which runs dry?",  # "a" is "and" in Czech, "which" is not Czech
        "When and how is the battery replaced?",
        "Which pressure and which",
    ],
)
def test_what_is_asked_together_is_not_surely_cut(question):
    assert sure_parts(question) == ()


def test_a_cut_after_a_comma_is_tried_before_others():
    cuts = possible_cuts("Tell me the pipe and valve of the pump, and the torque of the bolts")
    assert [cut.comma for cut in cuts] == [True, False]


def _read(**chances: float) -> Callable[[str, str], list[Evidence]]:
    def read(part: str, _within: str) -> list[Evidence]:
        found = page_found(part)
        object.__setattr__(found, "chance", chances[part.split()[0]])
        return [found]

    return read


def test_two_short_words_joined_are_one_question():
    read = _read(set=0.5, time=0.5, speed=0.5)
    assert parts_of("set speed and time", 0.5, read) == ()


def test_a_cut_stands_where_both_halves_ask_something():
    question = "Which fuse protects the controller board, and how is the pump reset afterwards?"
    parts = parts_of(question, 0.4, _read(Which=0.6, how=0.02))
    assert [(part.text, part.chance) for part in parts] == [
        ("Which fuse protects the controller board", 0.6),
        ("how is the pump reset afterwards?", 0.02),
    ]


def test_of_a_cut_question_the_first_part_is_read_alone_and_the_next_one_after_it():
    asked = []
    read = _read(fuse=0.6, torque=0.02)

    def remembered(part: str, within: str) -> list[Evidence]:
        asked.append((part, within))
        return read(part, within)

    first, second = "fuse of the controller board", "torque of the long cover bolts"
    assert len(parts_of(f"{first}, and {second}", 0.4, remembered)) == 2
    assert asked[-2:] == [(first, first), (second, f"{first} {second}")]


def test_both_parts_of_a_question_are_told(manuals):
    answer = manuals.ask(
        "What supply voltage does the pump need, and which terminal is the RS-485 bus connected to?"
    )
    told = " ".join(statement.quote for statement in answer.statements)
    assert "supply voltage of 24 V DC" in told
    assert "connected to terminal J1C" in told
    assert answer.unanswered == ()


def test_a_part_that_is_most_likely_not_answered_is_named(manuals):
    question = "What supply voltage does the pump need, and who paints zebra stripes on a fridge?"
    answers = [manuals.ask(question, least_confidence=least / 50) for least in range(50)]
    named = [answer for answer in answers if answer.unanswered]
    assert named
    for answer in named:
        assert answer.found
        assert answer.unanswered == ("who paints zebra stripes on a fridge?",)
        assert "24 V DC" in answer.statements[0].quote
