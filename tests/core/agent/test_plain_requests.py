"""Which wordings ask for the library itself, and which ordinary questions are left alone."""

from __future__ import annotations

import pytest

from desktop.core.agent.rule_decider import MANUALS, PAGE, plain_request


@pytest.mark.parametrize(
    "prompt",
    [
        "which manuals do I have?",
        "What manuals are available?",
        "What documents are in the library?",
        "Please list all manuals.",
        "show me my manuals",
        "How many manuals do I have?",
        "Welche Handbücher habe ich?",
        "Welche Anleitungen gibt es in der Bibliothek?",
        "Zeig mir bitte alle Handbücher",
        "  WHICH MANUALS\nARE THERE ?  ",
    ],
)
def test_a_question_about_the_manuals_themselves_is_told_apart(prompt):
    found = plain_request(prompt)
    assert found is not None
    assert (found.tool, found.inputs) == (MANUALS, {"as_answer": True})


@pytest.mark.parametrize(
    ("prompt", "page", "document"),
    [
        ("open page 12", "12", ""),
        ("Show me page 4-11 of the operator manual, please.", "4-11", "operator manual"),
        ("page 4-11 of the operator manual", "4-11", "operator manual"),
        ("Please show page A-3 in techman.pdf", "a-3", "techman.pdf"),
        ("go to page iv", "iv", ""),
        ("Öffne Seite 12", "12", ""),
        ("Zeige mir die Seite 4-11 aus der Bedienungsanleitung an", "4-11", "bedienungsanleitung"),
        ("Bitte zeig mir Seite 3 vom Installationshandbuch", "3", "installationshandbuch"),
    ],
)
def test_a_page_is_told_by_its_number_and_its_manual(prompt, page, document):
    found = plain_request(prompt)
    assert found is not None
    assert found.tool == PAGE
    assert found.inputs == {"as_answer": True, "page": page, "document": document}


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "What is the fuse on page 12?",
        "Which manuals mention the RS-485 bus?",
        "Which manual describes the battery?",
        "How do I open the page menu?",
        "How do I show page 2 on the display?",
        "open page 12 and tell me the torque",
        "Which page shows the wiring?",
        "What documents do I need for the warranty?",
        "How many manuals are delivered with the pump?",
        "Show the manual reset procedure",
        "Open the manual valve",
        "Page fault, what now?",
        "Auf welcher Seite steht das Drehmoment?",
        "Welche Dokumente muss ich aufbewahren?",
        "Wie öffne ich die Seitenwand?",
        "Which documents are required?",
        "read page memory error 12",
    ],
)
def test_ordinary_questions_are_left_alone(prompt):
    assert plain_request(prompt) is None
