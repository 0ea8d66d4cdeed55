"""Draws the settings and the first page to PNG files, for people to look at.

Run: python -m tests.ui.settings.take_pictures FOLDER
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication

from desktop.ui.design.theme import Look, apply_theme
from desktop.ui.language import speak
from desktop.ui.window.main_window import MainWindow
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual

SHELF = (manual(1, "Operator manual", pages=128), manual(2, "Installer manual", pages=152))
LIGHT, DARK = Qt.ColorScheme.Light, Qt.ColorScheme.Dark
LOOKS = {
    "light": Look(LIGHT),
    "dark": Look(DARK),
    "contrast-light": Look(LIGHT, high_contrast=True),
    "contrast-dark": Look(DARK, high_contrast=True),
    "large": Look(LIGHT, text=1.6),
}


def settle(seconds: float = 0.4) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


def pictures(folder: Path, size: tuple[int, int], name: str, look: Look, language: str) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app).wear(look)
    speak(app, language)
    with tempfile.TemporaryDirectory() as root:
        os.environ["GROUNDWORK_HOME"] = root
        window = MainWindow(viewer_factory=FakeViewer)
        window.resize(*size)
        window.show()
        window.open_workspace(fake_workspace(Path(root)))
        window.resize(*size)
        settle()
        end = f"{name}-{language}-{size[0]}x{size[1]}.png"
        window.grab().save(str(folder / f"welcome-{end}"))
        window.settings.show_page()
        settle(0.2)
        page = window.settings.page
        assert page is not None
        page.grab().save(str(folder / f"settings-{end}"))
        page.search.setText("page" if language == "en" else "Seite")
        settle(0.1)
        page.grab().save(str(folder / f"settings-found-{end}"))
        window.close()
        second = MainWindow(viewer_factory=FakeViewer)
        second.show()
        workspace = fake_workspace(Path(root), *SHELF)
        workspace.answer = scripts.answered()
        second.open_workspace(workspace)
        second.resize(*size)
        second.chat.ask("How long does the battery test last, and where is the interval set?")
        settle()
        second.grab().save(str(folder / f"answered-{end}"))
        second.close()
        for each in (window, second):
            each.deleteLater()
        settle(0.05)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    QApplication(sys.argv)
    QCoreApplication.setApplicationName("Groundwork")
    for name, look in LOOKS.items():
        if not sys.argv[2:] or name in sys.argv[2:]:
            pictures(folder, (1440, 900), name, look, "en")
    if not sys.argv[2:] or "small" in sys.argv[2:]:
        pictures(folder, (1280, 800), "light", LOOKS["light"], "en")
    if not sys.argv[2:] or "german" in sys.argv[2:]:
        for size in ((1440, 900), (1280, 800)):
            pictures(folder, size, "light", LOOKS["light"], "de")


if __name__ == "__main__":
    main()
