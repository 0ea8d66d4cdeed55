"""Importing, verifying and removing models, as jobs. Writing them is `pack_writing`.

What a killed import leaves behind is removed by the next one, or when the application starts
(`ModelFolder.sweep`).
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

from desktop.models.errors import ModelNotInstalled, PackRefused
from desktop.models.generation import never
from desktop.models.packs.copying import hash_steps, sync_folder
from desktop.models.packs.installing import Wish, install
from desktop.models.packs.lora_merge import install_merged, is_bare_adapter
from desktop.models.packs.model_folder import REMOVING
from desktop.models.packs.pack_events import ImportEvent, PackProgress, PackVerified, VerifyEvent
from desktop.models.packs.pack_source import open_source
from desktop.models.packs.pack_writing import write_pack

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from desktop.models.catalogue import Catalogue, CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.packs.model_folder import ModelFolder

__all__ = ["import_pack", "remove", "verify", "write_pack"]


def import_pack(
    source: Path,
    folder: ModelFolder,
    catalogue: Catalogue,
    *,
    model_id: str | None = None,
    replace: bool = False,
    base: Path | None = None,
    downloaded: tuple[CatalogueEntry, str] | None = None,
    cancelled: Cancelled = never,
) -> Generator[ImportEvent, None, None]:
    """Install a model from a folder or zip, with or without a manifest.

    Args:
        source: the folder or zip file; it is only read.
        folder: where models are installed.
        catalogue: the families that can run, and the models known by name.
        model_id: its id here, else the manifest's, the catalogue's or the folder's name.
        replace: take the place of a model that has this id. A damaged one is always replaced.
        base: folder of the model that `source`, a LoRA adapter, changes.
        downloaded: the entry and commit this is, if it comes from `.downloads`; then files
            are linked instead of copied where the disk can.
        cancelled: asked between steps.

    Yields: progress, a `PackDone` last; without one it was cancelled, and nothing is left.
    Raises: PackRefused, with the reason; OSError, if a disk fails or is full.
    """
    entry, commit = downloaded or (None, "")
    wish = Wish(model_id, replace, entry, commit, link=downloaded is not None)
    with folder.changing(), closing(open_source(source)) as opened:
        if base is not None:
            yield from install_merged(opened, base, folder, catalogue, wish, cancelled)
        elif is_bare_adapter(opened):
            raise PackRefused(
                "This is a LoRA adapter: it changes another model and does not run by itself. "
                "Import it with its base: groundwork models import ADAPTER --base FOLDER."
            )
        else:
            yield from install(opened, folder, catalogue, wish, cancelled)


def verify(
    model_id: str, folder: ModelFolder, cancelled: Cancelled = never
) -> Iterator[VerifyEvent]:
    """Hash every file of an installed model. What is found is remembered in its folder.

    Yields: progress, a `PackVerified` last; without one it was cancelled.
    Raises: ModelNotInstalled; ModelDamaged, if its manifest is missing or not valid; OSError.
    """
    manifest = folder.manifest(model_id)
    place = folder.path(model_id)
    damage: list[str] = []
    done = 0
    for listed in manifest.files:
        yield PackProgress("hashing", done, manifest.size_bytes, listed.path)
        digest = hashlib.sha256()
        try:
            with (place / listed.path).open("rb") as file:
                for step in hash_steps(file, digest):
                    done += step
                    yield PackProgress("hashing", done, manifest.size_bytes, listed.path)
                    if cancelled():
                        return
        except FileNotFoundError:
            damage.append(f"{listed.path} is missing.")
            continue
        if digest.hexdigest() != listed.sha256:
            damage.append(f"{listed.path} is damaged: it is not the file that was imported.")
    folder.note_damage(model_id, tuple(damage))
    yield PackVerified(model_id, tuple(damage))


def remove(model_id: str, folder: ModelFolder) -> None:
    """Delete an installed model, damaged or not: first its name, then its files.

    Raises: ModelNotInstalled; PackRefused, if the folder is being changed; OSError.
    """
    place = folder.path(model_id)
    if not place.is_dir():
        raise ModelNotInstalled(f"There is no model {model_id} in {folder.root}.")
    with folder.changing():
        leaving = folder.root / f"{REMOVING}{secrets.token_hex(8)}"
        os.rename(place, leaving)
        sync_folder(folder.root)
        shutil.rmtree(leaving)
