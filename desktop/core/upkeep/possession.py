"""Holding a library that nobody else may have open, to exchange its files."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from desktop.core.errors import LibraryBusy, LibraryNotWritable
from desktop.core.library.originals import put_in_place
from desktop.core.paths import LibraryFolder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIDE_FILES = ("-wal", "-shm", "-journal")


@contextmanager
def held(folder: Path) -> Iterator[LibraryFolder]:
    """Hold the lock of the library in `folder`.

    Raises: LibraryBusy, LibraryNotWritable.
    """
    library = LibraryFolder(folder)
    lock = FileLock(library.lock, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise LibraryBusy(f"{folder} is open in another Groundwork") from error
    except OSError as error:
        raise LibraryNotWritable(f"{folder} cannot be written: {error}") from error
    try:
        yield library
    finally:
        lock.release()


def set_aside(library: LibraryFolder, *databases: Path) -> Path:
    """Move databases with their side files into a folder of their own among the backups.

    Returns: that folder. The log goes first: beside another database it would be played into it.
    """
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    aside = library.backups / f"set-aside-{stamp}"
    number = 1
    while aside.exists():
        number += 1
        aside = library.backups / f"set-aside-{stamp}-{number}"
    aside.mkdir(parents=True)
    for database in databases:
        for suffix in (*SIDE_FILES, ""):
            path = database.with_name(database.name + suffix)
            if path.exists():
                shutil.move(path, aside / path.name)
    return aside


def exchange(library: LibraryFolder, fresh: dict[Path, Path]) -> Path:
    """Put fresh databases in the place of those that are there, which are set aside.

    fresh: finished, synchronised files by the database that each becomes.
    """
    aside = set_aside(library, *fresh)
    for database, file in fresh.items():
        put_in_place(file, database)
    library.check_wanted.unlink(missing_ok=True)
    return aside
