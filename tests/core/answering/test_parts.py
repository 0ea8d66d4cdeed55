"""Questions of several parts: where they are cut, what is told of each, what is left open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desktop.core.answering.parts import parts_of
from desktop.core.geometry import Box
from desktop.core.question.parts import possible_cuts, sure_parts
from desktop.core.reader.evidence import ReadUnit
from desktop.core.reader.quotes import Quote
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
        (
            "Quanto pesa la scheda e quanto misura il contenitore?",
            ("Quanto pesa la scheda", "quanto misura il contenitore?"),
        ),
        (
            "¿Dónde se lee la temperatura exterior y con qué precisión mide la sonda?",
            ("¿Dónde se lee la temperatura exterior", "con qué precisión mide la sonda?"),
        ),
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


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Weight and length of the pump?",
            ("Weight of the pump?",),
            ("length of the pump?",),
        ),
        (
            "What is the min and max inlet pressure of P1?",
            ("What is the min of P1?", "What is the min inlet pressure of P1?"),
            ("What is the max inlet pressure of P1?",),
        ),
        (
            "Which output voltage and frequency has the inverter?",
            ("Which output voltage has the inverter?",),
            ("Which frequency has the inverter?", "Which output frequency has the inverter?"),
        ),
        (
            "Wie hoch sind die Masse und das Volumen des Tanks?",
            ("Wie hoch sind die Masse des Tanks?",),
            ("Wie hoch sind die Volumen des Tanks?",),
        ),
    ],
)
def test_two_things_of_one_are_asked_for_with_the_words_that_they_share(question, first, second):
    (cut,) = possible_cuts(question)
    assert tuple(asked for _, asked in cut.things) == (first, second)


def test_two_things_of_one_are_named_by_their_own_words():
    (cut,) = possible_cuts("What are the shipping weight and the rack depth of the unit?")
    assert [name for name, _ in cut.things] == ["shipping weight", "rack depth"]


def test_what_a_comma_parts_is_no_thing_of_the_other():
    (cut,) = possible_cuts("Tell me the weight of the pump, and the torque of the bolts")
    assert cut.things == ()


_OF_BOTH = "weight and length of the pump?"


@pytest.mark.parametrize(
    ("weight", "length", "parts"),
    [
        (("33 kg", 0.8, 0.9), ("1.2 m", 0.7, 0.9), 2),  # each has its own place
        (("33 kg, 1.2 m", 0.8, 0.9), ("33 kg, 1.2 m", 0.7, 0.9), 0),  # one place has both
        (("33 kg", 0.5, 0.9), ("1.2 m", 0.46, 0.9), 0),  # hardly likelier than the whole
        (("33 kg", 0.8, 0.9), ("blue", 0.1, 0.3), 2),  # one is missing
        (("33 kg", 0.8, 0.9), ("blue", 0.1, 0.7), 0),
        (("33 kg", 0.4, 0.9), ("blue", 0.1, 0.3), 0),
    ],
)
def test_two_things_are_told_apart_where_two_places_tell_them_or_none_tells_one(
    weight, length, parts
):
    told = {"weight of the pump?": weight, "length of the pump?": length}

    def read(part: str, _within: str) -> list[Evidence]:
        text, chance, there = told[part]
        box = Box(0, 10.0 * len(text), 9, 10.0 * len(text) + 9)
        unit = ReadUnit(Quote(text, "row", "", (text,), (box,), (0,)), 1.0)
        return [replace(page_found(text), units=(unit,), chance=chance, there=there)]

    assert len(parts_of(_OF_BOTH, 0.5, read)) == parts


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
