"""Files between the window and the system: what was dropped, opening, showing in a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QDesktopServices


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local files and folders of a drag, in its order."""
    if not data.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def acceptable(paths: list[Path]) -> list[Path]:
    """Return the folders and PDF files among `paths`; decided by name, without reading."""
    return [path for path in paths if path.suffix.lower() == ".pdf" or path.is_dir()]


def open_with_system(path: Path) -> bool:
    """Open a file with the program the person chose for it."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def reveal_in_folder(path: Path) -> bool:
    """Show a file selected in Finder; elsewhere open its folder."""
    if sys.platform == "darwin":
        return subprocess.run(["open", "-R", str(path)], check=False).returncode == 0
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
