"""The window while manuals are read, and while files are dropped on it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from desktop.core.library.values import PassProgress
from tests.ui.fake_workspace import fake_workspace, manual

if TYPE_CHECKING:
    from desktop.ui.window.main_window import MainWindow

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


def dropping(window: MainWindow, root: Path):
    workspace = fake_workspace(root, *SHELF)
    window.open_workspace(workspace)
    window.overlay.announce([Path("techman.pdf"), Path("boiler.pdf")])
    return workspace
