"""Measure how soon the window is painted and usable, beside an empty one of Qt's own.

Part of the bench `window`. Each start is a process of its own, which is this file again: with
"empty" it shows a bare QMainWindow, with "ours" it calls what the command calls once it has read
its arguments. The first paint is that of the frame, which has no words; then come the paint of
the contents, the library, and the viewer.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.workspace import Workspace
    from scripts.bench.stall_watch import StallWatch

STARTS = 5
TARGETS = {"first_paint_ratio": 1.3, "usable_ms": 1500.0}


def measure(home: Path) -> dict[str, Any]:
    """Start an empty window and ours in turn, several times."""
    empty: list[dict[str, float]] = []
    ours: list[dict[str, float]] = []
    stalls: list[str] = []
    for number in range(STARTS + 1):
        for times, child in ((empty, "empty"), (ours, "ours")):
            times.append(_start(child, home, stalls))
        if number == 0:  # the first one warms the disk cache, for both
            empty.clear()
            ours.clear()
            stalls.clear()
    nothing, frame, contents = (
        _median(empty, "painted"),
        _median(ours, "painted"),
        _median(ours, "contents"),
    )
    return {
        "empty_paint_ms": nothing,
        "first_paint_ms": frame,
        "first_paint_ratio": frame / nothing,
        "content_paint_ms": contents,
        "content_paint_ratio": contents / nothing,
        # after the contents: they are what waits for a library
        "usable_ms": _median(ours, "usable") - contents,
        "viewer_ready_ms": _median(ours, "viewer") - contents,
        "stalls_of_all_starts": sorted(stalls, reverse=True)[:8],
    }


def _start(child: str, home: Path, stalls: list[str]) -> dict[str, float]:
    """Return milliseconds since the process was started, by what had happened."""
    begun = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "scripts.bench.window_starts", child],
        cwd=Path(__file__).parents[2],
        env=_installed(home),
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout.splitlines()[-1])
    stalls.extend(said["stalls"])
    return {name: (stamp - begun) * 1000 for name, stamp in said["stamps"].items()}


def _installed(home: Path) -> dict[str, str]:
    """Return an environment in which modules are compiled once, as in an installed program."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    compiled = str(home / "compiled")
    return {**kept, "GROUNDWORK_HOME": str(home), "PYTHONPYCACHEPREFIX": compiled}


def _median(times: Iterable[dict[str, float]], name: str) -> float:
    return statistics.median(each[name] for each in times)


def _start_empty() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    stamps: dict[str, float] = {}
    application = QApplication([])

    class Window(QMainWindow):
        def paintEvent(self, event: Any) -> None:
            super().paintEvent(event)
            QTimer.singleShot(0, painted)

    def painted() -> None:
        stamps.setdefault("painted", time.time())
        application.quit()

    window = Window()
    window.resize(1440, 900)
    window.show()
    application.exec()
    print(json.dumps({"stamps": stamps, "stalls": []}))


def _start_ours() -> None:
    """Start as the command does, with a window that says when it was painted."""
    from desktop.app import run_window

    stamps: dict[str, float] = {}
    watches: list[StallWatch] = []
    _watch_starting(stamps, watches)
    run_window(Path(os.environ["GROUNDWORK_HOME"]) / "started")
    print(json.dumps({"stamps": stamps, "stalls": [str(each) for each in watches[0].worst(5)]}))


def _watch_starting(stamps: dict[str, float], watches: list[StallWatch]) -> None:
    """Have the application make a window that notes when it had got how far.

    Imports nothing that the start would import only after the first paint.
    """
    from PySide6.QtCore import QTimer

    from desktop.ui.window import start
    from desktop.ui.window.main_window import MainWindow

    class Window(MainWindow):
        built = False

        def paintEvent(self, event: Any) -> None:
            super().paintEvent(event)
            what = "contents" if self.built else "painted"
            if what not in stamps:
                QTimer.singleShot(0, lambda: stamps.setdefault(what, time.time()))

        def build(self) -> None:
            super().build()
            if not watches:
                from scripts.bench.stall_watch import StallWatch

                watches.append(StallWatch())
                watches[0].phase = "starting"
            self.built = True

        def open_workspace(self, workspace: Workspace) -> None:
            super().open_workspace(workspace)
            stamps["usable"] = time.time()

        def _open_viewer(self) -> None:
            super()._open_viewer()
            stamps["viewer"] = time.time()
            QTimer.singleShot(300, self.close)

    vars(start)["MainWindow"] = Window


if __name__ == "__main__":
    {"empty": _start_empty, "ours": _start_ours}[sys.argv[1]]()
