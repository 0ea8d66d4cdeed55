"""Making a sound library file of what can be read of a damaged one, and of the originals.

A new file is written beside the damaged one: every row that can be read is copied, the
indexes are made again from the texts, vectors are copied where they can be read. What is
missing then (pages, passages, vectors) is read again from the copies of the manuals by the
next ingestion. Only what exists nowhere else can be lost: conversations, and what a person
said of a manual; how many rows are missing is told.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from desktop.core.errors import LibraryDamaged, LibraryError
from desktop.core.library.originals import require_space
from desktop.core.store.check import find_problems
from desktop.core.store.connection import connect_reader, connect_writer, named_errors
from desktop.core.store.migrations import check_identity, migrate
from desktop.core.store.salvage import copy_rows, fill_up, rebuild_header
from desktop.core.upkeep.possession import SIDE_FILES, exchange, held
from desktop.core.upkeep.rebuilding import (
    adopt_originals,
    copy_vectors,
    drop_loose_rows,
    index_texts,
    queue_what_is_missing,
)

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.paths import LibraryFolder

_PERSONS = ("conversations", "turns", "traces", "trace_entries", "documents", "meta")
_READ_AGAIN = (
    "outline",
    "pages",
    "page_passes",
    "page_words",
    "blocks",
    "units",
    "vector_models",
    "page_vector_models",
    "page_codes",
    "page_patches",
)
_SPARE_BYTES = 64 << 20
_WORK = ".repairing"


@dataclass(frozen=True, slots=True)
class Repair:
    """What became of a library.

    incomplete: tables of which rows could not be read and that exist nowhere else. to_read:
    manuals that ingestion will read again, wholly or in part. adopted: manuals of which only the
    copy in `originals` was left. aside: where the damaged files are now.
    """

    incomplete: tuple[str, ...]
    to_read: int
    adopted: int
    aside: Path


def repair(folder: Path) -> Repair:
    """Write the library file of `folder` anew; the damaged one is set aside, never changed.

    Also good for a sound library that has lost manuals or entries of an index.

    Raises: LibraryBusy, LibraryTooNew, LibraryNotWritable, DiskFull. LibraryDamaged, if nothing
        can be read: restore a backup. NotALibrary.
    """
    with held(folder) as library:
        database = library.database
        size = sum(p.stat().st_size for p in _files_of(database))
        require_space(folder, 2 * size, _SPARE_BYTES)
        # A folder of its own: an empty file beside originals counts as damage.
        work = folder / _WORK
        shutil.rmtree(work, ignore_errors=True)
        damaged, fresh = work / "damaged", work / database.name
        damaged.mkdir(parents=True)
        try:
            source = _opened_copy(database, damaged)
            try:
                incomplete, to_read, adopted = _write_anew(source, fresh, library)
            finally:
                source.close(True)
            aside = exchange(library, {database: fresh})
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return Repair(incomplete, to_read, adopted, aside)


def _opened_copy(database: Path, folder: Path) -> apsw.Connection:
    """Open a copy of the damaged file, with a header of our own where its own is unreadable."""
    for path in _files_of(database):
        shutil.copy2(path, folder / path.name)
    copy = folder / database.name
    if not copy.exists():
        raise LibraryDamaged(f"{database} is missing")
    try:
        return _readable(copy)
    except LibraryDamaged:
        for suffix in SIDE_FILES:
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)
        if not fill_up(copy):
            rebuild_header(copy)
        return _readable(copy)


def _readable(path: Path) -> apsw.Connection:
    try:
        connection = connect_reader(path)
    except (LibraryError, apsw.Error) as error:
        raise LibraryDamaged(f"{path.name} cannot be opened: {error}") from error
    try:
        with named_errors(path):
            version = check_identity(connection, path)
            tables = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'documents'"
            ).get
        if not version or not tables:
            raise LibraryDamaged(f"{path.name} has no tables that can be read")
    except BaseException as error:
        connection.close(True)
        if isinstance(error, apsw.Error):
            raise LibraryDamaged(f"{path.name} cannot be read: {error}") from error
        raise
    return connection


def _write_anew(
    source: apsw.Connection, fresh: Path, library: LibraryFolder
) -> tuple[tuple[str, ...], int, int]:
    target = connect_writer(fresh)
    try:
        with named_errors(fresh):
            migrate(target, fresh)
            target.pragma("foreign_keys", False)
            with target:
                incomplete = tuple(t for t in _PERSONS if not copy_rows(source, target, t))
                whole = {t: copy_rows(source, target, t) for t in _READ_AGAIN}
                drop_loose_rows(target)
                index_texts(target)
                copy_vectors(source, target)
                adopted = adopt_originals(target, library)
                to_read = queue_what_is_missing(target, whole)
            problems = find_problems(target)
            if problems:
                raise LibraryDamaged(f"the repaired library is not sound: {problems[0]}")
            target.pragma("wal_checkpoint(truncate)")
    finally:
        target.close(True)
    return incomplete, to_read, adopted


def _files_of(database: Path) -> list[Path]:
    paths = [database, *(database.with_name(database.name + suffix) for suffix in SIDE_FILES)]
    return [path for path in paths if path.exists()]
