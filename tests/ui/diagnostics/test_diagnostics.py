from __future__ import annotations

import sys
import threading
import zipfile

import pytest
from PySide6.QtWidgets import QPushButton

from desktop.core.diagnostics import checkup
from desktop.ui.window.help import UnexpectedErrors
from tests.ui.fake_workspace import fake_workspace, manual


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Leave out what takes seconds: starting the parser, hashing the text model."""
    for check in ("_parser", "_text_embedder"):
        finding = checkup.Finding(check, "ok", "not looked at")
        monkeypatch.setattr(checkup, check, lambda *_, finding=finding: finding)


def test_the_bundle_is_saved_from_the_window_and_it_says_so(window, qtbot, tmp_path):
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump")))
    window.diagnostics.save(tmp_path / "help.zip")
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: any("help.zip" in text for text in notices.texts()))
    assert "library.json" in zipfile.ZipFile(tmp_path / "help.zip").namelist()


def test_a_bundle_that_cannot_be_written_says_what_to_do(window, qtbot, tmp_path):
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump")))
    window.diagnostics.save(tmp_path / "nowhere" / "help.zip")
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: any("Check" in text for text in notices.texts()))


@pytest.fixture
def errors(monkeypatch):
    """Errors that go to the window and nowhere else."""
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)
    errors = UnexpectedErrors()
    yield errors
    errors.close()


def test_an_error_that_nobody_caught_is_told_once_without_its_text(window, errors, qtbot, tmp_path):
    errors.happened.connect(window.diagnostics.tell_unexpected)
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Pump")))
    for _ in range(3):
        error = RuntimeError("text of a manual")
        sys.excepthook(RuntimeError, error, None)
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: bool(notices.texts()))
    qtbot.wait(20)
    assert len(notices.texts()) == 1
    assert "text of a manual" not in notices.texts()[0]
    assert "Traceback" not in notices.texts()[0]
    assert [each.text() for each in notices.findChildren(QPushButton)] == [
        "Save diagnostic bundle…"
    ]


def test_an_error_on_another_thread_reaches_the_window(errors, qtbot):
    def fail() -> None:
        raise RuntimeError("on a thread")

    with qtbot.waitSignal(errors.happened):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
