"""Packs of models on disk, as the models page needs them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.models.errors import ModelNotInstalled
from desktop.models.packs import download
from desktop.models.packs import operations as packs

if TYPE_CHECKING:
    from desktop.models.catalogue import Catalogue
    from desktop.models.generation import Cancelled
    from desktop.models.packs.download import Offer
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.ui.models.tasks import Event


class InstalledPacks:
    """Called on the threads of tasks and errands; refuses with a `ModelError`."""

    def __init__(self, folder: ModelFolder, catalogue: Catalogue) -> None:
        self._folder = folder
        self._catalogue = catalogue

    def import_from(self, source: Path, cancelled: Cancelled) -> Iterator[Event]:
        """Install a model from a folder or zip file."""
        return packs.import_pack(source, self._folder, self._catalogue, cancelled=cancelled)

    def verify(self, model_id: str, cancelled: Cancelled) -> Iterator[Event]:
        """Hash every file."""
        return packs.verify(model_id, self._folder, cancelled)

    def remove(self, model_id: str) -> None:
        packs.remove(model_id, self._folder)

    def copy_to(self, model_id: str, target: Path, cancelled: Cancelled) -> Iterator[Event]:
        """Write a pack into the folder `target`."""
        return packs.write_pack(model_id, self._folder, _new_folder(target, model_id), cancelled)

    def offer(self, model_id: str) -> Offer | None:
        """Return what a download would involve; None if there is none. Quick, without a network."""
        entry = self._catalogue.entry(model_id)
        return download.offer(entry) if entry is not None else None

    def download(self, model_id: str, cancelled: Cancelled) -> Iterator[Event]:
        """Fetch and install a model; the only use of a network."""
        entry = self._catalogue.entry(model_id)
        if entry is None:
            raise ModelNotInstalled(f"The catalogue has no model {model_id}.")
        return download.download(entry, self._folder, self._catalogue, cancelled=cancelled)


def _new_folder(target: Path, model_id: str) -> Path:
    """Return a folder in `target` that does not exist yet: a stick may hold an earlier copy."""
    names = (model_id if number == 1 else f"{model_id}-{number}" for number in count(1))
    return next(place for name in names if not (place := target / name).exists())
