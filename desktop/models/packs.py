"""Importing, verifying and removing models, as jobs.

An import is complete or leaves nothing: the files are checked where they lie, copied into
`.importing-*` beside the models, hashed on the way, checked again, forced to the disk, and
only then given their name. What a killed import leaves is removed by the next one, or when
the application starts.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

from desktop.models.copying import check_room, copy_file, hash_steps, sync_folder
from desktop.models.errors import ModelNotInstalled, PackRefused
from desktop.models.generation import never
from desktop.models.manifest import MOST_BYTES, Manifest, ManifestFile
from desktop.models.model_contents import ADAPTER_NAME, CONFIG_NAME, check_contents, chosen_files
from desktop.models.model_files import MANIFEST_NAME, FileUse, shown, use_of
from desktop.models.model_folder import IMPORTING, REMOVING, REPLACED
from desktop.models.model_identity import Identity, identify, identify_pack
from desktop.models.pack_events import (
    ImportEvent,
    PackDone,
    PackProgress,
    PackVerified,
    VerifyEvent,
)
from desktop.models.pack_source import FolderSource
from desktop.models.pack_writing import write_pack
from desktop.models.zip_source import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.models.catalogue import Catalogue, CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.model_folder import ModelFolder
    from desktop.models.pack_source import PackSource

__all__ = ["import_pack", "remove", "verify", "write_pack"]

_REVISION_DIGITS = 8


def import_pack(
    source: Path,
    folder: ModelFolder,
    catalogue: Catalogue,
    *,
    model_id: str | None = None,
    replace: bool = False,
    downloaded: tuple[CatalogueEntry, str] | None = None,
    cancelled: Cancelled = never,
) -> Iterator[ImportEvent]:
    """Install a model from a folder or zip, with or without a manifest.

    Args:
        source: the folder or zip file; it is only read.
        folder: where models are installed.
        catalogue: the families that can run, and the models known by name.
        model_id: its id here, else the manifest's, the catalogue's or the folder's name.
        replace: take the place of a model that has this id. A damaged one is always replaced.
        downloaded: the entry and commit this is, if it comes from `.downloads`; then files
            are linked instead of copied where the disk can.
        cancelled: asked between steps.

    Yields: progress, a `PackDone` last; without one it was cancelled, and nothing is left.
    Raises: PackRefused, with the reason; OSError, if a disk fails or is full.
    """
    entry, commit = downloaded or (None, "")
    with folder.changing(), closing(open_source(source)) as opened:
        yield PackProgress("checking", 0, 0)
        expected = _manifest_of(opened)
        if expected is not None:
            identity = identify_pack(opened, catalogue, expected, model_id=model_id)
            names = _files_of(expected, opened)
        else:
            _refuse_bare_adapter(opened)
            identity = identify(opened, catalogue, model_id=model_id, entry=entry)
            names = chosen_files(opened)
        _check_place(folder, identity.id, replace=replace)
        check_contents(opened, names)
        total = sum(opened.files[name] for name in names)
        check_room(folder.root, 0 if downloaded else total, identity.id)
        staged = folder.root / f"{IMPORTING}{secrets.token_hex(8)}"
        try:
            staged.mkdir()
            files: list[ManifestFile] = []
            for event in _copied(opened, names, staged, files, link=downloaded is not None):
                yield event
                if cancelled():
                    return
            if expected is not None:
                _compare(expected, files)
            _finish(staged, catalogue, identity, commit, files)
            yield PackProgress("checking", total, total)
            if cancelled():
                return
            _put_in_place(staged, folder, identity.id)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    model = folder.find(identity.id)
    if model is None:
        raise ModelNotInstalled(f"{identity.id} was removed while it was imported.")
    yield PackDone(model, opened.left_out)


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


def _manifest_of(source: PackSource) -> Manifest | None:
    if MANIFEST_NAME not in source.files:
        return None
    if source.files[MANIFEST_NAME] > MOST_BYTES:
        raise PackRefused(f"The manifest {MANIFEST_NAME} is too large to be one.")
    with source.open(MANIFEST_NAME) as file:
        return Manifest.from_bytes(file.read(MOST_BYTES))


def _files_of(manifest: Manifest, source: PackSource) -> list[str]:
    for file in manifest.files:
        there = source.files.get(file.path)
        if there is None:
            raise PackRefused(f"{shown(file.path)} is missing, but the manifest lists it.")
        if there != file.bytes:
            raise PackRefused(
                f"{shown(file.path)} has {there:,} bytes, the manifest says {file.bytes:,}. "
                "Copy the pack again."
            )
    return sorted(manifest.by_path)


def _compare(manifest: Manifest, copied: list[ManifestFile]) -> None:
    for file in copied:
        if file.sha256 != manifest.by_path[file.path].sha256:
            raise PackRefused(
                f"{shown(file.path)} is not the file that the manifest lists: its SHA-256 "
                "differs. Copy the pack again; if that does not help, do not trust it."
            )


def _refuse_bare_adapter(source: PackSource) -> None:
    if ADAPTER_NAME in source.files and CONFIG_NAME not in source.files:
        raise PackRefused(
            "This is a LoRA adapter: it changes another model and does not run by itself. Name "
            "the folder of the model it belongs to with --base."
        )


def _check_place(folder: ModelFolder, model_id: str, *, replace: bool) -> None:
    if not replace and folder.find(model_id) is not None:
        raise PackRefused(
            f"{model_id} is installed already. Replace it with --replace, or give this one "
            "another id with --id."
        )


def _copied(
    source: PackSource, names: list[str], staged: Path, files: list[ManifestFile], *, link: bool
) -> Iterator[PackProgress]:
    """Copy everything, and put what was copied into `files`."""
    total = sum(source.files[name] for name in names)
    done = 0
    for name in names:
        yield PackProgress("copying", done, total, name)
        digest = hashlib.sha256()
        for step in copy_file(source, name, staged / name, digest, link=link):
            done += step
            yield PackProgress("copying", done, total, name)
        files.append(ManifestFile(path=name, bytes=source.files[name], sha256=digest.hexdigest()))


def _finish(
    staged: Path, catalogue: Catalogue, identity: Identity, commit: str, files: list[ManifestFile]
) -> None:
    """Check the copy as it will be used, and write its manifest."""
    copy = FolderSource(staged)
    check_contents(copy, copy.files)
    manifest = Manifest(
        id=identity.id,
        role=identity.role,
        family=identity.family,
        title=identity.title,
        licence=identity.licence,
        repository=identity.repository,
        revision=commit or identity.revision or _revision_of(files),
        quantisation=identity.quantisation,
        files=tuple(files),
    )
    with (staged / MANIFEST_NAME).open("xb") as file:
        file.write(manifest.to_bytes())
        file.flush()
        os.fsync(file.fileno())
    for below in {staged, *(path.parent for path in staged.glob("*/*"))}:
        sync_folder(below)


def _revision_of(files: list[ManifestFile]) -> str:
    """Return the start of the weights' hash; of several files, of the hash of their hashes."""
    hashes = [file.sha256 for file in files if use_of(file.path) is FileUse.WEIGHTS]
    whole = hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
    return whole[:_REVISION_DIGITS]


def _put_in_place(staged: Path, folder: ModelFolder, model_id: str) -> None:
    place = folder.path(model_id)
    former = folder.root / f"{REPLACED}{model_id}"
    if place.exists():
        os.rename(place, former)  # put back by the next start if we are killed here
    os.rename(staged, place)
    sync_folder(folder.root)
    shutil.rmtree(former, ignore_errors=True)
