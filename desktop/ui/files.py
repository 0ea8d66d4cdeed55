"""Files between the window and the system: what was dropped, opening, showing in a folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QDesktopServices

from desktop.core.library.values import CONVERTED


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local files and folders of a drag, in its order."""
    if not data.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def acceptable(paths: list[Path]) -> list[Path]:
    """Return the folders and documents among `paths`; decided by name, without reading."""
    kinds = {".pdf", *CONVERTED}
    return [path for path in paths if path.suffix.lower() in kinds or path.is_dir()]


def copy_under_own_name(original: Path, name: str) -> Path:
    """Return a copy of a library's file that has the name a person knows it by.

    The library names its files by their hash. The copy is read-only, so that nobody takes
    it for the manual itself and writes notes into it; it stays until the system clears its
    temporary folder, because the program that shows it may outlive this one.
    """
    shown = Path(name).name or original.name
    if Path(shown).suffix.casefold() in CONVERTED:
        shown += ".pdf"  # made of that file, which is attached to it
    copy = Path(tempfile.mkdtemp(prefix="groundwork-")) / shown
    shutil.copyfile(original, copy)
    copy.chmod(0o400)
    return copy


def open_with_system(path: Path) -> bool:
    """Open a file with the program the person chose for it."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def reveal_in_folder(path: Path) -> bool:
    """Show a file selected in Finder; elsewhere open its folder."""
    if sys.platform == "darwin":
        return subprocess.run(["open", "-R", str(path)], check=False).returncode == 0
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
