from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.core.errors import LibraryBusy
from desktop.core.settings.file import settings_file
from desktop.ui.design.notices import ProblemPage
from desktop.ui.design.tokens import DARK
from desktop.ui.window import start
from desktop.ui.window.frame import Frame
from desktop.ui.window.main_window import MainWindow
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual

ROOT = Path(__file__).parents[2]


def run(factory, script, folder):
    """Run the window with `script(window)` played 50 ms apart; each step yields to Qt."""

    def step(steps):
        if next(steps, "end") == "end":
            return
        QTimer.singleShot(50, lambda: step(steps))

    def begin(window):
        window.centre._factory = FakeViewer
        step(script(window))

    return start.run_window(factory, ["groundwork"], folder, when_shown=begin)


def test_the_window_opens_the_library_after_its_first_paint_and_closes_it(qapp, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Pump"))
    threads = []

    def factory():
        threads.append(threading.current_thread().name)
        return workspace

    def script(window):
        while not window.findChildren(FakeViewer):
            yield
        assert window.status.ready.text() in ("", "1 manual, 40 pages ready")
        window.close()

    assert run(factory, script, tmp_path) == 0
    assert threads == ["groundwork-opening"]
    assert workspace.closed == 1


def test_a_library_that_cannot_be_opened_is_explained_and_tried_again(qapp, tmp_path):
    attempts = []
    seen = []

    def factory():
        attempts.append(1)
        if len(attempts) == 1:
            raise LibraryBusy("locked")
        return fake_workspace(tmp_path)

    def script(window):
        while window.findChild(ProblemPage) is None:
            yield
        page = window.findChild(ProblemPage)
        seen.append(page.accessibleName())
        next(b for b in page.findChildren(QPushButton) if b.text() == "Try again").click()
        while not window.findChildren(FakeViewer):
            yield
        seen.append(window.library_panel.isVisible())
        window.close()

    assert run(factory, script, tmp_path) == 0
    assert seen == ["This library is open in another Groundwork", True]
    assert len(attempts) == 2


def test_closing_before_the_library_is_open_still_closes_the_library(qapp, tmp_path):
    workspace = fake_workspace(tmp_path)
    opening, may_open = threading.Event(), threading.Event()

    def factory():
        opening.set()
        may_open.wait(60)
        return workspace

    def script(window):
        while not opening.is_set():
            yield
        window.close()
        may_open.set()
        yield

    assert run(factory, script, tmp_path) == 0
    assert workspace.closed == 1


def test_a_library_is_not_even_begun_to_be_opened_for_a_window_that_was_closed_at_once(
    qapp, tmp_path
):
    begun = []

    def opened():
        begun.append(1)
        return fake_workspace(tmp_path)

    def script(window):
        window.close()
        yield

    assert run(opened, script, tmp_path) == 0
    assert begun == []


FIRST_PAINT = """
import json, sys
from pathlib import Path
from PySide6 import QtCore
from PySide6.QtWidgets import QApplication
from desktop.app import run_window
from desktop.ui.window import start

told = []

class Window(start.MainWindow):
    built = False

    def paintEvent(self, event):
        super().paintEvent(event)
        tops = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        modules = sorted(sys.modules)
        if len(told) == self.built:
            has_qt = "Qt" in vars(QtCore)
            told.append([modules, has_qt, self.geometry().getRect(), int(self.winId()), len(tops)])
        if self.built:
            self.close()

    def build(self):
        super().build()
        self.built = True

start.MainWindow = Window
run_window(Path(sys.argv[1]))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def first_paints(tmp_path_factory):
    """What a start in a process of its own has at the paint of the frame and of the contents."""
    home = tmp_path_factory.mktemp("home")
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT, str(home / "library")],
        env={**os.environ, "GROUNDWORK_HOME": str(home), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=400,
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_the_frame_is_painted_before_anything_that_takes_long_is_imported(first_paints):
    modules, has_qt, *_ = first_paints[0]
    assert [each for each in modules if each.startswith("desktop.ui.")] == [
        "desktop.ui.design",
        "desktop.ui.design.tokens",
        "desktop.ui.layout_memory",
        "desktop.ui.window",
        "desktop.ui.window.frame",
        "desktop.ui.window.main_window",
        "desktop.ui.window.start",
    ]
    heavy = {"numpy", "pydantic", "fitz", "pymupdf", "apsw", "msgspec", "asyncio", "filelock"}
    assert heavy & set(modules) == set()
    assert not has_qt, "making the enumerations of Qt takes a tenth of the time"


def test_the_contents_appear_in_the_window_that_was_painted(first_paints):
    (_, _, *before), (modules, _, *after) = first_paints
    assert "desktop.ui.chat.chat_panel" in modules
    assert after == before
    assert after[-1] == 1, "windows"


def columns(window):
    """Left edges and widths of library, manual and answers in the window, None where hidden."""
    frame = window.findChild(Frame)
    panels = frame.panels.values() if frame is not None else window._panels.values()
    return [
        None if each.isHidden() else (each.mapTo(window, QPoint()).x(), each.width())
        for each in panels
    ]


def rows(window):
    """Where the columns begin and end between the bars."""
    frame = window.findChild(Frame)
    area = frame.columns if frame is not None else window._columns
    top = area.mapTo(window, QPoint()).y()
    return top, top + area.height()


@pytest.mark.parametrize("left_behind", [False, True])
def test_the_frame_has_the_shape_of_the_contents(qtbot, tmp_path, left_behind):
    if left_behind:
        earlier = MainWindow(fake_workspace(tmp_path), viewer_factory=FakeViewer)
        earlier.show()
        earlier.resize(1500, 700)
        earlier._columns.setSizes([230, 760, 508])
        earlier.library_panel.hide()
        earlier.close()
        earlier.deleteLater()
    window = MainWindow(folder=tmp_path, viewer_factory=FakeViewer)
    qtbot.addWidget(window)
    if not left_behind:
        window.resize(1360, 772)
    window.show()
    qtbot.wait(50)  # the platform moves a window that is wider than its screen
    geometry, painted = window.geometry(), (columns(window), rows(window))
    window.build()
    qtbot.waitUntil(lambda: window.findChild(Frame) is None and window.chat.isVisible())
    assert window.geometry() == geometry
    assert columns(window) == painted[0]
    assert rows(window) == pytest.approx(painted[1], abs=3)
    window.close()


def test_the_frame_is_dark_where_a_person_has_chosen_so(qtbot):
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text('{"window": {"scheme": "dark"}}')
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    picture = window.grab().toImage()
    frame = window.findChild(Frame)
    assert frame is not None
    middle = frame.panels["manual"]
    seen = picture.pixelColor(middle.mapTo(window, middle.rect().center()))
    assert seen.name() == DARK.window
    window.close()


def test_a_file_opened_while_only_the_frame_is_there_is_taken_in(qapp, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Pump"))
    early = tmp_path / "early.pdf"

    def open_early():
        assert any(each.findChild(Frame) for each in QApplication.topLevelWidgets())
        QApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(early)))

    def script(window):
        while early not in workspace.ingestion.enqueued:
            yield
        window.close()

    QTimer.singleShot(0, open_early)
    assert run(lambda: workspace, script, tmp_path) == 0


def test_a_window_that_is_closed_as_a_frame_never_gets_contents(qapp, tmp_path):
    def close():
        for each in QApplication.topLevelWidgets():
            if each.findChild(Frame) is not None:
                each.close()

    QTimer.singleShot(0, close)
    shown: list[MainWindow] = []
    assert (
        start.run_window(
            lambda: fake_workspace(tmp_path), ["groundwork"], tmp_path, when_shown=shown.append
        )
        == 0
    )
    assert shown == []


def test_a_window_that_is_never_painted_gets_its_library_all_the_same(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(start, "UNPAINTED_MS", 10)
    monkeypatch.setattr(MainWindow, "show", lambda _: None)
    workspace = fake_workspace(tmp_path, manual(1, "Pump"))

    def script(window):
        while not window.findChildren(FakeViewer):
            yield
        window.close()

    assert run(lambda: workspace, script, tmp_path) == 0
    assert workspace.closed == 1


def test_making_the_window_loads_nothing_heavy():
    code = (
        "import sys, desktop.app, desktop.ui.window.opening, desktop.ui.window.help\n"
        "from desktop.ui.window.main_window import MainWindow\n"
        "from desktop.ui.window.start import make_application\n"
        "application = make_application([])\n"
        "MainWindow().build()\n"
        "heavy = {'torch', 'mlx', 'transformers', 'dspy', 'pymupdf', 'rapidocr', 'onnxruntime',"
        " 'scipy', 'numpy', 'apsw', 'PySide6.QtPdf', 'pydantic', 'psutil'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=400
    )
    assert done.stdout.strip() == "[]"
