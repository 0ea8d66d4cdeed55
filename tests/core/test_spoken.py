from __future__ import annotations

import pytest

from desktop.core.agent.tools.list_manuals import _sentence
from desktop.core.errors import PdfNeedsPassword
from desktop.core.problems import explain
from desktop.core.spoken import in_language, language_of, translations
from desktop.sentences import said


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie wird die interne Batterie G1 ersetzt?", "de"),
        ("Was zeigt dies? (Seite 4-1 von HX-200)", "de"),
        ("Welche Handbücher gibt es?", "de"),
        ("What is the tightening torque for terminals X2:1 to X2:6?", "en"),
        ("What was changed in F-12?", "en"),
        ("X2:1", "en"),
    ],
)
def test_the_language_of_a_question_is_known_by_its_small_words(question, language):
    assert language_of(question) == language


@pytest.mark.parametrize(
    ("stored", "german"),
    [
        (
            "Compared 3 sentences with the cited words: 1 finding.",
            "Mit den zitierten Stellen verglichen: 3 Sätze. Ergebnis: 1 Befund.",
        ),
        (
            "To be delivered: an answer, a figure and a report.",
            "Zu liefern: Antwort, Abbildung und Bericht.",
        ),
        (
            "quoted because the language model failed; found by page words, meaning",
            "zitiert, weil: das Sprachmodell ist fehlgeschlagen; gefunden durch: Wörter der Seite, "
            "Bedeutung",
        ),
        (
            "Answered in 6 statements with 1 citation, page 4-2.",
            "Beantwortet: 6 Aussagen, 1 Fundstelle, Seite 4-2.",
        ),
        ("12 March", "12. März"),
        (
            "The page is not shown: this PDF is protected.",
            "Die Seite wird nicht gezeigt: Diese PDF-Datei ist geschützt.",
        ),
    ],
)
def test_a_stored_sentence_of_the_core_is_told_in_german(stored, german):
    assert in_language(stored, "de") == german
    assert in_language(stored, "en") == stored


@pytest.mark.parametrize(
    "words",
    [
        "Installation and operation",
        "The seal of the pump is worn and dry.",
        "The old manual has no pages that show it.",
        "Tighten the nut of the PE stud with 8 Nm.",
    ],
)
def test_what_a_manual_says_is_never_told_otherwise(words):
    assert in_language(words, "de") == words


def test_a_quote_within_a_sentence_of_ours_stays_as_the_manual_has_it():
    told = in_language("Say instead: The disk is full.", "de")
    assert told == "Stattdessen sagen: The disk is full."


def test_a_reason_out_of_an_exception_is_told_within_its_sentence():
    problem = explain(PdfNeedsPassword("the PDF is encrypted"))
    assert in_language(problem.title, "de") == "Diese PDF-Datei ist geschützt"
    nested = said("{reason} Nothing was written.", reason=ValueError("It holds no library.db."))
    assert in_language(nested, "de") == "Es enthält keine library.db. Nichts wurde geschrieben."


def test_the_list_of_manuals_is_written_in_the_language_of_the_question():
    manual = {
        "title": "Pump P-200",
        "document": "p200.pdf",
        "pages": 4,
        "language": said("English"),
        "state": said("ready"),
        "sections": ("Safety",),
        "text": "",
    }
    assert _sentence([manual], "de") == (
        "In dieser Bibliothek gibt es 1 Handbuch:\n"
        "- Pump P-200 (p200.pdf, 4 Seiten, Englisch, bereit): Safety"
    )
    assert _sentence([manual], "en").startswith("There is 1 manual in this library:")


def test_every_template_of_the_core_has_its_translation():
    assert len(translations("de")) > 500
    assert all(translations("de").values())
