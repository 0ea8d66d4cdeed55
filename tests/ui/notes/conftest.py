from __future__ import annotations

import pytest

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
def page(window, workspace, qtbot):
    """The window of the notes, with the latest note open."""
    window.library_panel.notes_button.click()
    page = window.notes.page
    qtbot.waitUntil(lambda: page.shown is page.note)
    return page


@pytest.fixture
def empty_page(window, tmp_path, qtbot):
    """The window of the notes of a library that has none."""
    window.open_workspace(fake_workspace(tmp_path, *SHELF))
    qtbot.waitUntil(lambda: window.library_panel.notes_button.isVisible())
    window.notes.show_page()
    return window.notes.page
