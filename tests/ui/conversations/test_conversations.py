"""Conversations in the window, kept by a real library."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QDialog, QFileDialog, QLabel, QLineEdit, QPushButton

from desktop.core.conversations.store import Conversations
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    NearestPageEvent,
    PageRegion,
    TokenEvent,
)
from desktop.core.store.database import Database
from desktop.ui.chat.turn_parts import ProblemBlock, SafetyBlock
from desktop.ui.window.main_window import MainWindow
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual


@pytest.fixture
def database(tmp_path):
    with Database.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def store(database):
    return Conversations(database)


@pytest.fixture
def workspace(tmp_path, store):
    made = fake_workspace(tmp_path, manual(1, "Operator"), manual(2, "Installer"))
    made.conversations = store
    made.answer = scripts.answered()
    return made


@pytest.fixture
def open_window(qtbot, workspace):
    """Opens the window on the library, again if wanted; every one is closed at the end."""
    windows: list[MainWindow] = []

    def run() -> MainWindow:
        window = MainWindow(workspace, viewer_factory=FakeViewer)
        qtbot.addWidget(window)
        windows.append(window)
        window.resize(1440, 900)
        window.show()
        qtbot.waitUntil(lambda: window.findChild(FakeViewer) is not None)
        settled(qtbot, window)
        return window

    yield run
    for window in windows:
        window.close()


def settled(qtbot, window) -> None:
    qtbot.waitUntil(lambda: not window.conversations._errands.running)


def ask(qtbot, window, question) -> None:
    window.chat.ask(question)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running and not window.asking._question.running)
    settled(qtbot, window)


def show_list(qtbot, window) -> None:
    window.chat.header.list_button.click()
    settled(qtbot, window)


def listed(window) -> list[str]:
    return [view.title for view in window.chat.drawer.rows.views()]


def id_of(window, title) -> int:
    return int(window.chat.drawer.rows.all_keys()[listed(window).index(title)])


def questions(window) -> list[str]:
    return [turn.question for turn in window.chat.turns]


def test_the_last_conversation_reopens_with_answers_warnings_citations_and_reasoning(
    qtbot, open_window
):
    first = open_window()
    ask(qtbot, first, "How long does the battery test last?")
    ask(qtbot, first, "and for the external one?")
    before = first.chat.turns[0].answer.prose[0].toPlainText()
    first.close()

    second = open_window()
    assert questions(second) == [
        "How long does the battery test last?",
        "and for the external one?",
    ]
    turn = second.chat.turns[0]
    assert turn.answer.prose[0].toPlainText() == before
    assert turn.outcome == "answered"
    assert [each.title for each in turn.sources.cards] == ["Operator", "Installer"]
    assert len(turn.findChildren(SafetyBlock)) == 1
    assert second.trace.accessibleDescription() == "and for the external one?"


def test_a_citation_of_a_reopened_answer_opens_on_the_same_passage(qtbot, open_window):
    first = open_window()
    ask(qtbot, first, "How long?")
    shown = first.findChild(FakeViewer).shown
    first.chat.turns[0].answer.citation_clicked.emit(2)
    wanted = shown[-1]
    first.close()

    second = open_window()
    viewer = second.findChild(FakeViewer)
    assert viewer.shown == [], "reopening does not turn the page that is read"
    second.chat.turns[0].answer.citation_clicked.emit(2)
    assert viewer.shown == [wanted]
    assert wanted[0][wanted[1]] == scripts.TEST_ROW


def test_a_follow_up_goes_to_the_same_conversation_and_a_new_one_begins_another(
    qtbot, open_window, store
):
    window = open_window()
    ask(qtbot, window, "one")
    ask(qtbot, window, "two")
    window.chat.header.new_button.click()
    assert questions(window) == []
    assert window.chat.header.title.text() == "Answers"
    assert store.list()[0].turns == 2
    ask(qtbot, window, "three")
    assert [(each.title, each.turns) for each in store.list()] == [("three", 1), ("one", 2)]


def test_a_conversation_that_was_continued_after_a_restart_stays_one(qtbot, open_window, store):
    first = open_window()
    ask(qtbot, first, "one")
    first.close()
    second = open_window()
    ask(qtbot, second, "two")
    assert [(each.title, each.turns) for each in store.list()] == [("one", 2)]


def test_what_was_left_open_reopens_be_it_an_earlier_conversation_or_a_new_one(
    qtbot, open_window, store
):
    first = open_window()
    ask(qtbot, first, "one")
    first.conversations.new()
    ask(qtbot, first, "two")
    first.conversations.do("open", id_of(first, "one"))
    qtbot.waitUntil(lambda: questions(first) == ["one"])
    first.close()
    second = open_window()
    assert questions(second) == ["one"]
    second.conversations.new()
    second.close()
    assert questions(open_window()) == []


def test_the_list_is_searched_in_questions_and_answers(qtbot, open_window, store):
    for question, answer in (("Battery?", "24 hours"), ("Valve?", "In the cellar")):
        events = [TokenEvent(answer), CompleteEvent("answered", 1.0, 1)]
        store.add_turn(store.create(), question, events)
    window = open_window()
    show_list(qtbot, window)
    assert listed(window) == ["Valve?", "Battery?"]
    qtbot.keyClicks(window.chat.drawer.field, "24 HO")
    qtbot.waitUntil(lambda: listed(window) == ["Battery?"])
    qtbot.keyClick(window.chat.drawer.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: questions(window) == ["Battery?"])
    assert not window.chat.drawer_shown
    show_list(qtbot, window)
    assert window.chat.drawer.field.text() == ""
    window.chat.drawer.field.setText("boiler")
    qtbot.waitUntil(lambda: window.chat.drawer._nothing.isVisible())
    assert window.chat.drawer._nothing.text() == "No conversations match “boiler”."


def test_the_list_is_used_with_the_keyboard_alone(qtbot, open_window, store):
    for question in ("first", "second"):
        store.add_turn(store.create(), question, [CompleteEvent("cancelled", 1.0, 1)])
    window = open_window()
    shortcuts = {
        each.text(): each.shortcut().toString()
        for each in window.findChildren(QAction)
        if each.text() in ("New conversation", "All conversations")
    }
    assert shortcuts == {"New conversation": "Ctrl+N", "All conversations": "Ctrl+Shift+H"}
    show_list(qtbot, window)
    qtbot.keyClick(window.chat.drawer.field, Qt.Key.Key_Down)
    rows = window.chat.drawer.rows
    assert rows.key == str(window.conversations.current)
    qtbot.keyClick(rows, Qt.Key.Key_Down)
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: questions(window) == ["first"])
    show_list(qtbot, window)
    qtbot.keyClick(window.chat, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.chat.drawer_shown)


def test_a_deleted_conversation_can_be_brought_back_and_is_gone_after_that(
    qtbot, open_window, store
):
    window = open_window()
    ask(qtbot, window, "How long?")
    deleted = window.conversations.current
    window.conversations.do_current("delete")
    settled(qtbot, window)
    assert questions(window) == []
    assert listed(window) == []
    assert store.list() != [], "nothing is lost while it can be undone"
    undo = next(b for b in window.chat.findChildren(QPushButton) if b.text() == "Undo")
    undo.click()
    qtbot.waitUntil(lambda: questions(window) == ["How long?"])
    assert window.conversations.current == deleted

    window.conversations.do_current("delete")
    window.close()
    assert store.list() == []


def test_renaming_is_seen_in_the_list_and_above_the_answers(qtbot, open_window, store):
    window = open_window()
    ask(qtbot, window, "How long?")
    window.conversations.do_current("rename")
    dialog = window.findChild(QDialog)
    assert dialog.findChild(QLineEdit).text() == "How long?"
    dialog.findChild(QLineEdit).setText("Battery <b>test</b>")
    dialog.accept()
    qtbot.waitUntil(lambda: window.chat.header.title.text() == "Battery <b>test</b>")
    assert listed(window) == ["Battery <b>test</b>"]
    assert window.chat.header.title.textFormat() == Qt.TextFormat.PlainText


def test_a_conversation_is_exported_where_a_person_wants_it(qtbot, open_window, tmp_path):
    window = open_window()
    ask(qtbot, window, "How long: <2 h?")
    window.conversations.do_current("export")
    dialog = window.findChild(QFileDialog)
    assert [Path(each).name for each in dialog.selectedFiles()] == ["How long 2 h.md"]
    dialog.close()
    target = tmp_path / "battery.md"
    window.conversations.export(window.conversations.current, target)
    settled(qtbot, window)
    assert "operator-manual.pdf, page 5-4" in target.read_text(encoding="utf-8")
    assert window.chat.drawer.notices.texts() == ["Exported to battery.md."]


def test_an_export_that_fails_says_why(qtbot, open_window, tmp_path):
    window = open_window()
    ask(qtbot, window, "How long?")
    window.conversations.export(window.conversations.current, tmp_path / "missing" / "x.md")
    settled(qtbot, window)
    (notice,) = window.chat.drawer.notices.texts()
    assert notice.startswith("A file or folder does not exist")
    assert window.chat.drawer.notices.isVisible()


def test_what_a_crash_left_is_shown_as_interrupted_and_can_be_asked_again(
    qtbot, open_window, store, workspace
):
    recording = store.begin_turn(store.create(), "How long?")
    recording.take(TokenEvent("It lasts "))
    recording.flush()
    store.mark_interrupted()
    window = open_window()
    (turn,) = window.chat.turns
    assert turn.answer.prose[0].toPlainText().strip() == "It lasts"
    problem = turn.findChild(ProblemBlock)
    assert "The answer was interrupted" in [each.text() for each in problem.findChildren(QLabel)]
    problem.findChild(QPushButton).click()
    qtbot.waitUntil(lambda: len(workspace.asked) == 1)
    recording.close()


def test_citations_of_a_manual_that_was_removed_say_so(open_window, store):
    gone = PageRegion(99, "old.pdf", 3, "4", ())
    events = [TokenEvent("5 A"), CitationEvent(1, gone, "5 amperes")]
    store.add_turn(store.create(), "Fuse?", [*events, CompleteEvent("answered", 1.0, 1)], [99])
    window = open_window()
    (turn,) = window.chat.turns
    (card,) = turn.sources.cards
    assert card.title == "old.pdf (no longer in the library)"
    assert window.chat.composer.scope.selected == frozenset()


def test_another_conversation_stops_the_running_question_and_gets_nothing_of_it(
    qtbot, open_window, store, workspace
):
    store.add_turn(store.create(), "old", [CompleteEvent("cancelled", 1.0, 1)])
    window = open_window()
    old = window.conversations.current
    window.chat.header.new_button.click()
    workspace.hold.clear()
    window.chat.ask("running")
    qtbot.waitUntil(lambda: bool(window.chat.turns[0].text))
    settled(qtbot, window)
    show_list(qtbot, window)
    window.conversations.do("open", old)
    qtbot.waitUntil(lambda: questions(window) == ["old"])
    qtbot.waitUntil(lambda: not window.asking._question.running)
    settled(qtbot, window)
    assert questions(window) == ["old"]
    assert window.chat.turns[0].text == ""
    assert window.trace.accessibleDescription() == "old"
    assert not window.chat.composer._running
    stored = {turn.prompt: turn.outcome for turn in store.turns(id_of(window, "running"))}
    assert stored == {"running": "cancelled"}


def test_the_reasoning_of_every_answer_can_be_seen_again(qtbot, open_window, workspace):
    window = open_window()
    ask(qtbot, window, "one")
    workspace.answer = scripts.not_found()
    ask(qtbot, window, "two")
    assert window.trace.accessibleDescription() == "two"
    window.trace.hide()
    window.chat.turns[0].reasoning.click()
    assert window.trace.isVisible()
    assert window.trace.accessibleDescription() == "one"


def test_a_long_conversation_begins_with_its_newest_questions_and_has_the_others(
    qtbot, open_window, store
):
    id_ = store.create()
    for number in range(25):
        store.add_turn(id_, f"question {number}", scripts.answered())
    window = open_window()
    assert questions(window) == [f"question {number}" for number in range(15, 25)]
    button = window.chat.list.earlier_button
    assert button.accessibleName() == "Show earlier questions (15)"
    top = window.chat.turns[0]
    window.chat.list.verticalScrollBar().setValue(0)
    before = top.mapTo(window.chat.list, top.rect().topLeft()).y()
    button.click()
    qtbot.waitUntil(lambda: top.mapTo(window.chat.list, top.rect().topLeft()).y() == before)
    button.click()
    assert questions(window) == [f"question {number}" for number in range(25)]
    assert not button.isVisible()
    ask(qtbot, window, "one more")
    assert questions(window)[-1] == "one more"
    window.chat.header.new_button.click()
    assert questions(window) == []
    assert not button.isVisible()


def test_every_control_of_the_list_is_large_enough_and_has_a_name(qtbot, open_window, store):
    store.add_turn(store.create(), "How long?", scripts.answered())
    window = open_window()
    show_list(qtbot, window)
    window.conversations.do_current("delete")
    window.conversations.new()
    ask(qtbot, window, "Again?")
    show_list(qtbot, window)
    qtbot.waitUntil(lambda: bool(window.chat.drawer.rows.findChildren(QAbstractButton)))
    buttons = [
        each
        for each in window.chat.findChildren(QAbstractButton)
        if each.isVisible() and not isinstance(each.parent(), QLineEdit)
    ]
    assert [each for each in buttons if min(each.width(), each.height()) < 32] == []
    assert [each for each in buttons if not each.accessibleName()] == []
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in texts(window))


def texts(window):
    return window.chat.findChildren(QLabel)


def test_a_conversation_that_is_opened_shows_its_last_page_and_no_other_mark(
    open_window, store, qtbot
):
    def conversation(title, *events, outcome):
        id_ = store.create(title, frozenset())
        store.add_turn(id_, title, [*events, CompleteEvent(outcome, 1.0, 1)])
        return id_

    cited = [CitationEvent(1, scripts.TEST_ROW, "1 h"), TokenEvent("1 h [1]")]
    refused = [TokenEvent("Not sure."), NearestPageEvent(scripts.BATTERY, "24 hours")]
    ids = {
        "answered": conversation("How long?", *cited, outcome="answered"),
        "refused": conversation("How wide?", *refused, outcome="not_found"),
        "cancelled": conversation("How high?", outcome="cancelled"),
        "new": conversation("How old?", outcome="cancelled"),
    }
    window = open_window()
    viewer = window.findChild(FakeViewer)
    for name, page in (("answered", scripts.TEST_ROW), ("refused", scripts.BATTERY)):
        window.conversations.do("open", ids[name])
        qtbot.waitUntil(lambda id_=ids[name]: window.conversations.current == id_)
        places, current = viewer.shown[-1]
        assert places[current] == page
    cleared = viewer.cleared
    window.conversations.do("open", ids["cancelled"])
    qtbot.waitUntil(lambda: window.conversations.current == ids["cancelled"])
    assert viewer.cleared > cleared
