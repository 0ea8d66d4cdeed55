"""A German question on an English manual is answered by the codes and values that both share."""

from __future__ import annotations

import pytest

from tests.fakes.bookcase import Sheet, bookcase_at


@pytest.fixture(scope="module")
def loom(tmp_path_factory):
    with bookcase_at(tmp_path_factory.mktemp("loom")) as bookcase:
        bookcase.add(
            "loom.pdf",
            [
                Sheet()
                .heading("Terminals of the loom")
                .text("All of the terminals are listed in this table, with their torques.")
                .rows(
                    ("Terminal", "Screw", "Torque"),
                    ("X2:1", "PZ 2", "1.2 Nm"),
                    ("X3:1", "Slot", "0.5 Nm"),
                    ("X4:1", "Slot", "by hand"),
                ),
                Sheet().heading("Care").text("Wipe the frame with a dry cloth when it is off."),
            ],
        )
        yield bookcase


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Welches Drehmoment gilt für die Klemme X2:1?", "1.2 Nm"),
        ("Mit welchem Drehmoment wird die Klemme X3:1 angezogen?", "0.5 Nm"),
    ],
)
def test_a_shared_code_with_the_kind_of_value_is_an_answer(loom, question, answer):
    found = loom.search(question)
    assert found[0].page == 0
    told = loom.ask(question, least_confidence=0.5)
    assert told.found
    assert answer in told.statements[0].text


@pytest.mark.parametrize(
    "question",
    [
        "Wie schwer ist die Klemme X2:1?",
        "Welches Drehmoment gilt für die Klemme X4:1?",
        "Welches Drehmoment gilt für die Klemme X9:1?",
        "Welches Drehmoment gilt für die Schrauben der Haube?",
    ],
)
def test_without_shared_code_or_value_it_is_refused(loom, question):
    assert not loom.ask(question, least_confidence=0.5).found
