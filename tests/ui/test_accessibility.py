"""Every window at once: names for VoiceOver, the keyboard reaches all of it, gloves hit it."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtWidgets import QDialog, QPushButton, QTextEdit, QToolButton, QVBoxLayout

from tests.ui.every_window import own_widgets, survey_with_a_fake_library, survey_with_the_samples
from tests.ui.fake_workspace import FakeViewer, fake_workspace
from tests.ui.reach import Survey


@pytest.fixture(scope="module")
def survey(qapp, shelf, tmp_path_factory):
    """What is wrong with every window and dialog there is: opened, looked at, closed."""
    found = Survey()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr("desktop.core.power.read_battery", lambda: None)
        survey_with_a_fake_library(found)
        library = tmp_path_factory.mktemp("walk") / "library"
        survey_with_the_samples(found, shutil.copytree(shelf, library))
    return found


@pytest.fixture
def everything(window, qtbot, tmp_path):
    """The window of a scripted library."""
    window.open_workspace(fake_workspace(tmp_path))
    qtbot.waitUntil(lambda: window.findChild(FakeViewer) is not None)
    return window


def test_no_widget_of_the_program_is_forgotten(survey):
    unseen = own_widgets() - survey.seen
    assert sorted(f"{each.__module__}.{each.__qualname__}" for each in unseen) == []
    assert survey.controls > 1_500


def test_every_control_has_a_name(survey):
    assert sorted(survey.nameless) == []
    assert sorted(survey.untitled) == []


def test_tab_reaches_every_control_that_can_be_seen(survey):
    assert sorted(survey.unreachable) == []


def test_tab_is_typed_into_nothing(survey):
    assert sorted(survey.traps) == []


def test_every_control_is_large_enough_for_a_glove(survey):
    assert sorted(survey.small) == []


def test_the_survey_finds_what_is_wrong(qtbot):
    class Page(QDialog):
        __module__ = "desktop.ui.some_page"

    page = Page()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    nameless, holding = QToolButton(), QTextEdit()
    mouse_only, tiny = QPushButton("A"), QPushButton("B")
    mouse_only.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    mouse_only.setMinimumHeight(40)
    tiny.setFixedSize(20, 20)
    holding.setAccessibleName("Text")
    nameless.setFixedSize(40, 40)
    nameless.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    for each in (nameless, mouse_only, tiny, holding):
        column.addWidget(each)
    page.show()
    found = Survey()
    found.look_at(page, "here")
    page.hide()
    assert found.faults() == {
        "without a name": ["here: Page.QToolButton ''"],
        "not reached by Tab": ["here: Page.QPushButton ''"],
        "too small": ["here: Page.QPushButton '' 20x20"],
        "never left by Tab": ["here: Page.QTextEdit 'Text'"],
        "windows without a title": ["here: Page ''"],
    }
    assert Page in found.seen


def test_every_key_of_the_window_is_on_the_sheet(everything):
    sheet = {keys for _, combined in everything._menus.every_shortcut() for keys in [combined]}
    listed = {part for keys in sheet for part in keys.split(", ")}
    native = QAction().shortcut().SequenceFormat.NativeText
    missing = [
        (action.text(), keys.toString(native))
        for action in everything.menuBar().findChildren(QAction)
        for keys in action.shortcuts()
        if not keys.isEmpty() and keys.toString(native) not in listed
    ]
    assert missing == []
    assert listed >= {"F1", "Ctrl+,"}
    for shortcut in everything.findChildren(
        QShortcut, options=Qt.FindChildOption.FindDirectChildrenOnly
    ):
        assert shortcut.key().toString(native) in listed
