"""A photo of a nameplate in the window: pasted, dropped, read, and its manual asked."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.core.errors import NotAPicture
from desktop.core.events import CompleteEvent, TokenEvent
from desktop.core.library.places import EVERYWHERE
from desktop.core.nameplates.finder import Clue, Match, PlateFinding
from desktop.core.nameplates.plate import Plate
from desktop.core.structure.values import PageImage, PhotoLine, PhotoText
from tests.ui.fake_workspace import FakeRun, fake_workspace, manual

PHOTO = PhotoText((PhotoLine("HX-200", (0, 0, 9, 9), 0.9),), PageImage(4, 3, b"\x80" * 36))
PLATE = Plate(("HX-200",), maker="Lydmoor", model="HX-200", serial="A 17")


def match(id_, title):
    return Match((id_,), (title,), EVERYWHERE, 9.0, (Clue("HX-200", "title", 9.0, True),))


class Plates:
    """Satisfies `NameplateReader`; gives what it was told to, once it may."""

    def __init__(self, finding):
        self.finding = finding
        self.data = []
        self.may = threading.Event()
        self.may.set()

    def read(self, data):
        self.data.append(data)
        self.may.wait()
        if isinstance(self.finding, Exception):
            raise self.finding
        return PHOTO, self.finding


@pytest.fixture
def opened(window, tmp_path):
    """Open a library of three manuals whose plates are read so; returns the plates."""

    def run(finding):
        shelf = [manual(1, "Pump"), manual(2, "Boiler"), manual(3, "Fan")]
        workspace = fake_workspace(tmp_path, *shelf)
        workspace.nameplates = Plates(finding)
        window.open_workspace(workspace)
        window.workspace_in_test = workspace
        return workspace.nameplates

    return run


def paste(window, **formats):
    data = QMimeData()
    for name, value in formats.items():
        if name == "text":
            data.setText(value)
        else:
            data.setData(f"image/{name}", value)
    QApplication.clipboard().setMimeData(data)
    window.chat.composer.field.paste()
    QApplication.clipboard().clear()  # Python's data on it ends the process with a fault


def buttons(window):
    return [each for each in window.nameplates.card.findChildren(QPushButton) if each.isVisible()]


def press(window, qtbot, text):
    def found():
        return [each for each in buttons(window) if each.accessibleName() == text]

    qtbot.waitUntil(lambda: bool(found()))
    found()[0].click()


def shown(window):
    card = window.nameplates.card
    return "\n".join(each.text() for each in (card.read, card.found) if each.isVisible())


def test_a_pasted_picture_is_read_and_its_manual_is_asked_next(window, qtbot, opened):
    plates = opened(PlateFinding(PLATE, "found", (match(2, "Boiler"),)))
    plates.may.clear()
    paste(window, png=b"pixels")
    assert "Reading the picture" in shown(window)
    plates.may.set()
    qtbot.waitUntil(lambda: window.chat.composer.scope.selected == {2})
    assert plates.data == [b"pixels"]
    assert "Read: Lydmoor, HX-200, serial number A 17." in shown(window)
    assert "“Boiler”" in shown(window)
    assert "“HX-200” is in its title" in shown(window)
    assert window.chat.composer.field.toPlainText() == ""


def test_a_dropped_photo_goes_to_the_question_field_and_not_to_the_library(
    window, qtbot, opened, tmp_path
):
    plates = opened(PlateFinding(PLATE, "nothing"))
    photo = tmp_path / "plate.jpg"
    photo.write_bytes(b"jpeg")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(photo))])
    left, action = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, data, left, none)
    QApplication.sendEvent(window.chat.composer, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(9, 9), action, data, left, none)
    QApplication.sendEvent(window.chat.composer, drop)
    qtbot.waitUntil(lambda: "No manual in this library matches the nameplate." in shown(window))
    assert plates.data == [b"jpeg"]
    assert window.workspace_in_test.ingestion.enqueued == []


def test_several_candidates_are_asked_about(window, qtbot, opened):
    opened(PlateFinding(PLATE, "asked", (match(1, "Pump"), match(3, "Fan"))))
    paste(window, jpeg=b"pixels")
    qtbot.waitUntil(lambda: "Which one?" in shown(window))
    assert window.chat.composer.scope.selected == frozenset()
    press(window, qtbot, "Fan")
    assert window.chat.composer.scope.selected == {3}
    assert "Questions now go to “Fan”." in shown(window)
    assert buttons(window) == []


def test_what_is_no_picture_is_said_with_the_next_step(window, qtbot, opened):
    opened(NotAPicture("damaged"))
    paste(window, png=b"nonsense")
    qtbot.waitUntil(lambda: "This is not a readable picture." in shown(window))
    assert "JPEG or PNG" in shown(window)


def test_pasted_text_stays_text_even_if_a_picture_comes_with_it(window, opened):
    plates = opened(PlateFinding(PLATE, "nothing"))
    paste(window, text="Torque of the cover?", png=b"a picture of the cell")
    assert window.chat.composer.field.toPlainText() == "Torque of the cover?"
    assert plates.data == []


def test_a_picture_can_be_asked_about_and_is_forgotten_with_the_card(window, qtbot, opened):
    opened(PlateFinding(PLATE, "nothing"))
    workspace = window.workspace_in_test
    asked = []

    def ask_picture(question, photo, ids, on_event, on_done, conversation_id=None):
        asked.append((question, photo))
        events: list[Any] = [
            TokenEvent("There is no vision model."),
            CompleteEvent("not_found", 1.0, 1),
        ]
        return FakeRun(events, workspace.hold, on_event, on_done)

    workspace.ask_picture = ask_picture
    paste(window, png=b"pixels")
    qtbot.waitUntil(lambda: bool(buttons(window)))
    press(window, qtbot, "Ask about the picture")
    qtbot.waitUntil(lambda: bool(asked) and not window.chat.turns[-1].running)
    assert asked == [("What is this part?", PHOTO)]
    assert "There is no vision model." in window.chat.turns[-1].text
    assert window.nameplates.card.isHidden()
