"""A file of questions, asked from the window."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from desktop.ui.asking import handing_on
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual


@pytest.fixture
def opened(monkeypatch):
    """Folders that were shown."""
    paths: list[object] = []
    monkeypatch.setattr(handing_on, "open_with_system", paths.append)
    return paths


@pytest.fixture
def choose(window, tmp_path):
    """Opens the window on a fake library and chooses a file of questions from its menu."""

    def choose(text, *, hold=False):
        workspace = fake_workspace(tmp_path / "library", manual(1, "Operator"), hold=hold)
        workspace.answer = scripts.answered()
        window.held_runs = [workspace.hold]
        window.open_workspace(workspace)
        return pick(text), workspace

    def pick(text, name="questions.csv"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        bar = window.menuBar()
        actions = [each for menu in bar.actions() for each in menu.menu().actions()]
        next(each for each in actions if "questions from a file" in each.text()).trigger()
        dialog = window.findChild(QFileDialog)
        dialog.filesSelected.emit([str(path)])
        dialog.close()
        return path

    return SimpleNamespace(file=choose, another=pick)


def notices(window):
    return window.library_panel.notices


def test_the_answers_lie_beside_the_questions_and_the_folder_is_a_click_away(
    choose, window, qtbot, tmp_path, opened
):
    choose.file("question\nHow long?\nHow often?\n")
    qtbot.waitUntil(lambda: bool(notices(window).texts()))
    assert notices(window).texts() == ["2 questions answered, 0 to check: questions-answers.csv"]
    qtbot.waitUntil(lambda: window.status.task.isHidden())
    rows = (tmp_path / "questions-answers.csv").read_text("utf-8-sig").splitlines()
    assert rows[0].startswith("question,answer,value,how sure")
    button = next(b for b in notices(window).findChildren(QPushButton) if b.text() == "Open folder")
    button.click()
    assert opened == [tmp_path]


def test_how_far_it_is_stands_in_the_status_line_and_stop_keeps_what_is_done(
    choose, window, qtbot, tmp_path
):
    _, workspace = choose.file("question\nHow long?\nHow often?\n", hold=True)
    task = window.status.task
    qtbot.waitUntil(lambda: len(workspace.asked) == 1)
    assert task.isVisible()
    workspace.hold.set()
    qtbot.waitUntil(lambda: "2 questions answered" in " ".join(notices(window).texts()))

    workspace.hold.clear()
    choose.another("question\nHow long?\nHow often?\nWhich oil?\n")
    qtbot.waitUntil(lambda: task.text.text() == "Questions from a file: 2 of 3")
    task.stop.click()
    qtbot.waitUntil(lambda: "1 left" in " ".join(notices(window).texts()))
    qtbot.waitUntil(lambda: task.isHidden())
    rows = (tmp_path / "questions-answers.csv").read_text("utf-8-sig").splitlines()
    assert rows[-1] == "Which oil?,,,,,,,Not asked yet."


def test_a_file_that_cannot_be_used_is_said(choose, window, qtbot):
    choose.file("\n")
    qtbot.waitUntil(lambda: bool(notices(window).texts()))
    assert "There is no question in questions.csv." in notices(window).texts()[0]
    qtbot.waitUntil(lambda: window.status.task.isHidden())


def test_closing_the_window_writes_what_was_answered(choose, window, qtbot, tmp_path):
    _, workspace = choose.file("question\nHow long?\n", hold=True)
    qtbot.waitUntil(lambda: len(workspace.asked) == 1)
    window.close()
    rows = (tmp_path / "questions-answers.csv").read_text("utf-8-sig").splitlines()
    assert rows[1] == "How long?,,,,,,,Not asked yet."
