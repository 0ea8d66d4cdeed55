"""From a frame on a page to its explanation in the chat, in the real window."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.app import open_workspace
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings
from desktop.ui.main_window import MainWindow
from desktop.ui.reasoning import timeline_of
from tests.e2e.real_library import ingest

LONG_MS = 60_000


def evidence_of(turn):
    """The pages that the steps of an answer point to."""
    return [each for step in timeline_of(turn).steps for each in step.evidence]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The sample manuals, read in once."""
    folder = tmp_path_factory.mktemp("library")
    with closing(open_workspace(folder, settings=Settings())) as workspace:
        ingest(workspace, sample_manuals())
    return folder


@pytest.fixture
def window(qtbot, library):
    """The real window with the first sample manual open."""
    before = set(threading.enumerate())
    workspace = open_workspace(library, settings=Settings())
    window = MainWindow(workspace)
    window.resize(1440, 900)
    window.show()
    qtbot.waitUntil(lambda: window.centre._viewer is not None)
    first = workspace.library.documents()[0].id
    window.centre.open_document(first, 1)
    qtbot.waitUntil(lambda: window.centre.place() == (first, 1))
    yield window
    window.close()
    workspace.close()
    window.deleteLater()
    assert set(threading.enumerate()) <= before


@pytest.mark.timeout(180)
def test_a_framed_region_is_explained_in_the_chat_and_the_way_back_is_kept(window, qtbot):
    viewer = window.centre._viewer
    viewer.view.setFocus()
    qtbot.keyClick(viewer.view, Qt.Key.Key_E)
    qtbot.keyClick(viewer.view, Qt.Key.Key_Return)
    framed = viewer.region.area
    qtbot.keyClick(viewer.region_bar.field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running, timeout=LONG_MS)
    assert "region on page" in turn.question
    assert "the drawing itself was not read" in turn.text
    marked = viewer.view.overlays.highlights.current
    assert marked.page == framed.page
    assert marked.boxes == (framed.box,)
    steps = [step.title for step in timeline_of(turn).steps]
    assert steps[0] == "Read a page"
    assert "Answered" in steps[-1]
    edges = [box.as_tuple() for each in evidence_of(turn) for box in each.place.regions]
    assert pytest.approx(framed.box.as_tuple(), abs=0.1) in edges
    # asked again it is about the same region; the next question is an ordinary one
    window.chat.ask(turn.question, None, turn.mode, turn.region)
    again = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not again.running, timeout=LONG_MS)
    assert again.text == turn.text
    window.chat.ask("How is the internal battery G1 replaced?")
    following = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not following.running, timeout=LONG_MS)
    assert "was not read" not in following.text


@pytest.mark.timeout(180)
def test_contents_and_bookmarks_come_from_the_library_and_are_there_after_a_restart(window, qtbot):
    viewer = window.centre._viewer
    viewer.actions_by_name["outline"].trigger()
    qtbot.waitUntil(lambda: viewer.sidebar.outline.model.rowCount() > 2)
    with qtbot.waitSignal(viewer.beside.changed):
        viewer.actions_by_name["add_bookmark"].trigger()
    assert len(viewer.beside.bookmarks) == 1
    place = window.centre.place()
    viewer.close_document(place[0])
    window.centre.open_document(*place)
    qtbot.waitUntil(lambda: len(viewer.beside.bookmarks) == 1)
    assert viewer.beside.bookmarks[0].page == place[1]


def test_every_command_of_the_viewer_is_in_a_menu_and_its_keys_are_its_own(window):
    viewer = window.centre._viewer
    actions = viewer.actions_by_name
    in_menus = {
        action for menu in window.menuBar().findChildren(QMenu) for action in menu.actions()
    }
    elsewhere = {"copy", "select_page"}  # Edit has them for whatever has the keyboard
    assert {name for name, action in actions.items() if action not in in_menus} == elsewhere
    taken: dict[str, str] = {}
    for action in window.findChildren(QAction):
        for keys in action.shortcuts():
            text = keys.toString()
            if text and action not in (actions["copy"], actions["select_page"]):
                assert taken.setdefault(text, action.text()) == action.text()
    listed = dict(window._menus.every_shortcut())
    assert listed["Explain a region"] == "Ctrl+E, E"
    assert listed["Add note"] == "A"
