"""Opening a knowledge file where nobody hands us connections: scripts, tests, the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import sqlite_vec

if TYPE_CHECKING:
    from pathlib import Path

_PAGE_BYTES = 16384  # vec0 scans are faster with large pages; only a new file takes it on
_BUSY_MILLISECONDS = 5000


def open_connection(path: Path) -> apsw.Connection:
    """Open or create a file, durable, with sqlite-vec loaded.

    Raises: apsw.Error.
    """
    connection = apsw.Connection(str(path))
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        connection.pragma("page_size", _PAGE_BYTES)
        connection.pragma("trusted_schema", False)
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "FULL")
    except BaseException:
        connection.close(True)
        raise
    return connection
