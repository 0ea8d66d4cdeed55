"""Speaking a question and having an answer read: scripted microphone, recogniser and voice."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt

from desktop.core.voice import MicrophoneUnavailable, NoVoice, Recording
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual


class Recogniser:
    """Hears what it was told to; remembers the sound."""

    model_id = "scripted"

    def __init__(self, *texts):
        self.texts, self.heard = list(texts), []

    def transcribe(self, samples):
        self.heard.append(samples)
        return self.texts.pop(0)


class ScriptedMicrophone:
    failure: Exception | None = None
    most_seconds = 30.0

    @contextmanager
    def recording(self):
        if self.failure is not None:
            raise self.failure
        recording = Recording()
        recording.add(np.full(1_600, 0.1, np.float32))
        yield recording


@pytest.fixture
def listening(window, tmp_path):
    """A window with a microphone that hears these texts; returns the recogniser."""

    def run(*texts):
        workspace = fake_workspace(tmp_path, manual(1, "Pump"))
        recogniser = Recogniser(*texts) if texts else None
        workspace.models.speech = lambda: recogniser
        workspace.answer = scripts.answered()
        window.voice.microphone = ScriptedMicrophone()
        window.open_workspace(workspace)
        window.workspace_in_test = workspace
        return recogniser

    return run


def said(window):
    return window.voice.strip.text() if window.voice.strip.isVisible() else ""


def hold(window, qtbot):
    window.voice.begin()
    qtbot.waitUntil(lambda: "Listening" in said(window))


def test_what_was_spoken_lands_in_the_field_and_is_not_sent(window, qtbot, listening):
    recogniser = listening("Which torque for M8?")
    window.chat.composer.write("Pump:")
    hold(window, qtbot)
    window.voice.end()
    field = window.chat.composer.field
    qtbot.waitUntil(lambda: field.toPlainText() == "Pump: Which torque for M8?")
    qtbot.waitUntil(lambda: not window.voice.listening)
    assert len(recogniser.heard[0]) == 1_600
    assert window.chat.turns == []
    assert said(window) == ""


def test_the_button_held_listens_and_a_tap_listens_until_the_next(window, qtbot, listening):
    listening("one", "two")
    button, left = window.chat.composer.speak, Qt.MouseButton.LeftButton
    qtbot.mousePress(button, left)
    qtbot.waitUntil(lambda: "Listening" in said(window))
    window.voice._since -= 1.0  # held for a second
    qtbot.mouseRelease(button, left)
    qtbot.waitUntil(lambda: window.chat.composer.field.toPlainText() == "one")
    qtbot.waitUntil(lambda: not window.voice.listening)
    qtbot.mouseClick(button, left)
    qtbot.waitUntil(lambda: "Listening" in said(window))
    assert window.voice.listening
    qtbot.mouseClick(button, left)
    qtbot.waitUntil(lambda: window.chat.composer.field.toPlainText() == "one two")


def test_the_held_key_listens_until_it_is_let_go(window, qtbot, listening):
    listening("one")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyPress(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: "Listening" in said(window))
    qtbot.keyRelease(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: window.chat.composer.field.toPlainText() == "one")
    qtbot.waitUntil(lambda: not window.voice.listening)


def test_esc_forgets_what_was_heard(window, qtbot, listening):
    recogniser = listening("never")
    window.chat.composer.field.setFocus()
    hold(window, qtbot)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.voice.listening)
    assert recogniser.heard == []
    assert window.chat.composer.field.toPlainText() == ""


def test_without_a_model_the_next_step_is_said(window, qtbot, listening):
    listening()
    window.chat.composer.speak.click()
    qtbot.waitUntil(lambda: "no model that understands speech" in said(window))
    assert "Models page" in said(window)


def test_without_a_microphone_the_next_step_is_said(window, qtbot, listening):
    listening("never")
    window.voice.microphone.failure = MicrophoneUnavailable("No microphone. Connect one.")
    window.voice.begin()
    qtbot.waitUntil(lambda: said(window) == "No microphone. Connect one.")


def test_nothing_understood_is_said(window, qtbot, listening):
    listening("")
    hold(window, qtbot)
    window.voice.end()
    qtbot.waitUntil(lambda: "Nothing was understood" in said(window))


@pytest.fixture
def voice(monkeypatch):
    """A voice that speaks until it is stopped; returns what it was given."""
    given: list[Any] = []
    failure: list[Exception] = []

    def speak(text, language, stopped):
        if failure:
            raise failure[0]
        given.append((text, language))
        while not stopped():
            threading.Event().wait(0.005)
        given.append("stopped")

    monkeypatch.setattr("desktop.core.voice.read_aloud", speak)
    return SimpleNamespace(given=given, failure=failure)


def ask(window, qtbot):
    qtbot.keyClicks(window.chat.composer.field, "How long?")
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


@pytest.mark.parametrize("how", ["Esc", "a new question"])
def test_an_answer_is_read_aloud_until_esc_or_a_new_question(window, qtbot, listening, voice, how):
    listening("never")
    ask(window, qtbot)
    window.voice.read_last()
    qtbot.waitUntil(lambda: bool(voice.given))
    assert voice.given[0][0] == window.chat.turns[-1].text
    if how == "Esc":
        window.chat.composer.field.setFocus()
        qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    else:
        ask(window, qtbot)
    qtbot.waitUntil(lambda: voice.given[-1] == "stopped")


def test_a_system_without_a_voice_is_said(window, qtbot, listening, voice):
    listening("never")
    ask(window, qtbot)
    voice.failure.append(NoVoice("This system has no voice. Install espeak-ng."))
    window.voice.read_last()
    qtbot.waitUntil(lambda: "Install espeak-ng" in said(window))
