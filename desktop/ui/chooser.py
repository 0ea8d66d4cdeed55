"""The system's own dialogs for choosing files; they never block the event loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    OnChosen = Callable[[list[Path]], object]

LONGEST_NAME = 60


def choose_files(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose PDF files."""
    dialog = QFileDialog(parent, parent.tr("Add manuals"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters([parent.tr("PDF manuals (*.pdf *.PDF)")])
    _open(dialog, on_chosen)


def choose_folder(parent: QWidget, on_chosen: OnChosen) -> None:
    """Let a person choose a folder of manuals."""
    dialog = QFileDialog(parent, parent.tr("Add a folder of manuals"))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, on_chosen)


def choose_export(parent: QWidget, title: str, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose where a conversation goes, as Markdown or as JSON."""
    dialog = QFileDialog(parent, parent.tr("Export conversation"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([parent.tr("Markdown (*.md)"), parent.tr("JSON (*.json)")])
    dialog.setDefaultSuffix("md")
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix("json" if ".json" in chosen else "md")
    )
    dialog.selectFile(file_name(title))
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_report_folder(parent: QWidget, usual: Path, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose the folder in which a report gets a folder of its own.

    usual: where the dialog begins, if it is there.
    """
    dialog = QFileDialog(parent, parent.tr("Save the report in"))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    if usual.is_dir():
        dialog.setDirectory(str(usual))
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_trace_export(
    parent: QWidget, title: str, form: str, on_chosen: Callable[[Path], object]
) -> None:
    """Let a person choose the file that the reasoning is written to. form: json or spans."""
    dialog = QFileDialog(parent, parent.tr("Export the reasoning"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    spans = form == "spans"
    kind = parent.tr("OpenTelemetry spans (*.jsonl)") if spans else parent.tr("JSON (*.json)")
    dialog.setNameFilters([kind])
    dialog.setDefaultSuffix("jsonl" if spans else "json")
    dialog.selectFile(file_name(title))
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_notes_file(parent: QWidget, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose a file of notes to take in."""
    dialog = QFileDialog(parent, parent.tr("Import notes"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([parent.tr("Notes as JSON (*.json *.JSON)")])
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_notes_export(parent: QWidget, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose the file that notes are written to."""
    dialog = QFileDialog(parent, parent.tr("Export notes"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([parent.tr("Notes as JSON (*.json)")])
    dialog.setDefaultSuffix("json")
    dialog.selectFile("notes.json")
    _open(dialog, lambda paths: on_chosen(paths[0]))


def choose_bundle(parent: QWidget, usual: Path, on_chosen: Callable[[Path], object]) -> None:
    """Let a person choose where the diagnostic bundle goes. usual: where the dialog begins."""
    from desktop.core.diagnostics.bundle import bundle_name

    dialog = QFileDialog(parent, parent.tr("Save diagnostic bundle"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([parent.tr("Diagnostic bundle (*.zip)")])
    dialog.setDefaultSuffix("zip")
    if usual.is_dir():
        dialog.setDirectory(str(usual))
    dialog.selectFile(bundle_name())
    _open(dialog, lambda paths: on_chosen(paths[0]))


def file_name(title: str) -> str:
    """Return a title as a name that every system takes for a file."""
    plain = "".join(each if each.isalnum() or each in " -_" else " " for each in title)
    return " ".join(plain.split())[:LONGEST_NAME].strip() or "conversation"


def _open(dialog: QFileDialog, on_chosen: OnChosen) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: on_chosen([Path(name) for name in names]))
    dialog.open()
