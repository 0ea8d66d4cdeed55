"""A consistent copy of an open library file, made by SQLite's own backup call."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from desktop.core.store.connection import named_errors


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
        path = Path(f"{partial}{suffix}")
        if path.exists():
            os.unlink(path)
