"""Take the README's screenshot: the real window on the sample manuals, a question answered.

Usage: screenshot.py [--dark] [FILE.png]. Needs no display.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop.app import open_workspace
from desktop.core.jobs import CancelToken
from desktop.core.samples import sample_manuals
from desktop.ui.main_window import MainWindow
from desktop.ui.theme import apply_theme

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TARGET = Path(__file__).resolve().parent.parent / "docs" / "screenshot.png"
SIZE = (1440, 900)
QUESTION = "How is the internal battery G1 replaced?"
"""Answered by a table's row, on a page with a safety note."""
SECONDS_TO_ANSWER = 60.0
SECONDS_TO_DRAW = 3.0
SECONDS_TO_SETTLE = 0.5


def main(arguments: Sequence[str]) -> int:
    """Write the picture; returns the exit code."""
    names = [name for name in arguments if not name.startswith("-")]
    scheme = Qt.ColorScheme.Dark if "--dark" in arguments else Qt.ColorScheme.Light
    target = Path(names[0]) if names else TARGET
    with tempfile.TemporaryDirectory(prefix="groundwork-screenshot-") as home:
        os.environ["GROUNDWORK_HOME"] = home  # nobody's own settings and layout
        return _take(Path(home) / "library", scheme, target)


def _take(library: Path, scheme: Qt.ColorScheme, target: Path) -> int:
    application = QApplication(sys.argv[:1])
    apply_theme(application, scheme)
    workspace = open_workspace(library)
    window = MainWindow()
    try:
        print("Reading the sample manuals")
        workspace.ingestion.enqueue(sample_manuals())
        for _ in workspace.ingestion.run(CancelToken()):
            pass
        window.show()
        window.resize(*SIZE)  # larger than the screen that offscreen pretends to have
        window.open_workspace(workspace)
        _let_run(lambda: False, SECONDS_TO_SETTLE)
        window.lay_out_anew()
        if not _ask(window):
            print("No answer came, or it cites nothing")
            return 1
        _let_run(lambda: False, SECONDS_TO_DRAW)
        target.parent.mkdir(parents=True, exist_ok=True)
        window.grab().save(str(target))
        print(f"Wrote {target}")
        return 0
    finally:
        window.close()
        _let_run(lambda: False, 0.2)
        workspace.close()


def _ask(window: MainWindow) -> bool:
    """Ask, wait for the end of the answer, and open what it cites first."""
    window.chat.ask(QUESTION)
    turn = window.chat.turns[-1]
    if not _let_run(lambda: not turn.running, SECONDS_TO_ANSWER) or not turn.citations:
        return False
    turn.show_citation(turn.citations[0].number)
    return True


def _let_run(finished: Callable[[], bool], seconds: float) -> bool:
    """Run the window's loop until something is finished, at most so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not finished():
        QApplication.processEvents()
        time.sleep(0.005)
    return finished()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
