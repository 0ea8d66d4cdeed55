"""Numbered steps from an empty file to today's schema, and who may not take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import apsw

from desktop.core.errors import LibraryDamaged, LibraryTooNew, NotALibrary
from desktop.core.store.backups import make_backup
from desktop.core.store.connection import PAGE_SIZE, make_durable
from desktop.core.store.schema import (
    APPLICATION_ID,
    TABLES_1,
    TABLES_2,
    TABLES_3,
    TABLES_4,
    TABLES_5,
    TABLES_6,
    TABLES_7,
    TABLES_8,
    TABLES_9,
    TABLES_11,
    TABLES_12,
    TABLES_13,
    page_vectors_table,
    unit_vectors_table,
)

if TYPE_CHECKING:
    from pathlib import Path

Migration = Callable[[apsw.Connection], None]


def _create_tables(connection: apsw.Connection) -> None:
    connection.execute(TABLES_1)
    connection.execute(unit_vectors_table())


def _create_conversations(connection: apsw.Connection) -> None:
    connection.execute(TABLES_2)


def _add_places(connection: apsw.Connection) -> None:
    connection.execute(TABLES_3)


def _add_page_vectors(connection: apsw.Connection) -> None:
    connection.execute(TABLES_4)
    connection.execute(page_vectors_table())


def _add_sources(connection: apsw.Connection) -> None:
    connection.execute(TABLES_5)


def _add_traces(connection: apsw.Connection) -> None:
    connection.execute(TABLES_6)


def _add_headings(connection: apsw.Connection) -> None:
    connection.execute(TABLES_7)


def _note_rotation(connection: apsw.Connection) -> None:
    connection.execute(TABLES_8)


def _add_bookmarks(connection: apsw.Connection) -> None:
    connection.execute(TABLES_9)


def _drop_page_means(connection: apsw.Connection) -> None:
    """Drop the mean vectors of pages: no search asks for them (schema 4 made the table)."""
    connection.execute("DROP TABLE page_vectors")


def _add_annotations(connection: apsw.Connection) -> None:
    connection.execute(TABLES_11)


def _add_packs(connection: apsw.Connection) -> None:
    connection.execute(TABLES_12)


def _note_replacements(connection: apsw.Connection) -> None:
    connection.execute(TABLES_13)


MIGRATIONS: Final[tuple[Migration, ...]] = (
    _create_tables,
    _create_conversations,
    _add_places,
    _add_page_vectors,
    _add_sources,
    _add_traces,
    _add_headings,
    _note_rotation,
    _add_bookmarks,
    _drop_page_means,
    _add_annotations,
    _add_packs,
    _note_replacements,
)
"""Step n (from 1) takes a file of version n - 1 to version n. Only ever append."""


def check_identity(connection: apsw.Connection, path: Path, known: int = len(MIGRATIONS)) -> int:
    """Return the schema version of the open file, 0 for an empty one.

    Raises: NotALibrary, for a database of another program. LibraryTooNew. LibraryDamaged,
        for an empty file beside originals: its documents were in it once.
    """
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application == APPLICATION_ID:
        if version > known:
            raise LibraryTooNew(version, known)
        return int(version)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").get
    if application or version or tables:
        raise NotALibrary(f"{path} is a database of another program")
    originals = path.parent / "originals"
    if originals.is_dir() and any(originals.glob("*.pdf")):
        raise LibraryDamaged(f"{path} is empty, but {originals} holds manuals")
    return 0


def migrate(
    connection: apsw.Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring the open file to the newest schema; each step is one transaction.

    A file that already holds something is copied into the library's backups first.

    Raises: as `check_identity` and `make_backup`.
    """
    version = check_identity(connection, path, len(migrations))
    if version == 0:
        connection.pragma("page_size", PAGE_SIZE)
    make_durable(connection)
    if 0 < version < len(migrations):
        make_backup(path.parent, connection, "before-update")
    for number, step in enumerate(migrations[version:], version + 1):
        with connection:
            step(connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", number)
