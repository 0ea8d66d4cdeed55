"""Checking a library, repairing what can be repaired, and reading what is left of a damaged one."""

from __future__ import annotations

import shutil
import struct
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Literal

import apsw
import numpy as np

from desktop.core.errors import BackupUnusable, LibraryDamaged, LibraryError, NotALibrary
from desktop.core.late_interaction.page_vectors import ROUNDED
from desktop.core.library.documents import insert_document, refresh_counts
from desktop.core.library.intake import require_space
from desktop.core.library.parsed_pass import terms_of
from desktop.core.page_words import PageWords
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import backups_of, hash_of
from desktop.core.store.check import find_problems
from desktop.core.store.connection import (
    PAGE_SIZE,
    closed_if_it_fails,
    connect_reader,
    connect_writer,
    ending,
    named_errors,
)
from desktop.core.store.database import Database
from desktop.core.store.postings import index_pages, index_units
from desktop.core.store.schema import (
    APPLICATION_ID,
    FIRST_SCHEMA,
    PACK_TABLES,
    PARSED_TABLES,
    SCHEMA,
    check_identity,
    migrate,
)
from desktop.core.store.unit_vectors import as_stored, note_vectors_gone, put_vectors
from desktop.core.upkeep.backups import (
    SIDE_FILES,
    check_backup,
    exchange,
    held,
    newest_usable,
    restore,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop.core.store.backups import Backup


_ROWS = 500
_DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.SQLError)
_HEADER_BYTES: Final = 100
_MOST_LOST = 100
_MAGIC: Final = b"SQLite format 3\x00"


def copy_rows(source: apsw.Connection, target: apsw.Connection, table: str) -> bool:
    """Copy the rows of an ordinary table that can be read; return whether all could.

    Only columns that both files have are copied: an older program may have written
    the damaged one.
    """
    columns = _shared_columns(source, target, table)
    if not columns:
        return False
    names = ", ".join(columns)
    insert = f"INSERT OR IGNORE INTO {table}({names}) VALUES({', '.join('?' * len(columns))})"
    kind: Any = target.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (table,)).get
    reading = _Rows(source, table, names, by_rowid=not kind)
    for row in reading:
        try:
            target.execute(insert, row)
        except apsw.ConstraintError:  # a value that the damage made impossible
            reading.complete = False
    return reading.complete


class _Rows:
    """The readable rows of a table. complete: after the last row, whether none was left out."""

    def __init__(self, source: apsw.Connection, table: str, names: str, by_rowid: bool) -> None:
        self.complete = True
        self._source, self._table, self._names, self._by_rowid = source, table, names, by_rowid

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._stepping() if self._by_rowid else self._from_both_ends()

    def _stepping(self) -> Iterator[tuple[Any, ...]]:
        """Read on past a damaged place, doubling the step until it has been passed."""
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
    """Pad a file that was cut off with empty pages; return whether it was cut off. Raises: OSError.

    Without them SQLite refuses to read even the intact tables.
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
    """Write a header over the first bytes of a library file whose own header is unreadable.

    Only what all library files have in common is written; what depends on the rest (a
    list of free pages) is lost, so the file is fit to be read out and nothing else.

    Raises: LibraryDamaged, if the file is not a sequence of pages. OSError.
    """
    size = path.stat().st_size
    if size < PAGE_SIZE or size % PAGE_SIZE:
        raise LibraryDamaged("{path} is cut off or not a database", path=path)
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
        SCHEMA,
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


Part = Literal["library", "manuals", "notes", "backups"]
REPAIR = "groundwork library repair"


def misfits(path: Path) -> bool:
    """Whether a copy does not match the hash that it is named after, or cannot be read."""
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
    known = dict(database.rows("SELECT sha256, name FROM documents"))
    for sha256, name in known.items():
        path = library.original(sha256)
        if path.is_symlink() and not path.exists():
            yield Finding(
                "manuals",
                f"{name} lies elsewhere, and is not there",
                "connect the share of its pack, or attach the pack again",
            )
        elif not path.exists():
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
        with ending(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    except apsw.Error as error:
        problems = [str(error)]
    for problem in problems:
        if problem != "ok":
            yield Finding("notes", f"knowledge.db: {problem}", "groundwork library restore")


_UNIT_LENGTH = 0.02
_LOOSE = (
    ("outline", "document_id", "documents"),
    ("pages", "document_id", "documents"),
    ("page_passes", "page_id", "pages"),
    ("page_words", "page_id", "pages"),
    ("blocks", "page_id", "pages"),
    ("units", "page_id", "pages"),
    ("units", "document_id", "documents"),
    ("page_codes", "page_id", "pages"),
    ("page_patches", "page_id", "pages"),
    ("turns", "conversation_id", "conversations"),
    ("traces", "conversation_id", "conversations"),
    ("trace_entries", "trace_id", "traces"),
    ("bookmarks", "document_id", "documents"),
)
_PERSONS = (
    "conversations",
    "turns",
    "traces",
    "trace_entries",
    "documents",
    "meta",
    "bookmarks",
    "annotations",
    *PACK_TABLES,
)
_SPARE_BYTES = 64 << 20
_WORK = ".repairing"


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair did to a library.

    incomplete: tables that exist nowhere else and of which rows could not be read.
    to_read: manuals that ingestion will read again, wholly or in part. adopted: manuals
    of which only the copy in `originals` was left. aside: where the damaged files are
    now.
    """

    incomplete: tuple[str, ...]
    to_read: int
    adopted: int
    aside: Path


