"""Draws every state of the window to PNG files, for people to look at.

Run: python -m tests.ui.take_pictures FOLDER
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop.core.errors import LibraryBusy
from desktop.core.library.values import PassProgress
from desktop.ui.design.theme import apply_theme
from desktop.ui.window.main_window import MainWindow
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual

SHELF = (
    manual(1, "Operator manual", pages=128),
    manual(2, "Installer manual", pages=152, failed_pages=2),
    manual(3, "Display handbook", pages=46),
)
BUSY = (
    manual(4, "techman", "indexing", 1293, done=(812, 0, 0)),
    manual(5, "Boiler B7 service", "queued", 210),
    manual(6, "Wiring diagrams (locked)", "needs_password", 0),
    manual(7, "old-scan", "failed", 0, reason="The PDF is damaged or has no pages."),
    manual(8, "Pump P-200", "cancelled", 88, done=(30, 0, 0)),
)


def settle(seconds: float = 0.4) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


def picture(folder: Path, name: str, setup) -> None:
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_theme(app, scheme)
        window = MainWindow(viewer_factory=FakeViewer)
        window.resize(1440, 900)
        window.show()
        with tempfile.TemporaryDirectory() as root:
            workspace = setup(window, Path(root))
            settle()
            window.grab().save(str(folder / f"{name}-{scheme.name.lower()}.png"))
            window.close()
            if workspace is not None:
                workspace.ingestion.hold.set()
        window.deleteLater()
        settle(0.05)


def empty(window: MainWindow, root: Path):
    workspace = fake_workspace(root)
    window.open_workspace(workspace)
    return workspace


def ingesting(window: MainWindow, root: Path):
    workspace = fake_workspace(root, *SHELF, *BUSY)
    workspace.ingestion.hold.clear()
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [PassProgress(4, "text", 812, 1293, 412.0, 42.0)]
    window.open_workspace(workspace)
    settle(0.2)
    window.library_panel.rows.select(2)
    window.library_panel.notices.say("photo.jpg was not added: not a PDF.", tone="bad")
    window.library_panel.rows.wanted.emit("remove", 3)
    return workspace


def asking(events):
    def setup(window: MainWindow, root: Path):
        workspace = fake_workspace(root, *SHELF)
        workspace.answer = events
        window.open_workspace(workspace)
        settle(0.2)
        window.chat.ask("How long does the battery test last, and where is the interval set?")
        return workspace

    return setup


def broken(window: MainWindow, root: Path) -> None:
    window.show_problem(LibraryBusy("library.lock is held by process 4711"))


def dropping(window: MainWindow, root: Path):
    workspace = fake_workspace(root, *SHELF)
    window.open_workspace(workspace)
    window.overlay.announce([Path("techman.pdf"), Path("boiler.pdf")])
    return workspace


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    QApplication(sys.argv)
    picture(folder, "empty", empty)
    picture(folder, "ingesting", ingesting)
    picture(folder, "answered", asking(scripts.answered()))
    end = scripts.answered()
    picture(folder, "safety", asking([*end[:-3], *scripts.safety_blocks(), *end[-2:]]))
    picture(folder, "not-found", asking(scripts.not_found()))
    picture(folder, "failed", asking(scripts.failed()))
    picture(folder, "problem", broken)
    picture(folder, "dropping", dropping)


if __name__ == "__main__":
    main()
