from __future__ import annotations

import shutil
import threading

import psutil
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication

from desktop.app import open_workspace
from desktop.core.settings.sections import Settings
from desktop.ui.design.theme import Look, apply_theme
from desktop.ui.language import speak
from desktop.ui.window.main_window import MainWindow
from desktop.ui.window.opening import Opening
from desktop.ui.window.start import ShownWindow
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual
from tests.ui.reach import Survey


@pytest.fixture(scope="session")
def shelf(sample_library):
    """A library with both sample manuals; copy it before anything is changed."""
    return sample_library


@pytest.fixture
def real_window(qtbot, tmp_path):
    """Opens real windows; closed at the end, and no thread or parser process left."""
    before, opened = set(threading.enumerate()), []
    children = set(psutil.Process().children(recursive=True))

    def make(folder):
        workspace = open_workspace(folder, settings=Settings())
        window = MainWindow(workspace)
        window.resize(1440, 900)
        window.show()
        opened.append((window, workspace))
        qtbot.waitUntil(lambda: window.centre._viewer is not None)
        return window

    yield make
    for window, workspace in opened:
        window.close()
        workspace.close()
        _delete(window)
    assert set(threading.enumerate()) <= before
    assert set(psutil.Process().children(recursive=True)) <= children


@pytest.fixture
def show(qapp, qtbot, tmp_path):
    """Shows the window of a library as a start does; closed at the end, no thread left."""
    before, opened = set(threading.enumerate()), []

    def run(workspace, folder=tmp_path):
        workspace.settings.window.language = "en"
        opening = Opening(lambda: workspace, folder)
        shown = ShownWindow(qapp, folder)
        shown.fill(opening)
        opened.append((shown, opening))
        shown.window.resize(1440, 900)
        shown.window.show()
        opening.begin()
        qtbot.waitUntil(lambda: shown.window.centre._viewer is not None)
        return shown

    yield run
    for shown, opening in opened:
        shown.window.close()
        opening.close()
        shown.window.deleteLater()
    speak(qapp, "en")
    assert set(threading.enumerate()) <= before


@pytest.fixture
def filled(real_window, shelf, tmp_path):
    """A window on a copy of the shelf."""
    return real_window(shutil.copytree(shelf, tmp_path / "library"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Look at whatever a test leaves on the screen: the next window cannot be forgotten."""
    result = yield
    if QApplication.instance() is not None:
        faults = Survey().look().faults()
        faults.pop("windows without a title", None)  # parts are shown alone in many tests
        assert faults == {}
    return result


@pytest.fixture(autouse=True)
def plugged_in(monkeypatch):
    """Whoever runs the tests on a battery gets the same results."""
    monkeypatch.setattr("desktop.core.power.read_battery", lambda: None)


@pytest.fixture(autouse=True)
def deleted_in_time():
    """No window that a test left to be deleted is there, menus and all, when the next one looks."""
    yield
    if QApplication.instance() is not None:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def theme(qapp):
    theme = apply_theme(qapp)
    yield theme
    theme.wear(Look())


@pytest.fixture
def dragged(monkeypatch):
    """What is dragged out of the window: what each drag carries, and what is seen of it."""
    drags = []

    def drop(drag, _actions):
        data = drag.mimeData()
        drags.append((data.text(), data.imageData(), drag.pixmap().toImage()))
        return Qt.DropAction.CopyAction

    monkeypatch.setattr(QDrag, "exec", drop)
    return drags


@pytest.fixture
def window(qtbot, tmp_path):
    """The window's skeleton with a fake viewer; closed, and its threads joined, at the end."""
    before = set(threading.enumerate())
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app)
    window = MainWindow(viewer_factory=FakeViewer)
    window.build()
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    yield window
    for run in getattr(window, "held_runs", []):
        run.set()
    window.close()
    assert set(threading.enumerate()) <= before
    _delete(window)


def _delete(window):
    """Nobody runs a loop that would: hundreds of widgets a test slow down all that come later."""
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.fixture
def opened(window, tmp_path):
    """A scripted library of two manuals, open in the window."""
    workspace = fake_workspace(tmp_path, manual(1, "Operator"), manual(2, "Installer"))
    window.open_workspace(workspace)
    return workspace


@pytest.fixture
def ask(window, opened, qtbot):
    """Ask the library that is open; returns the turn, ended."""

    def ask(events=None, question="How long does the test last?"):
        opened.answer = scripts.answered() if events is None else events
        window.chat.ask(question)
        turn = window.chat.turns[-1]
        qtbot.waitUntil(lambda: not turn.running)
        return turn

    return ask


@pytest.fixture
def viewer(window):
    """The fake viewer, once the window has made it."""
    return lambda: window.findChild(FakeViewer)
