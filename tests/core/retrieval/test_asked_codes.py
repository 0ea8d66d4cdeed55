"""Codes of a question, looked up in a small library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.retrieval.asked_codes import asked_codes, asked_names
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def fryer(tmp_path_factory) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path_factory.mktemp("fryer")) as bookcase:
        bookcase.add(
            "fryer.pdf",
            [
                Sheet()
                .heading("Menus")
                .text("The fryer is set in its menus.")
                .rows(
                    ("Menu", "Name", "Range"),
                    ("12", "Oil temperature", "120 to 190 °C"),
                    ("13", "Basket time", "1 to 9 min"),
                    ("14", "Melting", "on or off"),
                )
                .text("Menus 31 to 36 are for the maker."),
                Sheet()
                .heading("Faults")
                .text("Fault F07 means that the oil is too hot. Codes F40 to F49 are reserved.")
                .text("The probe is wired to X3:1 to X3:4, the door switch to X3:7."),
            ],
        )
        yield bookcase


def unnamed(bookcase: Bookcase, question: str) -> tuple[str, ...]:
    return bookcase.search(question)[0].unnamed


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("What does error E25 mean?", ("E25",)),
        ("What is at terminal X5:9?", ("X5:9",)),
        ("What is set in Menu 46?", ("Menu 46",)),
        ("What does register no. 40033 hold?", ("register 40033",)),
        ("How much is part 72-1040?", ("72-1040",)),
        ("What does CFG_RATE_MAX do?", ("CFG_RATE_MAX",)),
        ("Does it run on 24 V or a 10-32 V supply?", ()),
        ("On P-200, how do I vent the pump?", ()),
        ("How is the filter cleaned?", ()),
    ],
)
def test_what_looks_like_a_code_of_the_equipment_is_one(question, codes):
    assert asked_codes(question) == codes


@pytest.mark.parametrize(
    "question",
    [
        "What is set in menu 13?",
        "Who uses menu 33 of the fryer?",
        "What does fault F07 mean?",
        "What does fault F44 mean?",
        "Which wire is at X3:2?",
        "What is wired to X3:7?",
    ],
)
def test_a_code_is_named_as_it_stands_in_a_cell_and_in_a_range(fryer, question):
    assert unnamed(fryer, question) == ()


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What is set in menu 19?", "menu 19"),
        ("What does fault F08 mean?", "F08"),
        ("Which wire is at X3:9?", "X3:9"),
    ],
)
def test_a_code_that_no_manual_names_is_told(fryer, question, code):
    assert unnamed(fryer, question) == (code,)


def test_an_unknown_code_is_refused_although_its_neighbours_are_explained(fryer):
    assert fryer.ask("What does fault F07 mean?", least_confidence=0.2).found
    answer = fryer.ask("What does fault F08 mean?", least_confidence=0.2)
    assert not answer.found
    assert "F08" in answer.reason
    assert answer.nearest


def test_words_in_capitals_that_no_manual_has_are_named_and_doubted(fryer):
    assert asked_names("What is the NPSH of the BOILER?") == ("NPSH", "BOILER")
    assert asked_names("WHAT IS THE NPSH?") == ()
    assert asked_names("Does it speak mqtt, 24 v dc, pls?") == ("mqtt",)
    assert asked_names("Does the Fryer have a Bluetooth or German WiFi module?") == (
        "Fryer",
        "Bluetooth",
        "WiFi",
    )
    assert asked_names("What does the cleaner do on Fridays?") == ()
    assert asked_names("Hat die Station eine Fernbedienung?") == ()
    assert unnamed(fryer, "Is the OIL too hot for the PTFE basket?") == ("PTFE",)
    named = fryer.ask("What does it mean that the OIL is too hot?", least_confidence=0)
    other = fryer.ask("What does it mean that the OIL of the PTFE is too hot?", least_confidence=0)
    assert other.confidence < named.confidence
