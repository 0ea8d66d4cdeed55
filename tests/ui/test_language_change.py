"""Another language in the settings is another window: everything stays, nothing is left behind."""

from __future__ import annotations

import gc
import shutil
import threading
from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop.app import open_workspace
from desktop.core.settings.file import settings_file
from desktop.core.settings.sections import Settings
from desktop.core.settings.storage import load_settings
from desktop.ui import wording
from desktop.ui.asking.report_view import ReportView
from desktop.ui.chat.chat_panel import ChatPanel
from desktop.ui.language import spoken_language
from desktop.ui.library.panel import LibraryPanel
from desktop.ui.notes.drawer import NotesDrawer
from desktop.ui.settings.page import SettingsPage
from desktop.ui.viewer.panel import ViewerPanel
from desktop.ui.viewer.session import read_session
from desktop.ui.window.main_window import MainWindow
from tests.fakes.manuals import excerpt
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual
from tests.ui.real_window import (
    LONG_MS,
    ask,
    choose_language,
    drop,
    id_of,
    rows,
    wait_for_language,
)

ONE_EACH = (MainWindow, LibraryPanel, ChatPanel, ViewerPanel, NotesDrawer, SettingsPage)


def assert_settings_are_open(shown, title, language):
    page = shown.window.settings.page
    box = page.row("window", "language").editor.control
    assert page.isVisible()
    assert page.windowTitle() == title
    assert box.currentData() == language
    assert not box.visibleRegion().isEmpty()


def menus(window):
    return [each.text() for each in window.menuBar().actions()]


def left_alive():
    """How many of what a window has one of are known to Qt or to Python, where not one."""
    known = {id(each): each for each in (*QApplication.allWidgets(), *gc.get_objects())}
    counts = Counter(type(each) for each in known.values())
    return {kind.__name__: counts[kind] for kind in ONE_EACH if counts[kind] != 1}


def threads():
    return Counter(each.name for each in threading.enumerate())


def tabs_and_marks(window):
    """Manuals with their pages, the one in front, and what is marked; zoom is of the size."""
    session = read_session(window.centre.session())
    return [(tab.document, tab.page) for tab in session.tabs], session.front, session.marks


def questions(window):
    return [turn.question for turn in window.chat.turns]


def test_the_window_changes_its_language_and_back_with_tabs_page_draft_and_conversation(
    show, shelf, tmp_path, qtbot
):
    folder = shutil.copytree(shelf, tmp_path / "library")
    shown = show(open_workspace(folder, settings=Settings()), folder)
    first = id_of(shown.window, "installation")
    second = next(each.id for each in shown.window._model.records() if each.id != first)
    ask(shown.window, qtbot)
    shown.window.chat.composer.mode.choose("strict")
    ask(shown.window, qtbot, "Verify whether it is 0.6 Nm.").research.report_button.click()
    assert shown.window.findChild(ReportView).isVisible()
    left_open = questions(shown.window)
    shown.window.conversations.new()
    shown.window.chat.composer.mode.choose("")
    ask(shown.window, qtbot, "How often is the filter cleaned?")
    shown.window.centre.open_document(second, 3)
    qtbot.waitUntil(lambda: shown.window.centre.place() == (second, 3))
    shown.window.centre.open_document(first, 2)
    qtbot.waitUntil(lambda: shown.window.centre.place() == (first, 2))
    earlier = shown.window.conversations._known
    qtbot.waitUntil(lambda: len(earlier) == 2)
    shown.window.conversations.do("open", min(earlier))
    qtbot.waitUntil(lambda: questions(shown.window) == left_open)
    shown.window.chat.composer.field.setPlainText("And the torque of")
    shown.window.notes.toggle()
    left, place = tabs_and_marks(shown.window), shown.window.centre.place()
    assert sorted(document for document, _ in left[0]) == sorted((first, second))
    before = threads()
    assert menus(shown.window)[0] == "&File"

    choose_language(shown, "de")
    wait_for_language(shown, qtbot, "de")
    qtbot.waitUntil(lambda: shown.window.centre.place() == place)
    qtbot.waitUntil(lambda: questions(shown.window) == left_open)
    assert menus(shown.window)[0] == "&Datei"
    assert shown.window.isVisible()
    assert shown.window.notes.is_open
    assert shown.window.chat.composer.field.toPlainText() == "And the torque of"
    assert tabs_and_marks(shown.window) == left
    assert_settings_are_open(shown, "Einstellungen", "de")
    assert wording.number(1293) == "1.293"
    assert wording.day_and_time("2026-03-05T10:00:00Z") == "5 März 2026"
    qtbot.waitUntil(lambda: left_alive() == {})
    qtbot.waitUntil(lambda: threads() <= before)
    assert load_settings(settings_file()).settings.window.language == "de"

    choose_language(shown, "en")
    wait_for_language(shown, qtbot, "en")
    qtbot.waitUntil(lambda: shown.window.centre.place() == place)
    qtbot.waitUntil(lambda: questions(shown.window) == left_open)
    assert menus(shown.window)[0] == "&File"
    assert tabs_and_marks(shown.window) == left
    assert_settings_are_open(shown, "Settings", "en")
    qtbot.waitUntil(lambda: left_alive() == {})


