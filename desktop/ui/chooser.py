"""The system's own dialogs for choosing manuals; they never block the event loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    OnChosen = Callable[[list[Path]], object]


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


def _open(dialog: QFileDialog, on_chosen: OnChosen) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: on_chosen([Path(name) for name in names]))
    dialog.open()
