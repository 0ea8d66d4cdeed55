"""The whole window in German, opened bit by bit: no word of ours may be English.

Every translation is marked while it is looked up. What a window shows without a mark is either
what a manual or a person said, or was forgotten.
"""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtWidgets import QApplication

from desktop import sentences, tripwire
from desktop.ui import language
from desktop.ui.language import speak
from tests.ui.every_window import survey_with_a_fake_library, survey_with_the_samples
from tests.ui.german.data_texts import DataTexts
from tests.ui.german.marked import MarkedQt, MarkedTexts, marked, unmarked
from tests.ui.german.shown_texts import painted_texts, shown_texts


class Hunt:
    """Looks at what is on the screen, like a `Survey`, for texts without a mark."""

    def __init__(self, painted: set[str]) -> None:
        self.data = DataTexts()
        self.looked: list[str] = []
        self.translated = 0
        self.left: dict[str, str] = {}
        self._painted = painted
        self._known: set[str] = set()

    def look(self, name: str) -> None:
        """Note what is shown now. name: of the state, for whoever mends it."""
        self.looked.append(name)
        for top in QApplication.topLevelWidgets():
            if top.isVisible():
                top.grab()
        painted = [("painted", text) for text in self._painted]
        self._painted.clear()
        for who, text in (*shown_texts(), *painted):
            self.translated += "\ue000" in text
            for piece in unmarked(text):
                if piece in self._known:
                    continue
                self._known.add(piece)
                if not self.data.holds(piece):
                    self.left[piece] = f"{name}: {who}"

    def told(self) -> str:
        """What is left, a line each."""
        return "\n".join(f"{piece!r} ({where})" for piece, where in self.left.items())


@pytest.fixture
def hunt(qapp, monkeypatch):
    """The window speaks marked German, also of what was to be reached over a network."""
    monkeypatch.setattr(tripwire, "_seen", tripwire._Seen())
    for kind in ("connect", "look up", "bind"):
        tripwire.record(tripwire.Attempt(kind, "192.0.2.1:443"))
    monkeypatch.setattr(language, "OneContext", MarkedTexts)
    monkeypatch.setattr(language, "QTranslator", MarkedQt)
    core = {text: marked(told) for text, told in sentences.translations("de").items()}
    monkeypatch.setattr(sentences, "translations", lambda _: core)
    speak(qapp, "de")
    yield Hunt(painted_texts(monkeypatch))
    monkeypatch.undo()
    speak(qapp, "en")


def test_a_text_without_a_mark_is_found_and_a_value_in_a_translation_too():
    assert unmarked(marked("Seite {page} von {name}").format(page=3, name="Pump")) == ["Pump"]
    assert unmarked(marked("Alle Handbücher")) == []
    assert unmarked("Never translated") == ["Never translated"]


def test_every_state_of_a_scripted_library_is_in_german(hunt):
    survey_with_a_fake_library(hunt)
    assert len(hunt.looked) > 20
    assert hunt.translated > 2_000
    assert not hunt.left, hunt.told()


def test_the_real_window_on_the_samples_is_in_german(hunt, shelf, tmp_path):
    library = tmp_path / "library"
    survey_with_the_samples(hunt, shutil.copytree(shelf, library))
    assert {"asked", "research", "note in the margin"} <= set(hunt.looked)
    assert hunt.translated > 500
    assert not hunt.left, hunt.told()
