"""Measure one session: a manual is ingested while pages are turned and questions are asked.

Part of the bench `window`. Beside it runs an empty window, a process of its own, which is this file
again: what is as long there is the machine's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer

from scripts.bench import window_pages
from scripts.bench.window_pages import run

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace
    from desktop.ui.window.main_window import MainWindow
    from scripts.bench.stall_watch import StallWatch

QUESTION_EVERY_SECONDS = 5.0
QUESTIONS = ("How do I start it?", "What does the error table say?", "Which message is sent?")
TARGETS = {
    "longest_stall_ms": 50.0,
    "longest_stall_opening_ms": 50.0,
    **window_pages.TARGETS,
}


def measure(home: Path, manual: Path, seconds: float) -> dict[str, Any]:
    """Ingest a manual for so many seconds in a window, then draw its pages in peace."""
    from desktop.app import open_workspace
    from desktop.ui.window.main_window import MainWindow
    from desktop.ui.window.start import SWITCH_SECONDS, make_application

    make_application(sys.argv[:1])
    sys.setswitchinterval(SWITCH_SECONDS)
    workspace = open_workspace(home / "session")
    window = MainWindow()
    window.build()
    beside = subprocess.Popen(
        [sys.executable, "-m", "scripts.bench.window_session"],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        watch = _open_library(window, workspace)
        begun = time.monotonic()
        document_id = _open_manual(window, watch, manual)
        watch.pause()
        drawing = {
            f"ingesting_{name}": value
            for name, value in window_pages.draw(window.centre._viewer, manual).items()
        }
        watch.resume()
        _work_along(window, watch, seconds - (time.monotonic() - begun))
        ingested = time.monotonic() - begun
        watch.close()
        beside.kill()
        beside_ms = float(beside.communicate()[0].split()[-1])
        drawing |= _pages_in_peace(window, manual, document_id)
        return {
            **drawing,
            "longest_stall_ms": watch.longest_ms(lambda phase: not _opens(phase)),
            "longest_stall_opening_ms": watch.longest_ms(_opens),
            "longest_stall_of_empty_ms": beside_ms,
            "stalls_above_50_ms": float(sum(each.milliseconds > 50 for each in watch.stalls)),
            "ingested_seconds": ingested,
            "page_passes_done": float(_passes_done(window, document_id)),
            "stalls": [str(each) for each in watch.worst(25)],
        }
    finally:
        beside.kill()
        beside.wait()
        window.close()
        run(0.2)
        workspace.close()


def _open_library(window: MainWindow, workspace: Workspace) -> StallWatch:
    """Show the window and give it its library; returns what watches from then on."""
    from desktop.ui.window.opening import load_parts
    from scripts.bench.stall_watch import StallWatch

    window.resize(1440, 900)
    window.show()
    loading = threading.Thread(target=load_parts)
    loading.start()
    run(10.0, lambda: not loading.is_alive())
    loading.join()
    watch = StallWatch()
    watch.phase = "opening the library"
    # from the loop, as in the program: what is called before it runs would not be noticed
    QTimer.singleShot(0, lambda: window.open_workspace(workspace))
    run(1.0)
    return watch


def _open_manual(window: MainWindow, watch: StallWatch, manual: Path) -> int:
    """Have a manual ingested and open it as soon as it can be read; returns its id."""
    watch.phase = "ingesting"
    window.library.add([manual])
    if not run(30.0, lambda: any(d.done[0] > 30 for d in window._model.records())):
        raise RuntimeError("the manual did not become readable within 30 s")
    document_id = window._model.records()[0].id
    watch.phase = "opening the manual"
    window.centre.open_document(document_id)
    run(2.0)
    return document_id


def _opens(phase: str) -> bool:
    return phase.startswith("opening")


def _passes_done(window: MainWindow, document_id: int) -> int:
    """Return how many pages have passed each pass, added up, also when all are done."""
    from desktop.core.library.values import PASSES

    record, running = window._model.record(document_id), window._model.progress(document_id)
    kept = record.done if record is not None else (0, 0, 0)
    latest = [running[name].done if name in running else 0 for name in PASSES]
    return sum(map(max, kept, latest))


def _pages_in_peace(window: MainWindow, manual: Path, document_id: int) -> dict[str, float]:
    """Draw, turn and scroll while the ingestion waits."""
    viewer = window.centre._viewer
    window.library.indexing.hold("bench")
    run(30.0, lambda: not window.library.indexing.running)
    run(10.0, lambda: viewer.pending_drawings() == 0)
    viewer._service.forget_document(document_id)
    return {
        **window_pages.draw(viewer, manual),
        **window_pages.turn(viewer),
        **window_pages.scroll(viewer),
    }


def _work_along(window: MainWindow, watch: StallWatch, seconds: float) -> None:
    """Turn pages and ask questions while the manual is ingested."""
    viewer = window.centre._viewer
    watch.phase = "ingesting"
    end = time.monotonic() + seconds
    asked, next_question = 0, time.monotonic() + 3.0
    while time.monotonic() < end:
        watch.phase = "turning pages"
        viewer.view.go_to_page((viewer.view.page + 1) % len(viewer.view.document.pages))
        run(0.4)
        if time.monotonic() > next_question:
            watch.phase = "asking"
            window.chat.ask(QUESTIONS[asked % len(QUESTIONS)])
            run(1.0)
            asked, next_question = asked + 1, time.monotonic() + QUESTION_EVERY_SECONDS
        watch.phase = "ingesting"
        run(0.4)


def _beat_empty() -> None:
    """Run an empty window until killed, saying again and again how long it stalled at worst."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    from scripts.bench.stall_watch import StallWatch

    application = QApplication([])
    window = QMainWindow()
    window.show()
    watch = StallWatch()

    def say() -> None:
        try:
            print(watch.longest_ms(), flush=True)
        except BrokenPipeError:  # whoever started this is gone
            os._exit(1)

    timer = QTimer()
    timer.timeout.connect(say)
    timer.start(200)
    application.exec()


if __name__ == "__main__":
    _beat_empty()
