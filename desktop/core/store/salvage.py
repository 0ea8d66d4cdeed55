"""Reading what can still be read of a damaged library file, row by row."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

import apsw

from desktop.core.errors import LibraryDamaged
from desktop.core.store.connection import PAGE_SIZE
from desktop.core.store.migrations import MIGRATIONS
from desktop.core.store.schema import APPLICATION_ID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ROWS = 500
_DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.SQLError)
_HEADER_BYTES: Final = 100
_MOST_LOST = 100
_MAGIC: Final = b"SQLite format 3\x00"


def copy_rows(source: apsw.Connection, target: apsw.Connection, table: str) -> bool:
    """Copy the rows of an ordinary table that can be read; return whether that was all.

    Only columns that both know are copied: the damaged file may be an older program's.
    """
    columns = _shared_columns(source, target, table)
    if not columns:
        return False
    names = ", ".join(columns)
    insert = f"INSERT OR IGNORE INTO {table}({names}) VALUES({', '.join('?' * len(columns))})"
    reading = _Rows(source, table, names, _has_rowid(target, table))
    for row in reading:
        try:
            target.execute(insert, row)
        except apsw.ConstraintError:  # a value that the damage made impossible
            reading.complete = False
    return reading.complete


class _Rows:
    """The readable rows of a table. complete: after the last one, whether none was left out."""

    def __init__(self, source: apsw.Connection, table: str, names: str, by_rowid: bool) -> None:
        self.complete = True
        self._source, self._table, self._names, self._by_rowid = source, table, names, by_rowid

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._stepping() if self._by_rowid else self._from_both_ends()

    def _stepping(self) -> Iterator[tuple[Any, ...]]:
        """Read on behind a damaged place, which is found by doubling the step over it."""
        query = (
            f"SELECT rowid, {self._names} FROM {self._table} WHERE rowid >= ?"
            f" ORDER BY rowid LIMIT {_ROWS}"
        )
        start, step = 0, 1
        while start < 2**62:
            found = 0
            try:
                for row_id, *row in self._source.execute(query, (start,)):
                    found, start, step = found + 1, int(row_id) + 1, 1
                    yield tuple(row)
                if found < _ROWS:
                    return
            except _DAMAGE:
                self.complete = False
                start, step = start + step, step * 2

    def _from_both_ends(self) -> Iterator[tuple[Any, ...]]:
        for order in ("ASC", "DESC"):
            key = ", ".join(f"{each} {order}" for each in _key_columns(self._source, self._table))
            try:
                yield from self._source.execute(
                    f"SELECT {self._names} FROM {self._table} ORDER BY {key}"
                )
                return
            except _DAMAGE:
                self.complete = False


def fill_up(path: Path) -> bool:
    """Make a file that was cut off as long as its header says, with empty pages.

    Without them SQLite refuses to read the tables that are whole. Returns: whether it was cut.

    Raises: OSError.
    """
    with path.open("r+b") as file:
        header = file.read(_HEADER_BYTES)
        if not header.startswith(_MAGIC) or len(header) < _HEADER_BYTES:
            return False
        size = int.from_bytes(header[28:32], "big") * PAGE_SIZE
        if not path.stat().st_size < size <= path.stat().st_size * _MOST_LOST:
            return False
        file.truncate(size)
    return True


def rebuild_header(path: Path) -> None:
    """Write a header over the first bytes of a library file whose own cannot be read.

    Only what every library file has in common is written; what hangs on the rest (a list of
    free pages) is lost, so the file is fit for being read out and for nothing else.

    Raises: LibraryDamaged, if the file is no run of pages. OSError.
    """
    size = path.stat().st_size
    if size < PAGE_SIZE or size % PAGE_SIZE:
        raise LibraryDamaged(f"{path} is cut off or no database")
    header = struct.pack(
        ">16sHBBBBBBIIIIIIIIIIII20sII",
        _MAGIC,
        PAGE_SIZE,
        *(1, 1, 0, 64, 32, 32),  # rollback journal: there is no log to look for
        1,
        size // PAGE_SIZE,
        *(0, 0),  # no free pages
        1,
        4,
        *(0, 0),
        1,  # UTF-8
        len(MIGRATIONS),
        0,
        APPLICATION_ID,
        b"",
        1,
        apsw.SQLITE_VERSION_NUMBER,
    )
    assert len(header) == _HEADER_BYTES
    with path.open("r+b") as file:
        file.write(header)


def _shared_columns(source: apsw.Connection, target: apsw.Connection, table: str) -> list[str]:
    try:
        known = {row[1] for row in source.execute(f"PRAGMA table_info({table})")}
    except _DAMAGE:
        return []
    return [row[1] for row in target.execute(f"PRAGMA table_info({table})") if row[1] in known]


def _key_columns(source: apsw.Connection, table: str) -> list[str]:
    rows = [row for row in source.execute(f"PRAGMA table_info({table})") if row[5]]
    return [row[1] for row in sorted(rows, key=lambda row: row[5])]


def _has_rowid(target: apsw.Connection, table: str) -> bool:
    return not target.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (table,)).get
