from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.ui.fake_workspace import fake_workspace
from tests.ui.notes.take_pictures import SHELF, fill


@pytest.fixture
def workspace(window, tmp_path, qtbot):
    """A library with three manuals and four notes."""
    workspace = fake_workspace(tmp_path, *SHELF)
    fill(workspace)
    window.open_workspace(workspace)
    button = window.library_panel.notes_button
    qtbot.waitUntil(lambda: button.accessibleName() == "Notes (4)")
    return workspace


@pytest.fixture
def drawer(window, workspace, qtbot):
    """The drawer of the notes, with the latest note open."""
    window.library_panel.notes_button.click()
    drawer = window.notes.drawer
    qtbot.waitUntil(lambda: drawer.shown is drawer.overview)
    open_row(drawer, qtbot, 0)
    qtbot.waitUntil(lambda: drawer.shown is drawer.note)
    return drawer


def open_row(drawer, qtbot, row):
    """Click on a row of the list."""
    where = drawer.list.visualRect(drawer.list.model().index(row, 0)).center()
    qtbot.mouseClick(drawer.list.viewport(), Qt.MouseButton.LeftButton, pos=where)


@pytest.fixture
def empty_drawer(window, tmp_path, qtbot):
    """The drawer of the notes of a library that has none."""
    window.open_workspace(fake_workspace(tmp_path, *SHELF))
    qtbot.waitUntil(lambda: window.library_panel.notes_button.isVisible())
    window.notes.toggle()
    return window.notes.drawer
