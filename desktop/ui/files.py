"""Files between the window and the system: choosing (without blocking), dropped, opening."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QMimeData, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop.core.library.values import CONVERTED, OFFICE, PICTURES, TEXTS

if TYPE_CHECKING:
    OnChosen = Callable[[list[Path]], object]
    OnOne = Callable[[Path], object]


_FORMATS = ("image/jpeg", "image/png", "image/webp", "image/tiff", "image/bmp")


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local files and folders of a drag, in its order."""
    if not data.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic")


def picture_in(data: QMimeData) -> bytes | Path | None:
    """Return the picture of a clipboard or a drag: its file or its bytes, None for text.

    A copied table or text is also offered as a picture: that does not count as one.
    """
    found = next((path for path in dropped_paths(data) if path.suffix.lower() in PHOTOS), None)
    if found is not None or data.hasUrls():
        return found
    if data.hasText():
        return None
    offered = next((each for each in _FORMATS if data.hasFormat(each)), None)
    if offered is not None:
        return bytes(data.data(offered).data())
    if data.hasImage():  # a screen shot on macOS: the system's own pixels
        image = data.imageData()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        if isinstance(image, QImage) and image.save(buffer, "PNG"):  # type: ignore[call-overload]
            return bytes(buffer.data().data())
    return None


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


LONGEST_NAME = 60


def choose_files(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose files of every kind that becomes a manual."""

    def named(text: str, *suffixes: str) -> str:
        return text.format(kinds=" ".join(f"*{suffix}" for suffix in suffixes))

    kinds = [
        named(parent.tr("Manuals ({kinds})"), ".pdf", *OFFICE, *TEXTS, *PICTURES),
        named(parent.tr("PDF ({kinds})"), ".pdf"),
        named(parent.tr("Word, PowerPoint, Excel, EPUB ({kinds})"), *OFFICE),
        named(parent.tr("Web pages and text ({kinds})"), *TEXTS),
        named(parent.tr("Pictures of pages ({kinds})"), *PICTURES),
    ]
    choose_several(parent, parent.tr("Add manuals"), kinds, on_chosen)


def choose_several(parent: QWidget, title: str, kinds: Sequence[str], on_chosen: OnChosen) -> None:
    """Let a person choose as many files of these kinds as wanted."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(kinds)
    _open(dialog, on_chosen)


def choose_file(
    parent: QWidget, title: str, kind: str, on_chosen: OnOne, *, accept: str = ""
) -> None:
    """Let a person choose one file. accept: what the button says, if not "Open"."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilter(kind)
    _open(dialog, lambda paths: on_chosen(paths[0]), accept)


def choose_folder(
    parent: QWidget, title: str, on_chosen: OnOne, *, accept: str = "", usual: Path | None = None
) -> None:
    """Let a person choose a folder. usual: where the dialog begins, if it is there."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    if usual is not None and usual.is_dir():
        dialog.setDirectory(str(usual))
    _open(dialog, lambda paths: on_chosen(paths[0]), accept)


def importable(paths: Sequence[Path]) -> list[Path]:
    """Return the folders and zip files among `paths`; decided by name, without reading."""
    return [path for path in paths if path.suffix.lower() == ".zip" or path.is_dir()]


def file_name(title: str) -> str:
    """Return a title as a file name that every system accepts."""
    plain = "".join(each if each.isalnum() or each in " -_" else " " for each in title)
    return " ".join(plain.split())[:LONGEST_NAME].strip() or "conversation"


def choose_place(
    parent: QWidget, title: str, name: str, kinds: dict[str, str], on_chosen: OnOne
) -> None:
    """Let a person choose where a file is saved. name: that is proposed.

    kinds: what the file may be, by the suffix it then gets; the first unless one is chosen.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(kinds.values()))
    suffixes = {kind: suffix for suffix, kind in kinds.items()}
    dialog.setDefaultSuffix(next(iter(kinds)))
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(suffixes[kind]))
    dialog.selectFile(name)
    _open(dialog, lambda paths: on_chosen(paths[0]))


def _open(dialog: QFileDialog, on_chosen: OnChosen, accept: str = "") -> None:
    if accept:
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, accept)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: on_chosen([Path(name) for name in names]))
    dialog.open()
