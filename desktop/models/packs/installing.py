"""Installing the files of a source: checked, copied, hashed, checked again, put in place.

An installation is complete or leaves nothing: the files are checked where they lie, copied
into `.importing-*` beside the models, hashed on the way, checked again, forced to the disk,
and only then given their name.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from desktop.models.errors import ModelNotInstalled, PackRefused, shown
from desktop.models.packs.model_contents import (
    Identity,
    check_contents,
    chosen_files,
    identify,
    identify_pack,
)
from desktop.models.packs.model_folder import (
    IMPORTING,
    MANIFEST_NAME,
    MOST_BYTES,
    REPLACED,
    FileUse,
    Manifest,
    ManifestFile,
    use_of,
)
from desktop.models.packs.pack_events import ImportEvent, PackDone, PackProgress, in_units
from desktop.models.packs.pack_source import FolderSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from hashlib import _Hash as Digest
    from pathlib import Path
    from typing import BinaryIO

    from desktop.models.catalogue import Catalogue, CatalogueEntry
    from desktop.models.generation import Cancelled
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.packs.pack_source import PackSource


_REVISION_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """What the importing caller knows or wants.

    model_id: else the manifest's, the catalogue's or the folder's name. replace: take
    the place of a model with this id; a damaged one is always replaced. entry, commit:
    what was downloaded. licence: else what the source states. link: the source is ours,
    on the same disk and deleted afterwards, so its files need not be duplicated.
    """

    model_id: str | None = None
    replace: bool = False
    entry: CatalogueEntry | None = None
    commit: str = ""
    licence: str = ""
    link: bool = False


def install(
    source: PackSource, folder: ModelFolder, catalogue: Catalogue, wish: Wish, cancelled: Cancelled
) -> Iterator[ImportEvent]:
    """Install a model; the caller holds `folder.changing()`.

    Yields: progress, a `PackDone` last; without one it was cancelled, and nothing is left.
    Raises: PackRefused, with the reason; OSError, if a disk fails or is full.
    """
    yield PackProgress("checking", 0, 0)
    expected = _manifest_of(source)
    if expected is not None:
        identity = identify_pack(source, catalogue, expected, model_id=wish.model_id)
        names = _files_of(expected, source)
    else:
        identity = identify(source, catalogue, model_id=wish.model_id, entry=wish.entry)
        names = chosen_files(source)
    if not wish.replace and folder.find(identity.id) is not None:
        raise PackRefused(
            "{model_id} is already installed. Remove it first, or import this one with "
            "'groundwork models import' and --replace or another --id.",
            model_id=identity.id,
        )
    check_contents(source, names)
    total = sum(source.files[name] for name in names)
    check_room(folder.root, 0 if wish.link else total, identity.id)
    staged = folder.root / f"{IMPORTING}{secrets.token_hex(8)}"
    try:
        staged.mkdir()
        files: list[ManifestFile] = []
        for event in _copied(source, names, staged, files, link=wish.link):
            yield event
            if cancelled():
                return
        if expected is not None:
            _compare(expected, files)
        _finish(staged, identity, wish, files)
        yield PackProgress("checking", total, total)
        if cancelled():
            return
        _put_in_place(staged, folder, identity.id)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    model = folder.find(identity.id)
    if model is None:
        raise ModelNotInstalled("{id} was removed during the import.", id=identity.id)
    yield PackDone(model, source.left_out)


def _manifest_of(source: PackSource) -> Manifest | None:
    if MANIFEST_NAME not in source.files:
        return None
    if source.files[MANIFEST_NAME] > MOST_BYTES:
        raise PackRefused(
            "The file {manifest_name} is too large.",
            manifest_name=MANIFEST_NAME,
        )
    with source.open(MANIFEST_NAME) as file:
        return Manifest.from_bytes(file.read(MOST_BYTES))


def _files_of(manifest: Manifest, source: PackSource) -> list[str]:
    for file in manifest.files:
        there = source.files.get(file.path)
        if there is None:
            raise PackRefused("{path} is on the file list, but missing.", path=shown(file.path))
        if there != file.bytes:
            raise PackRefused(
                "{path} has {there} bytes, but the file list says {bytes}. Copy the pack again.",
                path=shown(file.path),
                there=f"{there:,}",
                bytes=f"{file.bytes:,}",
            )
    return sorted(manifest.by_path)


def _compare(manifest: Manifest, copied: list[ManifestFile]) -> None:
    for file in copied:
        if file.sha256 != manifest.by_path[file.path].sha256:
            raise PackRefused(
                "{path} is not the file on the file list: its SHA-256 differs. Copy the pack "
                "again; if that does not help, do not trust it.",
                path=shown(file.path),
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


def _finish(staged: Path, identity: Identity, wish: Wish, files: list[ManifestFile]) -> None:
    """Check the copy as it will be used, and write its manifest."""
    copy = FolderSource(staged)
    check_contents(copy, copy.files)
    stated = asdict(identity) | {
        "licence": wish.licence or identity.licence,
        "revision": wish.commit or identity.revision or _revision_of(files),
    }
    manifest = Manifest(**stated, files=tuple(files))
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


STEP_BYTES = 8 * 2**20
"""Between two steps of this size work can be cancelled."""

_SPARE_BYTES = 200 * 2**20  # a full disk stops other programs as well


def hash_steps(file: BinaryIO, digest: Digest) -> Iterator[int]:
    """Feed a file to a hash. Yields the bytes of each step."""
    while chunk := file.read(STEP_BYTES):
        digest.update(chunk)
        yield len(chunk)


def copy_steps(source: BinaryIO, target: BinaryIO, most: int, digest: Digest) -> Iterator[int]:
    """Copy a file, hash it, yield each step's bytes. Raises: PackRefused, over `most`; OSError."""
    done = 0
    while chunk := source.read(STEP_BYTES):
        done += len(chunk)
        if done > most:
            raise PackRefused("A file in it is longer than stated. Copy or download it again.")
        digest.update(chunk)
        _write(target, chunk)
        yield len(chunk)


