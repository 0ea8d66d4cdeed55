"""Files between the window and the system: choosing (without blocking), dropped, opening."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from desktop.core.library.values import CONVERTED, OFFICE, PICTURES, TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    OnChosen = Callable[[list[Path]], object]


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


LONGEST_NAME = 60


def choose_files(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose files of every kind that becomes a manual."""
    dialog = QFileDialog(parent, parent.tr("Add manuals"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    every = " ".join(f"*{suffix}" for suffix in (".pdf", *OFFICE, *TEXTS, *PICTURES))
    dialog.setNameFilters(
        [
            parent.tr("Manuals ({kinds})").format(kinds=every),
            parent.tr("PDF ({kinds})").format(kinds="*.pdf"),
            parent.tr("Word, PowerPoint, Excel, EPUB ({kinds})").format(
                kinds=" ".join(f"*{suffix}" for suffix in OFFICE)
            ),
            parent.tr("Web pages and text ({kinds})").format(
                kinds=" ".join(f"*{suffix}" for suffix in TEXTS)
            ),
            parent.tr("Pictures of pages ({kinds})").format(
                kinds=" ".join(f"*{suffix}" for suffix in PICTURES)
            ),
        ]
    )
    _open(dialog, on_chosen)


def choose_photo(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose the photo of a nameplate."""
    dialog = QFileDialog(parent, parent.tr("Read a nameplate"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(
        [parent.tr("Photos ({kinds})").format(kinds="*.jpg *.jpeg *.png *.webp *.tif *.tiff *.bmp")]
    )
    _open(dialog, on_chosen)


def choose_folder(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose a folder of manuals."""
    _open(_for_a_folder(parent, parent.tr("Add a folder of manuals")), on_chosen)


def choose_watched_folder(parent: QWidget, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose a folder whose manuals come in by themselves."""
    dialog = _for_a_folder(parent, parent.tr("Watch a folder"))
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_questions(parent: QWidget, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose a table of questions."""
    dialog = QFileDialog(parent, parent.tr("Ask the questions of a file"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([parent.tr("Tables of questions (*.csv *.xlsx *.CSV *.XLSX)")])
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, parent.tr("Ask"))
    _open(dialog, lambda paths: on_chosen(paths[0]))


def importable(paths: Sequence[Path]) -> list[Path]:
    """Return the folders and zip files among `paths`; decided by name, without reading."""
    return [path for path in paths if path.suffix.lower() == ".zip" or path.is_dir()]


def choose_model_folder(parent: QWidget, on_chosen: OnChosen) -> QFileDialog:
    """Let a person choose a model's folder."""
    return _open(_for_a_folder(parent, parent.tr("Import a model's folder")), on_chosen)


def choose_model_zip(parent: QWidget, on_chosen: OnChosen) -> QFileDialog:
    """Let a person choose zip files with models in them."""
    dialog = QFileDialog(parent, parent.tr("Import models from zip files"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters([parent.tr("Zip files (*.zip *.ZIP)")])
    return _open(dialog, on_chosen)


def choose_stick(parent: QWidget, on_chosen: OnChosen) -> QFileDialog:
    """Let a person choose where a copy of a model goes."""
    dialog = _for_a_folder(parent, parent.tr("Copy the model to this USB stick or folder"))
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, parent.tr("Copy Here"))
    return _open(dialog, on_chosen)


def choose_export(parent: QWidget, title: str, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose where a conversation goes, as Markdown or as JSON."""
    kinds = [parent.tr("Markdown (*.md)"), parent.tr("JSON (*.json)")]
    dialog = _for_saving(parent, parent.tr("Export conversation"), kinds, file_name(title), "md")
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix("json" if ".json" in chosen else "md")
    )
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_report_folder(parent: QWidget, usual: Path, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose the folder in which a report gets a folder of its own.

    usual: where the dialog begins, if it is there.
    """
    dialog = _for_a_folder(parent, parent.tr("Save the report in"))
    if usual.is_dir():
        dialog.setDirectory(str(usual))
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_changes_report(parent: QWidget, title: str, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose the file that the changes between two manuals are written to."""
    kinds = [parent.tr("PDF (*.pdf)"), parent.tr("Markdown (*.md)")]
    name = parent.tr("What changed in {title}").format(title=title)
    dialog = _for_saving(parent, parent.tr("Save the changes"), kinds, file_name(name), "pdf")
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix("md" if ".md" in chosen else "pdf")
    )
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_trace_export(
    parent: QWidget, title: str, form: str, on_chosen: Callable[[Path], object]
) -> None:
    """Let a person choose the file that the reasoning is written to. form: json or spans."""
    spans = form == "spans"
    kind = parent.tr("OpenTelemetry spans (*.jsonl)") if spans else parent.tr("JSON (*.json)")
    suffix = "jsonl" if spans else "json"
    said = parent.tr("Export the reasoning")
    dialog = _for_saving(parent, said, [kind], file_name(title), suffix)
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_notes_file(parent: QWidget, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose a file of notes to take in."""
    dialog = QFileDialog(parent, parent.tr("Import notes"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([parent.tr("Notes as JSON (*.json *.JSON)")])
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_notes_export(parent: QWidget, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose the file that notes are written to."""
    kinds = [parent.tr("Notes as JSON (*.json)")]
    dialog = _for_saving(parent, parent.tr("Export notes"), kinds, "notes.json", "json")
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_bundle(parent: QWidget, usual: Path, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose where the diagnostic bundle goes. usual: where the dialog begins."""
    from desktop.core.diagnostics.bundle import bundle_name

    kinds = [parent.tr("Diagnostic bundle (*.zip)")]
    dialog = _for_saving(parent, parent.tr("Save diagnostic bundle"), kinds, "", "zip")
    if usual.is_dir():
        dialog.setDirectory(str(usual))
    dialog.selectFile(bundle_name())
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_pack(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose the folder of a pack of manuals."""
    dialog = _for_a_folder(parent, parent.tr("Attach the pack of manuals in this folder"))
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, parent.tr("Attach"))
    _open(dialog, on_chosen)


def choose_key(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose the file of a company's public key."""
    dialog = QFileDialog(parent, parent.tr("Trust the key in this file"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([parent.tr("Public keys (*.pub)")])
    _open(dialog, on_chosen)


def file_name(title: str) -> str:
    """Return a title as a name that every system takes for a file."""
    plain = "".join(each if each.isalnum() or each in " -_" else " " for each in title)
    return " ".join(plain.split())[:LONGEST_NAME].strip() or "conversation"


def _for_a_folder(parent: QWidget, title: str) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return dialog


def _for_saving(
    parent: QWidget, title: str, kinds: Sequence[str], name: str, suffix: str
) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(kinds)
    dialog.setDefaultSuffix(suffix)
    dialog.selectFile(name)
    return dialog


def _open(dialog: QFileDialog, on_chosen: OnChosen) -> QFileDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: on_chosen([Path(name) for name in names]))
    dialog.open()
    return dialog
