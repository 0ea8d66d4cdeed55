"""From a frame on a page to its explanation in the chat, in the real window."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.ui.asking.controller import timeline_of


def evidence_of(turn):
    """The pages that the steps of an answer point to."""
    return [each for step in timeline_of(turn).steps for each in step.evidence]


@pytest.fixture
def window(qtbot, real_window, sample_library, tmp_path):
    """The real window with the first sample manual open."""
    window = real_window(shutil.copytree(sample_library, tmp_path / "library"))
    first = window._workspace.library.documents()[0].id
    window.centre.open_document(first, 1)
    qtbot.waitUntil(lambda: window.centre.place() == (first, 1))
    return window


def test_a_framed_region_is_explained_in_the_chat_and_the_way_back_is_kept(window, qtbot):
    viewer = window.centre._viewer
    viewer.view.setFocus()
    qtbot.keyClick(viewer.view, Qt.Key.Key_E)
    qtbot.keyClick(viewer.view, Qt.Key.Key_Return)
    framed = viewer.region.area
    qtbot.keyClick(viewer.region_bar.field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running)
    assert "region on page" in turn.question
    assert turn.text.startswith(("There is no vision model", "The region on page"))
    marked = viewer.view.overlays.highlights.current
    assert marked.page == framed.page
    assert marked.boxes == (framed.box,)
    steps = [step.title for step in timeline_of(turn).steps]
    assert steps == ["Read a page"]  # that it is answered stands above
    edges = [box.as_tuple() for each in evidence_of(turn) for box in each.place.regions]
    assert pytest.approx(framed.box.as_tuple(), abs=0.1) in edges
    # asked again it is about the same region; the next question is an ordinary one
    window.chat.ask(turn.question, None, turn.mode, turn.region)
    again = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not again.running)
    assert again.text == turn.text
    window.chat.ask("How is the internal battery G1 replaced?")
    following = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not following.running)
    assert "region on page" not in following.text


def test_contents_and_bookmarks_come_from_the_library_and_are_there_after_a_restart(window, qtbot):
    viewer = window.centre._viewer
    viewer.actions_by_name["outline"].trigger()
    qtbot.waitUntil(lambda: viewer.sidebar.outline.tree.model().rowCount() > 2)
    viewer.actions_by_name["add_bookmark"].trigger()
    qtbot.waitUntil(lambda: len(viewer.beside.bookmarks) == 1)
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
    assert listed["Add note here"] == "A"
