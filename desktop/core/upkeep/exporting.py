"""Writing a whole library into one file, while it is in use."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from desktop import __version__
from desktop.core.errors import CarrierRefused
from desktop.core.library.originals import require_space
from desktop.core.paths import LibraryFolder
from desktop.core.store.backup import copy_database
from desktop.core.store.backups import BackupFile
from desktop.core.store.connection import connect_reader, named_errors
from desktop.core.store.migrations import check_identity
from desktop.core.upkeep.carrier import DATABASES, MANIFEST, CarrierManifest, files_to_carry
from desktop.core.upkeep.restoring import check_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.jobs import CancelToken

_CHUNK = 1 << 20
_SPARE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Carried:
    """So far: bytes of so many, and the file that is being worked on."""

    done_bytes: int
    total_bytes: int
    name: str


def export_library(folder: Path, target: Path, cancel: CancelToken) -> Iterator[Carried]:
    """Write the library in `folder` to `target`, which appears complete or not at all.

    Raises: CarrierRefused, if `target` exists. BackupUnusable, if the library is damaged.
        NotALibrary, DiskFull, LibraryBusy, OSError, Cancelled.
    """
    if target.exists():
        raise CarrierRefused(f"There is a file {target} already.")
    library = LibraryFolder(folder)
    partial = target.with_name(f".{target.name}.partial")
    with tempfile.TemporaryDirectory(prefix="groundwork-export-", dir=target.parent) as name:
        copies, version = _copied_databases(library, Path(name))
        files = [*copies, *files_to_carry(library)]
        total = sum(path.stat().st_size for _, path in files)
        require_space(target.parent, total, _SPARE_BYTES)
        try:
            yield from _write(partial, files, total, version, cancel)
            cancel.check()
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)


def _write(
    partial: Path, files: list[tuple[str, Path]], total: int, version: int, cancel: CancelToken
) -> Iterator[Carried]:
    listed: dict[str, BackupFile] = {}
    done = 0
    with partial.open("wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as carrier:
            for name, path in files:
                yield Carried(done, total, name)
                listed[name] = _put(carrier, name, path, cancel)
                done += listed[name].bytes
            manifest = CarrierManifest(
                made_at=datetime.now(UTC),
                made_by=f"Groundwork {__version__}",
                schema_version=version,
                files=listed,
            )
            carrier.writestr(MANIFEST, manifest.model_dump_json(indent=1))
        file.flush()
        os.fsync(file.fileno())
    yield Carried(total, total, MANIFEST)


def _put(carrier: zipfile.ZipFile, name: str, path: Path, cancel: CancelToken) -> BackupFile:
    """Copy one file into the zip; a manual's copy must be what its name says."""
    digest, size = hashlib.sha256(), 0
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED if name in DATABASES else zipfile.ZIP_STORED
    entry.file_size = path.stat().st_size  # decides whether the entry needs 64 bits
    with path.open("rb") as source, carrier.open(entry, "w") as inside:
        while piece := source.read(_CHUNK):
            cancel.check()
            digest.update(piece)
            size += len(piece)
            inside.write(piece)
    if name.startswith("originals/") and digest.hexdigest() != path.stem:
        raise CarrierRefused(
            f"The library's copy {path.name} is damaged. Run 'groundwork library check', add that "
            "manual again, then export."
        )
    return BackupFile(bytes=size, sha256=digest.hexdigest())


def _copied_databases(library: LibraryFolder, work: Path) -> tuple[list[tuple[str, Path]], int]:
    copies: list[tuple[str, Path]] = []
    with closing(connect_reader(library.database)) as source:
        with named_errors(library.database):
            version = check_identity(source, library.database)
        copy_database(source, work / library.database.name)
    check_database(work / library.database.name)
    copies.append((library.database.name, work / library.database.name))
    if library.knowledge.exists():
        with named_errors(library.knowledge):
            notes = apsw.Connection(str(library.knowledge), flags=apsw.SQLITE_OPEN_READWRITE)
        with closing(notes):
            copy_database(notes, work / library.knowledge.name)
        copies.append((library.knowledge.name, work / library.knowledge.name))
    return copies, version