def copy_file(
    source: PackSource, name: str, target: Path, digest: Digest, *, link: bool
) -> Iterator[int]:
    """Copy a file of a source to a new file, and force it to the disk; `digest` is fed with it.

    link: the source is ours and on the same disk, so its file need not be duplicated.

    Yields: bytes done in each step.
    Raises: PackRefused, if its size is not what the source said; OSError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    size = source.files[name]
    place = source.place(name)
    if link and place is not None and _linked(place, target):
        with target.open("rb") as file:
            yield from hash_steps(file, digest)
            os.fsync(file.fileno())
    else:
        with source.open(name) as file, target.open("xb") as copy:
            yield from copy_steps(file, copy, size, digest)
            copy.flush()
            os.fsync(copy.fileno())
    if target.stat().st_size != size:
        raise PackRefused(
            "{name} changed or was cut off while being copied. Try again, and keep the disk "
            "connected.",
            name=shown(name),
        )


def sync_folder(folder: Path) -> None:
    """Force a folder's list of names to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some disks, of USB sticks and networks, cannot do this for a folder.
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_room(folder: Path, needed_bytes: int, what: str) -> None:
    """Refuse what does not fit on a folder's disk, naming it `what`. Raises: PackRefused."""
    free = shutil.disk_usage(folder).free
    if needed_bytes + _SPARE_BYTES > free:
        missing = needed_bytes + _SPARE_BYTES - free
        raise PackRefused(
            "There is not enough room for {what}: it needs {needed_bytes} and {free} is free "
            "in {folder}. Free up {missing} more and try again.",
            what=what,
            needed_bytes=in_units(needed_bytes),
            free=in_units(free),
            folder=folder,
            missing=in_units(missing),
        )


def _write(target: BinaryIO, chunk: bytes) -> None:
    try:
        target.write(chunk)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise PackRefused(
                "The destination disk cannot hold files over 4 GB (FAT32). Format it as "
                "exFAT, or use another one."
            ) from error
        raise


def _linked(place: Path, target: Path) -> bool:
    try:
        os.link(place, target, follow_symlinks=False)
    except OSError:  # another disk, or one without links: it is copied
        return False
    return True
