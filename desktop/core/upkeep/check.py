"""Everything that can be wrong with a library: databases, the manuals' copies, the backups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import apsw

from desktop.core.errors import LibraryDamaged, LibraryError, NotALibrary
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import backups_of, hash_of
from desktop.core.store.database import Database
from desktop.core.upkeep.backups import check_backup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Part = Literal["library", "manuals", "notes", "backups"]
REPAIR = "groundwork library repair"


def misfits(path: Path) -> bool:
    """Whether a copy is not the file after whose hash it is named, or cannot be read."""
    try:
        return hash_of(path).sha256 != path.stem
    except OSError:
        return True


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. remedy: what to do about it."""

    part: Part
    text: str
    remedy: str


def check_library(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with the library in `folder`, which may be in use; nothing is changed.

    Raises: NotALibrary, LibraryTooNew, LibraryBusy.
    """
    try:
        with Database.open(folder, read_only=True) as database:
            for problem in database.check(deep=True):
                yield Finding("library", problem, REPAIR)
            yield from _manuals(database)
    except NotALibrary:
        raise
    except LibraryDamaged as error:
        yield Finding("library", str(error), f"{REPAIR}, or groundwork library restore")
    yield from _notes(LibraryFolder(folder).knowledge)
    for backup in backups_of(folder):
        try:
            check_backup(backup.folder)
        except LibraryError as error:
            yield Finding("backups", str(error), f"delete the folder {backup.folder}")


def _manuals(database: Database) -> Iterator[Finding]:
    library = LibraryFolder(database.folder)
    rows = database.read(lambda c: c.execute("SELECT sha256, name FROM documents").fetchall())
    known = {str(sha256): str(name) for sha256, name in rows}
    for sha256, name in known.items():
        path = library.original(sha256)
        if not path.exists():
            yield Finding("manuals", f"The copy of {name} is missing", "add the file again")
        elif misfits(path):
            yield Finding(
                "manuals", f"The copy of {name} was changed or is damaged", "add the file again"
            )
    unknown = [path for path in library.originals.glob("*.pdf") if path.stem not in known]
    if unknown:
        yield Finding("manuals", f"{len(unknown)} copies of manuals belong to no entry", REPAIR)


def _notes(path: Path) -> Iterator[Finding]:
    if not path.exists():
        return
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        finally:
            connection.close(True)
    except apsw.Error as error:
        problems = [str(error)]
    for problem in problems:
        if problem != "ok":
            yield Finding("notes", f"knowledge.db: {problem}", "groundwork library restore")
