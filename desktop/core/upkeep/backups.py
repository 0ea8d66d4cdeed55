"""Backups of a library: made while it is open, checked, and put in the place of its files."""

from __future__ import annotations

import logging
import shutil
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from desktop.core.errors import (
    BackupUnusable,
    LibraryDamaged,
    LibraryError,
)
from desktop.core.library.intake import copy_to_partial, put_in_place
from desktop.core.paths import LibraryFolder, free_path
from desktop.core.store.backups import backups_of, hash_of, prune_backups, read_manifest
from desktop.core.store.check import find_problems
from desktop.core.store.connection import connect_reader, ending, named_errors
from desktop.core.store.database import lock_library
from desktop.core.store.schema import SCHEMA, check_identity
from desktop.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.settings.sections import BackupSettings
    from desktop.core.store.backups import Backup
    from desktop.core.store.database import Database

logger = logging.getLogger(__name__)

SIDE_FILES = ("-wal", "-shm", "-journal")
FIRST_LOOK_SECONDS = 30.0
"""A command is over by then: only who stays open makes backups."""
_LOOK_SECONDS = 600.0
_PATIENCE_SECONDS = 10.0
_KEPT_SET_ASIDE = 2


@contextmanager
def held(folder: Path) -> Iterator[LibraryFolder]:
    """Hold the lock of the library in `folder`. Raises: LibraryBusy, LibraryNotWritable."""
    lock = lock_library(folder)
    try:
        yield LibraryFolder(folder)
    finally:
        lock.release()


def set_aside(library: LibraryFolder, *databases: Path) -> Path:
    """Move databases with their side files into a folder of their own among the backups.

    Returns: that folder. The log goes first: beside another database it would be
    replayed into that one.
    """
    aside = free_path(library.backups / f"set-aside-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    aside.mkdir(parents=True)
    for database in databases:
        for suffix in (*SIDE_FILES, ""):
            path = database.with_name(database.name + suffix)
            if path.exists():
                shutil.move(path, aside / path.name)
    return aside


def exchange(library: LibraryFolder, fresh: dict[Path, Path]) -> Path:
    """Put fresh databases in place of the existing ones, which are set aside.

    fresh: finished, synchronised files by the database that each becomes.
    """
    aside = set_aside(library, *fresh)
    for database, file in fresh.items():
        put_in_place(file, database)
    library.check_wanted.unlink(missing_ok=True)
    return aside


def check_backup(backup: Path, known: int = SCHEMA) -> None:
    """Compare a backup's files with its manifest and look into its library file.

    known: the newest schema of whoever asks. Raises: BackupUnusable, LibraryTooNew.
    """
    try:
        manifest = read_manifest(backup)
        for name, file in manifest.files.items():
            if hash_of(backup / name) != file:
                raise BackupUnusable(
                    "{name} in {name2} is not what was backed up", name=name, name2=backup.name
                )
    except (OSError, ValueError) as error:
        raise BackupUnusable(
            "{name} cannot be read: {error}", name=backup.name, error=error
        ) from error
    if "library.db" not in manifest.files:
        raise BackupUnusable("{name} contains no library.db", name=backup.name)
    check_database(backup / "library.db", known)


def check_database(path: Path, known: int = SCHEMA) -> None:
    """Look into a library file that is not open. Raises: BackupUnusable, LibraryTooNew."""
    try:
        with ending(connect_reader(path)) as connection, named_errors(path):
            version = check_identity(connection, path, known)
            problems = find_problems(connection) if version else [said("it is empty")]
    except LibraryDamaged as error:
        raise BackupUnusable(message(error)) from error
    if problems:
        raise BackupUnusable("{path} is damaged: {value}", path=path, value=problems[0])


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
                # not cancelled half way
                copy, _ = copy_to_partial(backup / name, library.root, lambda: None)
                fresh[library.root / name] = copy
            return exchange(library, fresh)
        finally:
            for copy in fresh.values():
                copy.unlink(missing_ok=True)


def remove_old_set_asides(folder: Path, kept: int) -> None:
    """Remove all but the newest databases that a repair or a restore replaced."""
    found = sorted(LibraryFolder(folder).backups.glob("set-aside-*"))
    for aside in found[: max(0, len(found) - kept)]:
        shutil.rmtree(aside, ignore_errors=True)


def backup_is_due(folder: Path, every: timedelta, now: datetime) -> bool:
    """Whether the newest backup is too old; one from the future says that a clock was wrong."""
    newest = next(iter(backups_of(folder)), None)
    return newest is None or not timedelta(0) <= now - newest.made_at < every


class LibraryCare:
    """Makes a backup whenever one is due, on a thread of its own. Close it at the end."""

    def __init__(
        self,
        database: Database,
        settings: BackupSettings,
        first_look_seconds: float = FIRST_LOOK_SECONDS,
    ) -> None:
        self._database = database
        self._settings = settings
        self._wait = first_look_seconds
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="groundwork-care", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it; a backup that is being made is finished first, within reason."""
        self._ending.set()
        self._thread.join(_PATIENCE_SECONDS)

    def look(self) -> None:
        """Make a backup if one is due, and remove those too old. Raises: LibraryError, OSError."""
        folder = self._database.folder
        every = timedelta(hours=self._settings.every_hours)
        if not backup_is_due(folder, every, datetime.now(UTC)) or self._is_empty():
            return
        backup = self._database.keep_backup("daily")
        check_backup(backup.folder)  # the older ones stay until a newer one is known to be good
        prune_backups(folder, self._settings.kept)
        remove_old_set_asides(folder, _KEPT_SET_ASIDE)
        logger.info("backup %d made, %d bytes", backup.number, backup.size)

    def _run(self) -> None:
        while not self._ending.wait(self._wait):
            self._wait = _LOOK_SECONDS
            try:
                self.look()
            except (LibraryError, OSError) as error:
                logger.warning("no backup was made: %s", error)

    def _is_empty(self) -> bool:
        sql = "SELECT EXISTS(SELECT 1 FROM documents UNION ALL SELECT 1 FROM conversations)"
        return not self._database.read(lambda c: c.execute(sql).get)
