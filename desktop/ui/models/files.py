"""Choosing what to import and where to copy to; the dialogs never block the event loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    OnChosen = Callable[[list[Path]], object]


def importable(paths: Sequence[Path]) -> list[Path]:
    """Return the folders and zip files among `paths`; decided by name, without reading."""
    return [path for path in paths if path.suffix.lower() == ".zip" or path.is_dir()]


def choose_model_folder(parent: QWidget, on_chosen: OnChosen) -> QFileDialog:
    """Let a person choose a model's folder."""
    dialog = QFileDialog(parent, parent.tr("Import a model's folder"))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return _open(dialog, on_chosen)


def choose_model_zip(parent: QWidget, on_chosen: OnChosen) -> QFileDialog:
    """Let a person choose zip files with models in them."""
    dialog = QFileDialog(parent, parent.tr("Import models from zip files"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters([parent.tr("Zip files (*.zip *.ZIP)")])
    return _open(dialog, on_chosen)


def choose_stick(parent: QWidget, on_chosen: OnChosen) -> QFileDialog:
    """Let a person choose where a copy goes."""
    dialog = QFileDialog(parent, parent.tr("Copy the model to this USB stick or folder"))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, parent.tr("Copy Here"))
    return _open(dialog, on_chosen)


def _open(dialog: QFileDialog, on_chosen: OnChosen) -> QFileDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: on_chosen([Path(name) for name in names]))
    dialog.open()
    return dialog
