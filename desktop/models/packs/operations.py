"""Importing, verifying, removing and packing models, as jobs.

What a killed import leaves behind is removed by the next one, or when the application starts
(`ModelFolder.sweep`).
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import zipfile
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from desktop.models.errors import ModelDamaged, ModelNotInstalled, PackRefused
from desktop.models.generation import never
from desktop.models.packs.installing import (
    Wish,
    check_room,
    copy_steps,
    hash_steps,
    install,
    sync_folder,
)
from desktop.models.packs.lora_merge import install_merged, is_bare_adapter
from desktop.models.packs.model_folder import MANIFEST_NAME, REMOVING
from desktop.models.packs.pack_events import (
    ImportEvent,
    PackProgress,
    PackVerified,
    PackWritten,
    VerifyEvent,
    WriteEvent,
)
from desktop.models.packs.pack_source import open_source
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import BinaryIO

    from desktop.models.catalogue import Catalogue, CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.packs.model_folder import Manifest, ModelFolder


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
    """Install a model from a folder or zip, which is only read, with or without a manifest.

    model_id: else the manifest's, the catalogue's or the folder's name. replace: take the place of
    a model that has this id; a damaged one is always replaced. base: folder of the model that
    `source`, a LoRA adapter, changes. downloaded: the entry and commit this is, if it comes from
    `.downloads`; then files are linked instead of copied where the disk can.

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
                "This is a LoRA adapter: it changes another model and does not run by "
                "itself. Import it with its base: groundwork models import ADAPTER "
                "--base FOLDER."
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
            damage.append(said("{path} is missing.", path=listed.path))
            continue
        if digest.hexdigest() != listed.sha256:
            damage.append(
                said("{path} is damaged: it is not the file that was imported.", path=listed.path)
            )
    folder.note_damage(model_id, tuple(damage))
    yield PackVerified(model_id, tuple(damage))


def remove(model_id: str, folder: ModelFolder) -> None:
    """Delete a model, damaged or not. Raises: ModelNotInstalled; PackRefused; OSError."""
    place = folder.path(model_id)
    if not place.is_dir():
        raise ModelNotInstalled(
            "There is no model {model_id} in {root}.", model_id=model_id, root=folder.root
        )
    with folder.changing():
        leaving = folder.root / f"{REMOVING}{secrets.token_hex(8)}"
        os.rename(place, leaving)
        sync_folder(folder.root)
        shutil.rmtree(leaving)


def write_pack(
    model_id: str, folder: ModelFolder, target: Path, cancelled: Cancelled = never
) -> Iterator[WriteEvent]:
    """Write a pack, a zip if `target` ends in .zip, else a folder: complete, or not at all.

    Yields: progress, a `PackWritten` last; without one it was cancelled.
    Raises: ModelNotInstalled; ModelDamaged, with the file that is not the one that was imported;
        PackRefused, if the target exists or has no room; OSError.
    """
    manifest = folder.manifest(model_id)
    place = folder.path(model_id)
    target = Path(os.path.abspath(target))
    if target.exists():
        raise PackRefused("{target} already exists. Choose a new file or folder.", target=target)
    if not target.parent.is_dir():
        raise PackRefused(
            "There is no folder {parent} to write the pack into.", parent=target.parent
        )
    check_room(
        target.parent, manifest.size_bytes, said("the pack for {model_id}", model_id=model_id)
    )
    unfinished = target.parent / f".{target.name}.unfinished"
    _delete(unfinished)  # of a run that was killed
    writer = _ZipWriter if target.suffix.lower() == ".zip" else _FolderWriter
    try:
        with writer(unfinished) as pack:
            for event in _written(manifest, place, pack):
                yield event
                if cancelled():
                    return
            with pack.adding(MANIFEST_NAME) as file:
                file.write(manifest.to_bytes())
        os.rename(unfinished, target)
        sync_folder(target.parent)
    finally:
        _delete(unfinished)
    yield PackWritten(target)


def _written(
    manifest: Manifest, place: Path, pack: _ZipWriter | _FolderWriter
) -> Iterator[PackProgress]:
    total, done = manifest.size_bytes, 0
    for listed in manifest.files:
        yield PackProgress("writing", done, total, listed.path)
        try:
            source = (place / listed.path).open("rb")
        except FileNotFoundError as error:
            raise ModelDamaged(
                "{path} of {id} is missing.", path=listed.path, id=manifest.id
            ) from error
        with source, pack.adding(listed.path) as file:
            digest = hashlib.sha256()
            for step in copy_steps(source, file, listed.bytes, digest):
                done += step
                yield PackProgress("writing", done, total, listed.path)
        if digest.hexdigest() != listed.sha256:
            raise ModelDamaged(
                "{path} of {id} is damaged: it is not the file that was imported.",
                path=listed.path,
                id=manifest.id,
            )


class _ZipWriter:
    """Stores without compressing: weights do not shrink."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb")
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_STORED)

    def __enter__(self) -> _ZipWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._file:
            if kind is None:
                self._zip.close()
                self._file.flush()
                os.fsync(self._file.fileno())
            else:  # it is deleted; on a full disk its end cannot be written either
                with suppress(OSError):
                    self._zip.close()

    @contextmanager
    def adding(self, name: str) -> Iterator[BinaryIO]:
        with self._zip.open(zipfile.ZipInfo(name), "w", force_zip64=True) as file:
            yield cast("BinaryIO", file)


class _FolderWriter:
    def __init__(self, path: Path) -> None:
        path.mkdir()
        self._path = path

    def __enter__(self) -> _FolderWriter:
        return self

    def __exit__(self, *_: object) -> None:
        sync_folder(self._path)

    @contextmanager
    def adding(self, name: str) -> Iterator[BinaryIO]:
        target = self._path / name
        target.parent.mkdir(exist_ok=True)
        with target.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
