"""Copies of a library file: made while it is used, numbered, and kept or dropped."""

from __future__ import annotations

import hashlib
import re
import shutil
import uuid
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import apsw
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.core.errors import DiskFull
from desktop.core.paths import LibraryFolder, synchronise
from desktop.core.store.connection import named_errors
from desktop.sentences import said


def copy_database(source: apsw.Connection, target: Path) -> None:
    """Copy the database of `source` to `target`, which appears complete or not at all.

    One step copies everything in one read transaction: with write-ahead logging that
    holds nobody up, while several steps would start again after every write.

    Raises: DiskFull, LibraryNotWritable; a copy that was at `target` before is then kept.
    """
    partial = target.with_name(f".{target.name}.partial")
    _remove(partial)
    try:
        with named_errors(target):
            copy = apsw.Connection(str(partial))
            try:
                with copy.backup("main", source, "main") as backup:
                    backup.step(-1)
                # A single file: whoever carries it away needs no side files.
                copy.pragma("journal_mode", "delete")
            finally:
                copy.close()
        partial.replace(target)
    except BaseException:
        _remove(partial)
        raise


def _remove(partial: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{partial}{suffix}").unlink(missing_ok=True)


Reason = Literal["daily", "by-hand", "before-update", "before-repair", "before-restore"]

MANIFEST: Final = "backup.json"
_PARTIAL = ".partial-"
_RESERVE_BYTES = 64 << 20


class BackupFile(BaseModel):
    """One file of a backup. bytes: its size. sha256: of its content, in hexadecimal."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class BackupManifest(BaseModel):
    """What `backup.json` says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    made_at: datetime
    reason: Reason
    files: dict[Literal["library.db", "knowledge.db"], BackupFile]


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is there. size: bytes of all its files."""

    folder: Path
    number: int
    made_at: datetime
    reason: Reason
    size: int

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.folder.name


def backups_of(folder: Path) -> list[Backup]:
    """Return the readable backups of the library in `folder`, the newest first."""
    backups = LibraryFolder(folder).backups
    if not backups.is_dir():
        return []
    found = [backup for each in backups.iterdir() if (backup := _backup_in(each)) is not None]
    return sorted(found, key=lambda backup: backup.number, reverse=True)


def read_manifest(backup: Path) -> BackupManifest:
    """Return what a backup says of itself. Raises: OSError, ValueError."""
    return BackupManifest.model_validate_json((backup / MANIFEST).read_bytes())


def make_backup(folder: Path, source: apsw.Connection, reason: Reason) -> Backup:
    """Copy the databases of the library in `folder` while work goes on.

    source: a connection to its library file.

    Raises: DiskFull, LibraryNotWritable, LibraryDamaged, OSError; then nothing is left.
    """
    library = LibraryFolder(folder)
    backups = library.backups
    with named_errors(library.database):
        size = int(source.pragma("page_count")) * int(source.pragma("page_size"))
    size += library.knowledge.stat().st_size if library.knowledge.exists() else 0
    backups.mkdir(exist_ok=True)
    for left in backups.glob(f"{_PARTIAL}*"):  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    missing = size + _RESERVE_BYTES - shutil.disk_usage(backups).free
    if missing > 0:
        raise DiskFull(
            said(
                "no room for a backup of {size} MB in {backups}",
                size=f"{size / 2**20:.0f}",
                backups=backups,
            ),
            missing,
        )
    partial = backups / f"{_PARTIAL}{uuid.uuid4().hex}"
    try:
        partial.mkdir()
        copy_database(source, partial / library.database.name)
        copy_knowledge(library.knowledge, partial)
        return _complete(partial, backups, reason)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def prune_backups(folder: Path, kept: int) -> None:
    """Remove the oldest backups that the program made by itself; those made by hand stay.

    kept: how many daily ones, and how many of those made before a change.
    """
    own = [backup for backup in backups_of(folder) if backup.reason != "by-hand"]
    for daily in (True, False):
        kind = [backup for backup in own if (backup.reason == "daily") is daily]
        for backup in kind[kept:]:
            shutil.rmtree(backup.folder, ignore_errors=True)


def hash_of(path: Path) -> BackupFile:
    """Return size and SHA-256 of a file. Raises: OSError."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        return BackupFile(bytes=file.tell(), sha256=digest.hexdigest())


def copy_knowledge(knowledge: Path, target: Path) -> None:
    """Copy the database of notes into the folder `target`, if there is one.

    Raises: as `copy_database`.
    """
    if not knowledge.exists():
        return
    with named_errors(knowledge):
        source = apsw.Connection(str(knowledge), flags=apsw.SQLITE_OPEN_READWRITE)
    with closing(source):
        copy_database(source, target / knowledge.name)


def _complete(partial: Path, backups: Path, reason: Reason) -> Backup:
    now = datetime.now(UTC)
    numbers = [backup.number for backup in backups_of(backups.parent)]
    number = max(numbers, default=0) + 1
    files = {path.name: hash_of(path) for path in sorted(partial.glob("*.db"))}
    manifest = BackupManifest.model_validate({"made_at": now, "reason": reason, "files": files})
    (partial / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    for path in partial.iterdir():
        synchronise(path)
    folder = backups / f"{number:04d}-{now:%Y%m%d-%H%M%S}-{reason}"
    partial.rename(folder)
    synchronise(backups)
    return Backup(folder, number, now, reason, sum(file.bytes for file in files.values()))


def _backup_in(folder: Path) -> Backup | None:
    named = re.fullmatch(r"(\d{4,})-\d{8}-\d{6}-([a-z-]+)", folder.name)
    if named is None:
        return None
    try:
        manifest = read_manifest(folder)
    except (OSError, ValidationError):
        return None
    size = sum(file.bytes for file in manifest.files.values())
    return Backup(folder, int(named[1]), manifest.made_at, manifest.reason, size)