def repair(folder: Path) -> Repair:
    """Write a new library file for `folder`; the damaged one is set aside, never changed.

    Also useful for a sound library that has lost manuals or index entries.

    Raises: LibraryBusy, LibraryTooNew, LibraryNotWritable, DiskFull. LibraryDamaged, if
        nothing can be read: restore a backup. NotALibrary.
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
            with ending(_opened_copy(database, damaged)) as source:
                incomplete, to_read, adopted = _write_anew(source, fresh, library)
            aside = exchange(library, {database: fresh})
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return Repair(incomplete, to_read, adopted, aside)


def _opened_copy(database: Path, folder: Path) -> apsw.Connection:
    """Open a copy of the damaged file, with a rebuilt header where its own is unreadable."""
    for path in _files_of(database):
        shutil.copy2(path, folder / path.name)
    copy = folder / database.name
    if not copy.exists():
        raise LibraryDamaged("{database} is missing", database=database)
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
        raise LibraryDamaged(
            "{name} cannot be opened: {error}", name=path.name, error=error
        ) from error
    with closed_if_it_fails(connection):
        try:
            with named_errors(path):
                version = check_identity(connection, path)
                tables = connection.execute(
                    "SELECT count(*) FROM sqlite_master WHERE name = 'documents'"
                ).get
        except apsw.Error as error:
            raise LibraryDamaged(
                "{name} cannot be read: {error}", name=path.name, error=error
            ) from error
        if not version or not tables:
            raise LibraryDamaged("{name} has no tables that can be read", name=path.name)
    return connection


def _persons(source: apsw.Connection) -> list[str]:
    """Return the tables of user-made data that a file has; a trial version had fewer."""
    if int(source.pragma("user_version")) >= FIRST_SCHEMA:
        return list(_PERSONS)
    return [table for table in _PERSONS if _shared_columns(source, source, table)]


def _write_anew(
    source: apsw.Connection, fresh: Path, library: LibraryFolder
) -> tuple[tuple[str, ...], int, int]:
    with ending(connect_writer(fresh)) as target, named_errors(fresh):
        migrate(target, fresh)
        target.pragma("foreign_keys", False)
        with target:
            incomplete = tuple(
                table for table in _persons(source) if not copy_rows(source, target, table)
            )
            whole = {t: copy_rows(source, target, t) for t in PARSED_TABLES}
            drop_loose_rows(target)
            index_texts(target)
            copy_vectors(source, target)
            adopted = adopt_originals(target, library)
            to_read = queue_what_is_missing(target, whole)
        problems = find_problems(target)
        if problems:
            raise LibraryDamaged(
                "the repaired library is not sound: {problems}", problems=problems[0]
            )
        target.pragma("wal_checkpoint(truncate)")
    return incomplete, to_read, adopted


def _files_of(database: Path) -> list[Path]:
    paths = [database, *(database.with_name(database.name + suffix) for suffix in SIDE_FILES)]
    return [path for path in paths if path.exists()]


def mend(folder: Path, how: Literal["repair", "restore"]) -> Repair:
    """Repair a library, or restore its newest sound backup. Raises: as `repair`; BackupUnusable."""
    if how == "repair":
        return repair(folder)
    backup = newest_usable(folder)
    if backup is None:
        raise BackupUnusable("no backup in {folder} is sound", folder=folder)
    return restore_and_repair(folder, backup)


def restore_and_repair(folder: Path, backup: Backup) -> Repair:
    """Restore a backup, then take in what was added since. Raises: as `restore` and `repair`."""
    restore(folder, backup.folder)
    return repair(folder)


def drop_loose_rows(connection: apsw.Connection) -> None:
    """Remove rows whose parent could not be read, parents before children."""
    stored: Any = connection.execute("SELECT page_id, words FROM page_words")
    damaged = [(row,) for row, words in stored if not _can_be_read(words)]
    connection.executemany("DELETE FROM page_words WHERE page_id = ?", damaged)
    # Without its words a page is read anew as a whole.
    connection.execute("DELETE FROM pages WHERE id NOT IN (SELECT page_id FROM page_words)")
    connection.execute(f"DELETE FROM page_patches WHERE turned <> {ROUNDED}")
    for table, column, parent in _LOOSE:
        connection.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM {parent})")


def index_texts(connection: apsw.Connection) -> None:
    """Fill the full-text indexes from the texts; the headings' index fills itself."""
    stored: Any = connection.execute("SELECT id FROM documents").fetchall()
    for (document_id,) in stored:
        pages, units = terms_of(connection, document_id)
        index_pages(connection, document_id, pages)
        index_units(connection, document_id, units)
    connection.execute(
        "INSERT INTO turns_fts(rowid, prompt, answer) SELECT id, prompt, answer FROM turns"
    )


