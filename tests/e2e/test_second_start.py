"""Two real windows on one library: the second hands its manual over and ends at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.e2e.real_library import COMMAND_SECONDS, ROOT, environment

FIRST = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop.app import run_window
from desktop.ui.window.main_window import MainWindow
from desktop.ui.window.start import Application

application = Application(["groundwork"])
deadline = time.monotonic() + 400
said = False

def look():
    global said
    for window in application.topLevelWidgets():
        if isinstance(window, MainWindow) and window.isVisible():
            if not said:
                said = True
                print("open", flush=True)
            panel = getattr(window, "library_panel", None)  # none while there is only a frame
            if panel is not None and panel.rows.model().rowCount():
                print("arrived", flush=True)
                return window.close()
    if time.monotonic() > deadline:
        return application.exit(3)
    QTimer.singleShot(50, look)

QTimer.singleShot(0, look)
sys.exit(run_window(Path(sys.argv[1])))
"""
SECOND = "import sys; from pathlib import Path; from desktop.app import run_window\n" + (
    "sys.exit(run_window(Path(sys.argv[1]), files=[Path(sys.argv[2])]))"
)


@pytest.mark.slow
def test_the_manual_of_a_second_start_arrives_in_the_first_window(home, tmp_path, short_manual):
    library = str(tmp_path / "library")
    with subprocess.Popen(
        [sys.executable, "-c", FIRST, library],
        cwd=ROOT,
        env=environment(home),
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        second = subprocess.run(
            [sys.executable, "-c", SECOND, library, str(short_manual)],
            cwd=ROOT,
            env=environment(home),
            timeout=COMMAND_SECONDS,
            check=False,
        )
        assert second.returncode == 0
        assert first.stdout.readline() == "arrived\n"
        assert first.wait(COMMAND_SECONDS) == 0
