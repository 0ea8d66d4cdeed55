"""A team's folder in the window: keys to trust, conflicts to decide, a folder that is away."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.core.notes.note import Note
from desktop.core.notes.shared_folder import FolderKeeper
from tests.core.notes.test_shared_folder import Person, introduce
from tests.ui.fake_workspace import fake_workspace


@pytest.fixture
def shared(tmp_path):
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def anna(tmp_path, shared):
    return Person(tmp_path, "Anna", shared)


@pytest.fixture
def opened(window, tmp_path, shared, anna):
    """Open a window of Anna, whose notes are exchanged with the folder."""
    keepers = []

    def run():
        workspace = fake_workspace(tmp_path)
        workspace.notes = anna.desk
        workspace.team = FolderKeeper(anna.desk, anna.notes, shared, seconds=0.05)
        keepers.append(workspace.team)
        window.open_workspace(workspace)

    yield run
    window.close()
    for keeper in keepers:
        keeper.close()


def texts(window):
    return "\n".join(window.library_panel.notices.texts())


def press(widget, text):
    shown = [b for b in widget.findChildren(QPushButton) if b.isVisible()]
    next(each for each in shown if each.accessibleName() == text).click()


def test_a_key_is_shown_and_trusted_and_its_notes_come(
    window, qtbot, opened, anna, tmp_path, shared
):
    ben = Person(tmp_path, "Ben", shared)
    ben.desk.add(Note("Valve V3 sticks."))
    ben.sync()
    opened()
    qtbot.waitUntil(lambda: ben.notes.own_fingerprint in texts(window))
    assert anna.texts() == []
    press(window.library_panel.notices, "Trust")
    button = window.library_panel.notes_button
    qtbot.waitUntil(lambda: button.accessibleName() == "Notes (1)")
    assert anna.texts() == ["Valve V3 sticks."]


def test_a_conflict_is_shown_with_both_texts_and_decided(
    window, qtbot, opened, anna, tmp_path, shared
):
    ben = Person(tmp_path, "Ben", shared)
    introduce([anna, ben])
    note = anna.desk.add(Note("Torque 20 Nm."))
    for each in (anna, ben):
        each.sync()
    anna.desk.update(Note("Torque 25 Nm.", note.piece_id, written=note.written))
    ben.desk.update(Note("Torque 30 Nm.", note.piece_id, written=note.written))
    ben.sync()
    opened()
    qtbot.waitUntil(lambda: "Both texts are kept" in texts(window))
    press(window.library_panel.notices, "Decide")
    strip = window.notes.drawer.conflicts
    qtbot.waitUntil(strip.isVisible)
    said = [each.text() for each in strip.findChildren(QLabel)]
    assert {"Torque 25 Nm.", "Torque 30 Nm."} <= set(said)
    keep = [each for each in strip.findChildren(QPushButton) if each.text() == "Keep this"]
    next(each for each in keep if each.accessibleDescription() == "Torque 25 Nm.").click()
    qtbot.waitUntil(strip.isHidden)
    ben.sync()
    assert ben.texts() == anna.texts() == ["Torque 25 Nm."]


def test_a_folder_that_is_away_is_said_once(window, qtbot, opened, shared):
    shared.rename(shared.with_name("away"))
    opened()
    qtbot.waitUntil(lambda: "cannot be reached" in texts(window))
    assert texts(window).count("cannot be reached") == 1
