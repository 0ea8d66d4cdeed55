from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from desktop.ui.main_window import MainWindow
from desktop.ui.theme import apply_theme
from tests.ui.fake_workspace import FakeViewer


@pytest.fixture(autouse=True)
def plugged_in(monkeypatch):
    """Whoever runs the tests on a battery gets the same results."""
    monkeypatch.setattr("desktop.core.power.read_battery", lambda: None)


@pytest.fixture
def window(qtbot, tmp_path):
    """The window's skeleton with a fake viewer; closed, and its threads joined, at the end."""
    before = set(threading.enumerate())
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app)
    window = MainWindow(viewer_factory=FakeViewer)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    yield window
    for run in getattr(window, "held_runs", []):
        run.set()
    window.close()
    assert set(threading.enumerate()) <= before
    # Nobody runs a loop that would: hundreds of widgets a test slow down all that come later.
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.fixture
def viewer(window):
    """The fake viewer, once the window has made it."""
    return lambda: window.findChild(FakeViewer)
