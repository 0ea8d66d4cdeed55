"""Taking a library out of the file that carried it. The file may come from anybody."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import uuid
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw
from pydantic import ValidationError

from desktop.core.errors import BackupUnusable, CarrierRefused, LibraryTooNew, NotALibrary
from desktop.core.library.originals import require_space
from desktop.core.paths import LibraryFolder
from desktop.core.store.migrations import MIGRATIONS
from desktop.core.upkeep.carrier import DATABASES, MANIFEST, MOST_FILES, CarrierManifest, may_carry
from desktop.core.upkeep.exporting import Carried
from desktop.core.upkeep.restoring import check_database
from desktop.core.upkeep.schema_objects import foreign_code
from desktop.models.packs.model_files import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.jobs import CancelToken
    from desktop.core.store.backups import BackupFile

_CHUNK = 1 << 20
_SPARE_BYTES = 256 << 20
_LONGEST_MANIFEST = 64 << 20
_DAMAGED = "It is damaged or was cut off. Copy it again."


def import_library(source: Path, folder: Path, cancel: CancelToken) -> Iterator[Carried]:
    """Unpack a carried library into `folder`, which appears complete or not at all.

    Every file is compared with the manifest while it is written, and the databases are looked
    through, before anything is put in place.

    Raises: CarrierRefused; LibraryTooNew; DiskFull; OSError; Cancelled.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CarrierRefused(f"{folder} is not empty. Choose a new folder with --library.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = folder.parent / f".{folder.name}-{uuid.uuid4().hex[:8]}.partial"
    with source.open("rb") as file, _refusing(), zipfile.ZipFile(file) as carrier:
        manifest = _manifest(carrier, source.stat().st_size)
        total = sum(each.bytes for each in manifest.files.values())
        require_space(folder.parent, total, _SPARE_BYTES)
        try:
            work.mkdir()
            yield from _unpack(carrier, manifest, work, total, cancel)
            _look_through(LibraryFolder(work))
            cancel.check()
            if folder.exists():
                folder.rmdir()
            work.rename(folder)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    yield Carried(total, total, "")


def _manifest(carrier: zipfile.ZipFile, file_bytes: int) -> CarrierManifest:
    """Return the manifest after the zip's own directory was compared with it."""
    entries = carrier.infolist()
    if len(entries) > MOST_FILES:
        raise CarrierRefused(f"It holds more than {MOST_FILES:,} files: this is no library.")
    for entry in entries:
        _check_entry(entry)
    if sum(entry.compress_size for entry in entries) > file_bytes:
        raise CarrierRefused("Its files overlap: it is made to fill the disk.")
    names = [entry.orig_filename for entry in entries]
    if len(set(names)) < len(names):
        raise CarrierRefused("It holds two files of the same name.")
    if MANIFEST not in names:
        raise CarrierRefused("It is no library that Groundwork exported.")
    if carrier.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
        raise CarrierRefused("Its list of files is too long.")
    try:
        manifest = CarrierManifest.model_validate_json(carrier.read(MANIFEST))
    except ValidationError as error:
        raise CarrierRefused("Its list of files is not as Groundwork writes it.") from error
    if manifest.schema_version > len(MIGRATIONS):
        raise LibraryTooNew(manifest.schema_version, len(MIGRATIONS))
    _compare(manifest, {entry.orig_filename: entry.file_size for entry in entries})
    return manifest


def _compare(manifest: CarrierManifest, sizes: dict[str, int]) -> None:
    sizes.pop(MANIFEST)
    for name in sizes.keys() | manifest.files.keys():
        if not may_carry(name):
            raise CarrierRefused(f"{shown(name)} does not belong into a library.")
        listed = manifest.files.get(name)
        if listed is None or sizes.get(name) != listed.bytes:
            raise CarrierRefused(f"{shown(name)} is not there as its list of files says.")
    if "library.db" not in sizes:
        raise CarrierRefused("It holds no library.db.")


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename
    if name != MANIFEST and not may_carry(name):
        raise CarrierRefused(f"{shown(name)} does not belong into a library.")
    if entry.flag_bits & 0x1:
        raise CarrierRefused("It is protected with a password.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CarrierRefused(f"{shown(name)} is packed in a way Groundwork does not read.")
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise CarrierRefused(f"{shown(name)} is a link or a device, not a file.")


def _unpack(
    carrier: zipfile.ZipFile,
    manifest: CarrierManifest,
    work: Path,
    total: int,
    cancel: CancelToken,
) -> Iterator[Carried]:
    done = 0
    for name, listed in manifest.files.items():
        yield Carried(done, total, name)
        _take(carrier, name, listed, work, cancel)
        done += listed.bytes


def _take(
    carrier: zipfile.ZipFile, name: str, listed: BackupFile, work: Path, cancel: CancelToken
) -> None:
    """Unpack one file; never more bytes than are listed, whatever the zip says."""
    target = work / name
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), listed.bytes
    with carrier.open(name) as inside, target.open("xb") as writing:
        while piece := inside.read(min(_CHUNK, left + 1)):
            cancel.check()
            left -= len(piece)
            if left < 0:
                raise CarrierRefused(f"{shown(name)} is longer than it says.")
            digest.update(piece)
            writing.write(piece)
        writing.flush()
        os.fsync(writing.fileno())
    if left or digest.hexdigest() != listed.sha256:
        raise CarrierRefused(f"{shown(name)} is not the file that was exported (checksum).")
    if name.startswith("originals/") and target.stem != listed.sha256:
        raise CarrierRefused(f"{shown(name)} is not the manual that its name says.")


def _look_through(library: LibraryFolder) -> None:
    """Check the databases before the program ever opens them for writing."""
    try:
        check_database(library.database)
        for name in DATABASES:
            path = library.root / name
            if path.exists() and (found := foreign_code(path)):
                raise CarrierRefused(
                    f"{name} holds {shown(found)}, which no Groundwork made: it is not trusted."
                )
    except (BackupUnusable, NotALibrary, apsw.Error) as error:
        raise CarrierRefused(f"A database in it is damaged: {error}.") from error
    for suffix in ("-wal", "-shm"):
        for name in DATABASES:
            (library.root / f"{name}{suffix}").unlink(missing_ok=True)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what zip files of all kinds of damage raise into one refusal."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError) as error:
        # NotImplementedError, which zipfile raises too, is a RuntimeError
        raise CarrierRefused(_DAMAGED) from error
