"""Putting a backup of a library in its place."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from desktop.core.errors import BackupUnusable, LibraryDamaged, LibraryError
from desktop.core.library.originals import copy_to_partial
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import backups_of, hash_of, read_manifest
from desktop.core.store.check import find_problems
from desktop.core.store.connection import connect_reader, named_errors
from desktop.core.store.migrations import check_identity
from desktop.core.upkeep.possession import exchange, held

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.store.backups import Backup


def check_backup(backup: Path) -> None:
    """Compare a backup's files with its manifest and look into its library file.

    Raises: BackupUnusable, LibraryTooNew.
    """
    try:
        manifest = read_manifest(backup)
        for name, file in manifest.files.items():
            if hash_of(backup / name) != file:
                raise BackupUnusable(f"{name} in {backup.name} is not what was backed up")
    except (OSError, ValueError) as error:
        raise BackupUnusable(f"{backup.name} cannot be read: {error}") from error
    if "library.db" not in manifest.files:
        raise BackupUnusable(f"{backup.name} holds no library.db")
    check_database(backup / "library.db")


def check_database(path: Path) -> None:
    """Look into a library file that is not open.

    Raises: BackupUnusable, LibraryTooNew.
    """
    try:
        connection = connect_reader(path)
        try:
            with named_errors(path):
                version = check_identity(connection, path)
                problems = find_problems(connection)
        finally:
            connection.close(True)
    except LibraryDamaged as error:
        raise BackupUnusable(str(error)) from error
    if not version or problems:
        raise BackupUnusable(f"{path} is damaged: {problems[0] if problems else 'it is empty'}")


def newest_usable(folder: Path) -> Backup | None:
    """Return the newest backup of a library that can be restored, if there is one."""
    for backup in backups_of(folder):
        try:
            check_backup(backup.folder)
        except LibraryError:
            continue
        return backup
    return None


def restore(folder: Path, backup: Path) -> Path:
    """Put a backup in the place of the library's databases, which are set aside.

    Manuals that were added since are still in `originals`; `repair` takes them in again.

    Returns: the folder with the databases that were in use.

    Raises: BackupUnusable, LibraryTooNew, LibraryBusy, LibraryNotWritable, DiskFull, OSError.
    """
    check_backup(backup)
    with held(folder) as library:
        fresh: dict[Path, Path] = {}
        try:
            for name in read_manifest(backup).files:
                copy, _ = copy_to_partial(backup / name, library.root, _go_on)
                fresh[library.root / name] = copy
            return exchange(library, fresh)
        finally:
            for copy in fresh.values():
                copy.unlink(missing_ok=True)


def set_asides(folder: Path) -> list[Path]:
    """Return the folders with databases that a repair or a restore replaced, oldest first."""
    return sorted(LibraryFolder(folder).backups.glob("set-aside-*"))


def remove_old_set_asides(folder: Path, kept: int) -> None:
    """Remove all but the newest databases that were replaced."""
    found = set_asides(folder)
    for aside in found[: max(0, len(found) - kept)]:
        shutil.rmtree(aside, ignore_errors=True)


def _go_on() -> None:
    """Copying a backup back is not cancelled half way."""
