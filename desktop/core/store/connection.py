"""One connection to a library file: extensions, durability settings, errors by name."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

import apsw
import sqlite_vec

from desktop.core.errors import (
    DiskFull,
    DiskLost,
    LibraryBusy,
    LibraryDamaged,
    LibraryNotWritable,
    NotALibrary,
)
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE_SIZE = 16384
"""Bytes; long rows of the text index stay whole. Only a new file takes it on."""

BUSY_MILLISECONDS = 5000
CACHE_KIB = 16384
"""SQLite's own 2 MB are 125 pages of this size: a question reads more of a large library."""


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into the library's, which say what the caller can do."""
    try:
        yield
    except apsw.FullError as error:
        raise DiskFull(said("no space left on the disk that holds {path}", path=path)) from error
    except apsw.NotADBError as error:
        raise NotALibrary(said("{path} is not a Groundwork library", path=path)) from error
    except apsw.CorruptError as error:
        raise LibraryDamaged(said("{path} is damaged: {error}", path=path, error=error)) from error
    except apsw.BusyError as error:
        raise LibraryBusy(said("{path} is in use by another program", path=path)) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise LibraryNotWritable(
            said("{path} cannot be opened or written: {error}", path=path, error=error)
        ) from error
    except apsw.IOError as error:
        raise DiskLost(
            said("{path} cannot be read or written: {error}", path=path, error=error)
        ) from error


@contextmanager
def ending(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """Close a connection at the end, whatever is still running on it."""
    try:
        yield connection
    finally:
        connection.close(True)


@contextmanager
def closed_if_it_fails(connection: apsw.Connection) -> Iterator[None]:
    """Close a connection that cannot be used after all."""
    try:
        yield
    except BaseException:
        connection.close(True)
        raise


def connect_writer(path: Path) -> apsw.Connection:
    """Open `path` for writing, creating it if needed, so that a commit survives a power cut.

    Raises: what `named_errors` names.
    """
    with named_errors(path):
        connection = apsw.Connection(str(path))
        with closed_if_it_fails(connection):
            # Reading the header first: changing settings of a foreign file would alter it.
            connection.pragma("schema_version")
            _load_vectors(connection)
            _guard(connection)
        return connection


def make_durable(connection: apsw.Connection) -> None:
    """Switch a writer to write-ahead logging with full synchronisation.

    Apart from `connect_writer` because it writes to the file: only after the caller
    has seen that the file is ours.
    """
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")
    if sys.platform == "darwin":  # fsync on macOS does not reach the platter without these
        connection.pragma("fullfsync", True)
        connection.pragma("checkpoint_fullfsync", True)


def connect_reader(path: Path) -> apsw.Connection:
    """Open an existing library file for reading only, also on a write-protected medium.

    Raises: what `named_errors` names.
    """
    with named_errors(path):
        try:
            return _open_reader(path, "mode=ro")
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            if not path.exists() or path.with_name(path.name + "-wal").exists():
                raise
            # A WAL database in a folder where SQLite cannot create its side files:
            # without a log the file itself is complete and nobody can be changing it.
            return _open_reader(path, "mode=ro&immutable=1")


def _open_reader(path: Path, options: str) -> apsw.Connection:
    uri = f"file:{quote(str(path.absolute()))}?{options}"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    with closed_if_it_fails(connection):
        _load_vectors(connection)
        _guard(connection)
        connection.pragma("query_only", True)
        connection.pragma("schema_version")
    return connection


def _load_vectors(connection: apsw.Connection) -> None:
    """Load sqlite-vec: the notes in the same file are found by its tables."""
    connection.enable_load_extension(True)
    try:
        connection.load_extension(sqlite_vec.loadable_path())
    finally:
        connection.enable_load_extension(False)


def _guard(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    connection.pragma("cache_size", -CACHE_KIB)
    connection.pragma("foreign_keys", True)
    connection.pragma("trusted_schema", False)
    connection.pragma("cell_size_check", True)


def count_change(connection: apsw.Connection, key: str) -> None:
    """Count a change under a key of `meta`, in the transaction that makes it."""
    connection.execute(
        "INSERT INTO meta(key, value) VALUES(?, '1')"
        " ON CONFLICT(key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        (key,),
    )
