"""Words for the same thing: looked up in a question, and looked for in the manuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.retrieval.evidence import question_asked
from desktop.core.retrieval.glossary import (
    Entry,
    Glossary,
    field_entries,
    field_glossary,
    product_glossary,
)
from desktop.core.retrieval.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.retrieval.tokens import LANGUAGES, query_terms, stem, words_of
from desktop.core.settings.sections import RetrievalSettings
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUPPLY = Entry({"en": ("power supply",), "de": ("Netzteil",)}, {"en": ("wall wart",)})
VOLTAGE = Entry({"en": ("voltage",), "de": ("Spannung",)})
BATTERY = Entry({"en": ("battery",), "de": ("Batterie", "Akku")})
SWITCH_ON = Entry({"en": ("switch on",), "de": ("einschalten",)})
BUTTON = Entry({"en": ("button",), "de": ("Taste",)})
DRAWING = Entry({"en": ("drawing",), "de": ("Zeichnung",)})
GLOSSARY = Glossary([SUPPLY, VOLTAGE, BATTERY, SWITCH_ON, BUTTON, DRAWING])


def named(text: str, language: str) -> list[tuple[str, list[str]]]:
    return [
        (" ".join(mention.words), [part[0].forms["en"][0] for part in mention.parts])
        for mention in GLOSSARY.mentions(text, [language])
    ]


@pytest.mark.parametrize(
    ("text", "language", "mentions"),
    [
        ("Is the wall wart dead?", "en", [("wall wart", ["power supply"])]),
        ("Which power supplies fit?", "en", [("power supplies", ["power supply"])]),
        (
            "Wie hoch ist die Batteriespannung?",
            "de",
            [("batteriespannung", ["battery", "voltage"])],
        ),
        ("Wo ist die Einschalttaste?", "de", [("einschalttaste", ["switch on", "button"])]),
        ("How many amperes does it draw?", "en", []),
        ("Welche Spannung?", "en", []),
    ],
)
def test_words_phrases_and_compounds_are_known_in_their_language(text, language, mentions):
    assert named(text, language) == mentions


def test_the_terms_of_a_product_are_known_in_any_language():
    glossary = product_glossary([("Intrusion Terminal", ("keypad", "Bedienteil"))])
    (english,) = glossary.mentions("Where is the keypad?", ["en"])
    (german,) = glossary.mentions("Wo ist das Bedienteil?", ["de"])
    assert english.parts[0][0].certain
    assert english.parts == german.parts


def test_the_field_glossary_reads_the_same_thing_in_both_languages():
    (mention,) = [
        each
        for each in field_glossary().mentions("Wie hoch ist die Leerlaufspannung?", ["de"])
        if each.words == ("leerlaufspannung",)
    ]
    forms = {words_form for entry in mention.parts[0] for words_form in entry.forms["en"]}
    assert any("open" in form and "circuit" in form for form in forms)


def test_every_form_of_the_field_glossary_can_be_searched():
    for entry in field_entries():
        assert all(entry.forms[language] for language in LANGUAGES), entry
        assert all(query_terms(form) for forms in entry.forms.values() for form in forms), entry


def test_stems_are_what_the_index_holds():
    assert [stem(word, "en") for word in words_of("Power-supplies of J9")] == [
        "power",
        "suppli",
        "of",
        "j9",
    ]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Bookcase]:
    """An English manual of a charger, a German one of a pump."""
    with bookcase_at(tmp_path, None) as bookcase:
        charger = [
            Sheet().heading("Charger").text("The charger SolarX is made for the field."),
            Sheet().heading("Charging").text("The battery voltage must not be above 14.4 V."),
            Sheet().heading("Mounting").text("The cabinet hangs on the wall with four screws."),
        ]
        pump = [
            Sheet().heading("Pumpe").text("Die Pumpe AquaY ist für das Feld und nicht schwer."),
            Sheet().heading("Montage").text("Das Netzteil wird mit vier Schrauben befestigt."),
        ]
        bookcase.add("solarx.pdf", charger, title="SolarX charger")
        bookcase.add("aquay.pdf", pump, title="AquaY Pumpe")
        yield bookcase


def first(bookcase: Bookcase, question: str) -> tuple[str, int]:
    page = bookcase.search(question)[0]
    return page.document, page.page


def reworded(bookcase: Bookcase, question: str) -> bool:
    return question_asked(question, bookcase.search(question)).wording != question


def test_a_german_question_finds_the_page_of_an_english_manual_it_names(shelf):
    question = "Wie hoch darf die Batteriespannung beim SolarX sein?"
    found = shelf.search(question)
    asked = question_asked(question, found)
    assert (found[0].document, found[0].page) == ("solarx.pdf", 1)
    assert "battery voltage" in asked.wording
    assert len(found[0].term_weights) == len(asked.groups)


def test_workshop_speech_finds_the_term_that_is_printed(tmp_path):
    with bookcase_at(tmp_path, None) as bookcase:
        sheets = [
            Sheet().heading("Display").text("The display is on the front of the unit."),
            Sheet().heading("Supply").text("The AC adapter must deliver at least 2 A to the unit."),
        ]
        bookcase.add("unit.pdf", sheets)
        assert first(bookcase, "Which wall wart do I need?") == ("unit.pdf", 1)


def test_a_word_that_the_manual_uses_is_not_replaced(shelf):
    assert not reworded(shelf, "What battery voltage is allowed for the SolarX?")


def test_a_question_at_home_in_its_language_stays_there(shelf):
    assert not reworded(shelf, "Mit wie vielen Schrauben wird das Netzteil befestigt?")


class Keypads:
    """A product whose manual calls the keypad an operating part."""

    def preferred(self, question: str) -> tuple[dict[int, float], ...]:
        return ()

    def glossary(self, question: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (("Operating Part", ("keypad",)),)


def test_a_product_s_own_term_is_looked_for_even_where_the_other_word_is_printed(tmp_path):
    with bookcase_at(tmp_path, None) as bookcase:
        sheets = [
            Sheet().heading("Parts").text("A keypad can be ordered in white."),
            Sheet().heading("Operating Part").text("The Operating Part is mounted at 1.4 m."),
        ]
        bookcase.add("alarm.pdf", sheets)
        searcher = Searcher(bookcase.database, None, RetrievalSettings(), Keypads())
        question = "At which height is the keypad mounted?"
        found = searcher.search(Query(question))
        assert found[0].page == 1
        assert "Operating Part" in question_asked(question, found).wording
