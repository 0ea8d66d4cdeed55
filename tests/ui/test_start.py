from __future__ import annotations

import subprocess
import sys
import threading

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.core.errors import LibraryBusy
from desktop.ui.design.notices import ProblemPage
from desktop.ui.window import start
from desktop.ui.window.main_window import MainWindow
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual


def run(factory, script, folder):
    """Run the window with `script(window)` played 50 ms apart; each step yields to Qt."""

    def step(steps):
        if next(steps, "end") == "end":
            return
        QTimer.singleShot(50, lambda: step(steps))

    def begin():
        window = next(
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, MainWindow) and each.isVisible()
        )
        window.centre._factory = FakeViewer
        step(script(window))

    QTimer.singleShot(0, begin)
    return start.run_window(factory, ["groundwork"], folder)


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


def test_importing_the_window_loads_nothing_heavy():
    code = (
        "import sys, desktop.app, desktop.ui.window.start\n"
        "heavy = {'torch', 'mlx', 'transformers', 'dspy', 'pymupdf', 'rapidocr', 'onnxruntime',"
        " 'scipy', 'numpy', 'apsw', 'PySide6.QtPdf', 'pydantic', 'psutil'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=400
    )
    assert done.stdout.strip() == "[]"