def test_a_manual_that_is_being_read_is_read_on_by_the_window_in_the_other_language(
    show, tmp_path, qtbot
):
    folder = tmp_path / "library"
    shown = show(open_workspace(folder, settings=Settings()), folder)
    drop(shown.window, excerpt(tmp_path / "pump.pdf", *range(8)))
    qtbot.waitUntil(lambda: len(rows(shown.window)) == 1)
    chosen = id_of(shown.window, "pump")
    qtbot.waitUntil(lambda: shown.window._model.record(chosen).state == "indexing")
    choose_language(shown, "de")
    wait_for_language(shown, qtbot, "de")
    before = shown.window._model.record(chosen)
    assert before.state == "indexing"
    # of the three passes, layout is the one that takes long
    qtbot.waitUntil(
        lambda: shown.window._model.record(chosen).done[1] > before.done[1], timeout=LONG_MS
    )


def test_a_question_is_answered_before_the_language_changes(show, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr("desktop.ui.viewer.centre.make_viewer", FakeViewer)
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), hold=True)
    workspace.answer = scripts.answered()
    shown = show(workspace)
    shown.window.chat.composer.field.setPlainText("How long?")
    qtbot.keyClick(shown.window.chat.composer.field, Qt.Key.Key_Return)
    old = shown.window
    choose_language(shown, "de")
    strip = shown.window.settings.page.notices
    qtbot.waitUntil(lambda: any("as soon as" in text for text in strip.texts()))
    assert shown.window is old
    assert spoken_language() == "en"
    workspace.hold.set()
    wait_for_language(shown, qtbot, "de")
    qtbot.waitUntil(lambda: questions(shown.window) == ["How long?"])
    assert shown.window.chat.turns[0].outcome == "answered"


def test_a_language_that_is_chosen_and_taken_back_changes_nothing(
    show, tmp_path, qtbot, monkeypatch
):
    monkeypatch.setattr("desktop.ui.viewer.centre.make_viewer", FakeViewer)
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), hold=True)
    workspace.answer = scripts.answered()
    shown = show(workspace)
    old = shown.window
    old.chat.ask("How long?")
    choose_language(shown, "de")
    strip = old.settings.page.notices
    qtbot.waitUntil(lambda: strip.texts() != [])
    choose_language(shown, "en")
    qtbot.waitUntil(lambda: not shown._waiting.isActive())
    workspace.hold.set()
    qtbot.waitUntil(lambda: not old.is_busy)
    assert shown.window is old
    assert spoken_language() == "en"
