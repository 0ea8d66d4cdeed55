"""Telling the language of pages and questions."""

import pytest

from desktop.core.question.languages import (
    SEVERAL,
    fall_back_to,
    language_among,
    language_in,
    language_of,
    page_language,
)

DUTCH = "Sluit eerst de accu aan en daarna de zonnepanelen, zodat de regelaar de spanning herkent. "
FRENCH = "Branchez d'abord la batterie, puis les panneaux, pour que le contrôleur reconnaisse. "
GERMAN = "Schließen Sie zuerst die Batterie an, damit der Regler die Spannung erkennen kann. "


@pytest.fixture
def german_window():
    fall_back_to("de")
    yield
    fall_back_to("en")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The pump is switched on and the valve is open.", "en"),
        ("Die Pumpe wird mit dem Ventil nicht geöffnet.", "de"),
        ("Waarom wordt de accu niet volledig geladen?", "nl"),
        ("¿Qué tensión de absorción hay que ajustar?", "es"),
        ("AUCUNE TENSION SUR LES BORNES DE LA BATTERIE", "fr"),
        ("", ""),
        ("RS-485 24 V", ""),
    ],
)
def test_the_language_of_a_text_is_told(text, language):
    assert language_in(text) == language


@pytest.mark.parametrize(
    ("page", "language"),
    [
        (DUTCH * 20, "nl"),
        (DUTCH * 10 + FRENCH * 10, SEVERAL),
        ("40011 0x9C4B U16 1 V " * 40, ""),
        ("", ""),
    ],
)
def test_a_page_is_in_one_language_or_in_several_or_has_too_few_words(page, language):
    assert page_language(page) == language


def test_a_question_in_none_of_a_manuals_languages_prefers_none():
    question = "Perché la batteria non viene caricata completamente?"
    assert language_among(question, {"en", "fr", "es"}) == ""
    assert language_among("Pourquoi la batterie n'est-elle pas chargée ?", {"en", "fr"}) == "fr"


def test_who_asks_in_a_language_that_the_program_does_not_speak_is_answered_in_that_of_the_window():
    assert language_of(DUTCH) == "en"
    assert language_of(GERMAN) == "de"


def test_a_german_window_speaks_german_with_whoever_asks_in_french(german_window):
    assert language_of(FRENCH) == "de"
    assert language_of("How do I connect the battery?") == "en"


def test_a_window_in_a_language_that_the_program_does_not_speak_falls_back_to_english():
    fall_back_to("fr")
    assert language_of(FRENCH) == "en"


def test_what_answers_tells_the_language_of_a_question_that_does_not():
    assert language_of("X2:1", GERMAN) == "de"