def copy_vectors(source: apsw.Connection, target: apsw.Connection) -> None:
    """Copy the readable vectors of the units that the new library has."""
    dimension: Any = target.execute("SELECT dimension FROM vector_models").get
    if dimension is None:
        return
    units: Any = target.execute("SELECT id FROM units ORDER BY id").fetchall()
    by_document = groupby(_vectors(source, [row for (row,) in units], dimension), itemgetter(0))
    for document_id, rows in by_document:
        put_vectors(target, document_id, (row[1:] for row in rows))


def adopt_originals(connection: apsw.Connection, library: LibraryFolder) -> int:
    """Queue the copies of manuals that the library does not know; return how many."""
    known = {sha for (sha,) in connection.execute("SELECT sha256 FROM documents")}
    adopted = 0
    for path in sorted(library.originals.glob("*.pdf")):
        if path.stem in known or misfits(path):
            continue
        insert_document(connection, path.stem, f"{path.stem[:12]}.pdf", path.stat().st_size, 0)
        adopted += 1
    return adopted


def queue_what_is_missing(connection: apsw.Connection, whole: Mapping[str, bool]) -> int:
    """Forget the passes with missing results; return how many manuals that affects.

    whole: by table, whether all of its rows could be read.
    """
    if not (whole["blocks"] and whole["units"]):  # whose they were cannot be told
        connection.execute("DELETE FROM page_passes WHERE pass IN ('layout', 'vectors')")
    connection.execute(
        "DELETE FROM page_passes WHERE pass = 'vectors' AND page_id IN (SELECT page_id FROM units"
        " WHERE embed AND id NOT IN (SELECT unit_id FROM unit_vectors))"
    )
    connection.execute(
        "DELETE FROM page_passes WHERE pass = 'pictures' AND state = 'done' AND (page_id NOT IN"
        " (SELECT page_id FROM page_codes) OR page_id NOT IN (SELECT page_id FROM page_patches))"
    )
    connection.execute("DELETE FROM parsing_now")
    _drop_what_will_be_made_again(connection)
    documents: Any = connection.execute("SELECT id FROM documents").fetchall()
    for (document_id,) in documents:
        refresh_counts(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = 'queued' WHERE state IN ('ready', 'indexing') AND"
        " (page_count > (SELECT count(*) FROM pages JOIN page_passes ON page_id = pages.id"
        " AND pass = 'text' WHERE document_id = documents.id)"
        " OR EXISTS (SELECT 1 FROM pages WHERE document_id = documents.id AND id NOT IN"
        " (SELECT page_id FROM page_passes WHERE pass = 'layout')))"
    )
    return int(
        connection.execute(
            "SELECT count(*) FROM documents WHERE state = 'queued' OR layout_done > vectors_done"
        ).get
    )


def _drop_what_will_be_made_again(connection: apsw.Connection) -> None:
    """Remove a page's incomplete vectors: the pass that makes them starts with none."""
    without = "SELECT id FROM pages WHERE id NOT IN (SELECT page_id FROM page_passes WHERE pass ="
    connection.execute(
        "DELETE FROM unit_vectors WHERE unit_id IN"
        f" (SELECT id FROM units WHERE page_id IN ({without} 'vectors')))"
    )
    note_vectors_gone(connection)
    for table in ("page_codes", "page_patches"):
        connection.execute(f"DELETE FROM {table} WHERE page_id IN ({without} 'pictures'))")


def _vectors(
    source: apsw.Connection, units: Sequence[int], dimension: int
) -> Iterator[tuple[int, int, bytes]]:
    """Yield (document id, unit id, vector) of the units whose vector can be read."""
    for unit_id in units:
        try:
            row: Any = source.execute(
                "SELECT document_id, vector FROM unit_vectors WHERE unit_id = ?", (unit_id,)
            ).fetchone()
        except apsw.Error:
            continue
        if row is not None and _is_sound(as_stored(row[1], dimension), dimension):
            yield row[0], unit_id, row[1]


def _is_sound(vector: bytes, dimension: int) -> bool:
    """Whether the bytes are a vector of unit length, as all of ours are."""
    halves = np.frombuffer(vector, "<f2") if len(vector) == 2 * dimension else np.zeros(1)
    values = halves.astype(np.float32)
    with np.errstate(all="ignore"):
        return bool(abs(float(np.linalg.norm(values)) - 1) < _UNIT_LENGTH)


def _can_be_read(words: bytes) -> bool:
    try:
        PageWords.from_bytes(words)
    except ValueError:
        return False
    return True
