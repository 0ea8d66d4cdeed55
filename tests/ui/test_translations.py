from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QPushButton

from desktop.core.errors import DiskFull
from desktop.resources import resource
from desktop.sentences import full, said
from desktop.ui import wording
from desktop.ui.design.notices import explain
from desktop.ui.language import language_in_force, speak, told
from scripts.translations import Source, calls

GERMAN = resource("translations", "groundwork_de.ts")
PLACEHOLDER = re.compile(r"\{\w*\}|%n|%\d")


def messages() -> list[ET.Element]:
    return list(ET.fromstring(GERMAN.read_text("utf-8")).iter("message"))


def translations(message: ET.Element) -> list[str]:
    translation = message.find("translation")
    assert translation is not None
    forms = [form.text or "" for form in translation.findall("numerusform")]
    return forms or [translation.text or ""]


@pytest.fixture
def german(qapp):
    """The window speaks German."""
    speak(qapp, "de")
    yield
    speak(qapp, "en")


def test_every_sentence_has_a_finished_german_translation():
    unfinished = [
        message.findtext("source")
        for message in messages()
        if message.find("translation[@type]") is not None or not all(translations(message))
    ]
    assert len(messages()) > 1000
    assert unfinished == []


def test_a_translation_keeps_what_is_put_into_it_and_its_line_ends():
    wrong = [
        (source, text)
        for message in messages()
        for text in translations(message)
        if (source := message.findtext("source", "")) is not None
        and (
            sorted(PLACEHOLDER.findall(source)) != sorted(PLACEHOLDER.findall(text))
            or source.count("\n") != text.count("\n")
            or source.strip() == source != text == text.strip() + " "
        )
    ]
    assert wrong == []


def test_a_translation_ends_as_its_sentence_ends():
    marks = {".": ".", "?": "?", "…": "…", ":": ":"}
    wrong = [
        (source, text)
        for message in messages()
        for text in translations(message)
        if (source := message.findtext("source", "").strip())
        and marks.get(source[-1:]) != marks.get(text.strip()[-1:])
    ]
    assert wrong == []


def test_the_compiled_file_is_made_of_the_translations(german):
    for message in messages():
        if message.get("numerus") is None and not message.findtext("comment"):
            source = message.findtext("source", "")
            said = QCoreApplication.translate("any class", source)
            assert said == translations(message)[0]


def test_a_class_a_helper_and_qt_itself_speak_german(german, qtbot):
    assert QObject().tr("Cancel") == "Abbrechen"
    assert wording.pages(2) == "2 Seiten"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    button = QPushButton(QObject().tr("never said before"))
    qtbot.addWidget(button)
    assert button.text() == "never said before"


def test_plurals_follow_the_number_in_both_languages(qapp):
    sentence = "%n manuals are being read again."
    speak(qapp, "en")
    assert QCoreApplication.translate("X", sentence, "", 1) == "1 manual is being read again."
    speak(qapp, "de")
    assert QCoreApplication.translate("X", sentence, "", 1) == "1 Handbuch wird neu gelesen."
    assert QCoreApplication.translate("X", sentence, "", 3) == "3 Handbücher werden neu gelesen."
    speak(qapp, "en")


def test_what_the_core_says_is_told_in_german(german):
    assert told(said("Searching {n} manuals", n=7)) == "7 Handbücher werden durchsucht"
    assert told("A sentence of a manual.") == "A sentence of a manual."
    problem = explain(DiskFull("/library", 5 * 2**20))
    assert problem.title == "Der Datenträger ist voll"
    assert "5 MB" in problem.advice
    assert problem.advice.startswith("Geben Sie")
    assert told(full(said("The disk is full"))) == "Der Datenträger ist voll."


def test_a_wish_for_a_language_goes_before_the_system():
    assert language_in_force("de") == "de"
    assert language_in_force("en") == "en"
    assert language_in_force("system") in ("de", "en")


def test_sentences_are_found_wherever_they_are_said():
    code = ast.parse(
        'self.tr("One")\nparent.tr("Two", "menu")\n_tr("Three " "parts")\n'
        'QCoreApplication.translate("X", "Four")\nself.tr("%n fives", "", n)\nprint("not this")'
    )
    names = {"tr": 0, "_tr": 0, "translate": 1}
    assert set(calls(code, names)) == {
        Source("One"),
        Source("Two", "menu"),
        Source("Three parts"),
        Source("Four"),
        Source("%n fives", "", plural=True),
    }
