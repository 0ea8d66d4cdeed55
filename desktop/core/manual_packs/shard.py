"""One manual as a file: made from the library that read it, and put into another library.

A shard has the tables of a library that hold one manual, and none of what SQLite
computes: no full-text index, no virtual table, no trigger. Indexes are made from its
words where it is attached; vectors are plain rows.
"""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import apsw

from desktop.core.errors import LibraryError, ManualPackRefused
from desktop.core.late_interaction.page_vectors import stored_model, use_model
from desktop.core.library.documents import (
    begin_anew,
    delete_document,
    document_with_hash,
    refresh_counts,
    require_document,
)
from desktop.core.library.vector_passes import text_models_of, use_text_model
from desktop.core.store.connection import connect_reader, connect_writer, named_errors
from desktop.core.store.postings import index_pages, index_units
from desktop.core.store.schema import PARSED_TABLES, SCHEMA
from desktop.core.store.unit_vectors import put_vectors
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop.core.library.parsed_pass import Terms

SHARD_ID: Final = 0x47525753
"""Stands in a shard's header ("GRWS"): nothing opens it as a library."""

CARRIED: Final = ("documents", *PARSED_TABLES)
_PLAIN_VECTORS = """
CREATE TABLE plain_vectors(unit_id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
INSERT INTO plain_vectors SELECT unit_id, vector FROM unit_vectors ORDER BY unit_id;
DROP TABLE unit_vectors;
ALTER TABLE plain_vectors RENAME TO unit_vectors;
"""
_OF_ONE_COMPUTER = """
UPDATE documents SET added_at = '', used_at = '', priority = 0, site = '', asset = '', pack = '',
    source_set = '', crashes = 0, crashed_at = '';
"""
_SMALL_PAGES = 4096  # bytes: most manuals are small, and every table takes a page of its own


def make_shard(database: Path, target: Path) -> None:
    """Turn the closed library file of one manual into a new shard at `target`, using the file up.

    The same library gives the same bytes. Raises: what `named_errors` names.
    """
    with named_errors(database), closing(connect_writer(database)) as connection:
        connection.pragma("foreign_keys", False)
        connection.pragma("journal_mode", "delete")
        with connection:
            connection.execute(_OF_ONE_COMPUTER)
            connection.execute(_PLAIN_VECTORS)
            for kind, name in _objects(connection):
                if kind == "trigger" or (
                    kind == "table" and name not in (*CARRIED, "unit_vectors")
                ):
                    connection.execute(f'DROP {kind} IF EXISTS "{name}"')
            connection.pragma("application_id", SHARD_ID)
        connection.pragma("page_size", _SMALL_PAGES)
        connection.execute("VACUUM INTO ?", (str(target),))


def _objects(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Return kind and name of each object in the file: triggers first, then virtual tables."""
    rows: Any = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
        " ORDER BY type <> 'trigger', sql NOT LIKE 'CREATE VIRTUAL%'"
    ).fetchall()
    return [(str(kind), str(name)) for kind, name in rows]


@contextmanager
def opened_shard(path: Path, manual: str) -> Iterator[apsw.Connection]:
    """Open a shard to read the manual of this hash. Raises: ManualPackRefused."""
    try:
        connection = connect_reader(path)
    except (apsw.Error, LibraryError) as error:
        raise ManualPackRefused(_NO_SHARD) from error
    with closing(connection):
        try:
            _check(connection, manual)
        except apsw.Error as error:
            raise ManualPackRefused(_NO_SHARD) from error
        yield connection


_NO_SHARD = said("Groundwork cannot read this file of the pack.")


def _check(connection: apsw.Connection, manual: str) -> None:
    if connection.pragma("application_id") != SHARD_ID:
        raise ManualPackRefused(_NO_SHARD)
    if int(connection.pragma("user_version")) > SCHEMA:
        raise ManualPackRefused("A newer Groundwork made this file. Update Groundwork.")
    known = {*CARRIED, "unit_vectors"}
    for kind, name in _objects(connection):
        sql = str(connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).get)
        plain = kind == "table" and name in known and sql.upper().startswith("CREATE TABLE")
        if not plain and kind != "index":
            raise ManualPackRefused("The file contains something that does not belong in a pack.")
    if connection.execute("PRAGMA quick_check(1)").get != "ok":
        raise ManualPackRefused(_NO_SHARD)
    if connection.execute("SELECT sha256, id FROM documents").fetchall() != [(manual, 1)]:
        raise ManualPackRefused("The file does not hold the manual named in the pack.")


def put_manual(connection: apsw.Connection, shard: apsw.Connection, terms: Terms, pack: str) -> int:
    """Take a shard's manual into a library, or replace what was read of it; return its id.

    To be called in a transaction. connection: the library's writer. terms: of the shard,
    as `terms_of` returns them. What people said of the manual stays, or comes back.
    Vectors of models other than the library's are left out: the next ingestion makes
    them.
    """
    manual = str(shard.execute("SELECT sha256 FROM documents").get)
    document_id = _put_document(connection, shard, manual, pack)
    first_page = _next_id(connection, "pages") - _least_id(shard, "pages")
    first_unit = _next_id(connection, "units") - _least_id(shard, "units")
    text = _text_vectors_fit(connection, shard)
    pictures = _page_vectors_fit(connection, shard)
    moved = {"id": first_page, "page_id": first_page}
    _copy(connection, shard, "outline", {"document_id": document_id})
    _copy(connection, shard, "pages", {"document_id": document_id}, moved)
    _copy(connection, shard, "page_words", {}, moved)
    _copy(connection, shard, "blocks", {"id": None}, moved)
    unit_ids = {"id": first_unit, "page_id": first_page}
    _copy(connection, shard, "units", {"document_id": document_id}, unit_ids)
    left_out = [name for name, fit in (("vectors", text), ("pictures", pictures)) if not fit]
    marks = ", ".join("?" * len(left_out))
    where = f"WHERE pass NOT IN ({marks})"
    _copy(connection, shard, "page_passes", {}, moved, where, left_out)
    pages, units = terms
    index_pages(connection, document_id, ((first_page + id_, words) for id_, words in pages))
    moved_units = ((first_unit + id_, words, context) for id_, words, context in units)
    index_units(connection, document_id, moved_units)
    if text:
        vectors: Any = shard.execute("SELECT unit_id, vector FROM unit_vectors ORDER BY unit_id")
        moved_vectors = ((first_unit + id_, vector) for id_, vector in vectors)
        put_vectors(connection, document_id, moved_vectors)
    if pictures:
        fixed = {"document_id": document_id, "id": None}
        _copy(connection, shard, "page_codes", fixed, {"page_id": first_page})
        _copy(connection, shard, "page_patches", {}, {"page_id": first_page})
    refresh_counts(connection, document_id)
    return document_id


def _put_document(
    connection: apsw.Connection, shard: apsw.Connection, manual: str, pack: str
) -> int:
    """Make or renew the manual's row, with what people said of it; return its id."""
    known = document_with_hash(connection, manual)
    columns = [name for name in _shared(connection, shard, "documents") if name != "id"]
    row: Any = shard.execute(f"SELECT {', '.join(columns)} FROM documents").fetchone()
    if known is None:
        kept = _taken_overlay(connection, manual)
    else:
        kept = overlay_of(connection, known.id)
        begin_anew(connection, known.id)
        connection.execute("DELETE FROM outline WHERE document_id = ?", (known.id,))
    wanted = kept.get("id")
    taken = connection.execute("SELECT 1 FROM documents WHERE id = ?", (wanted,)).get
    if known is None:
        names = ", ".join((*columns, "id"))
        connection.execute(
            f"INSERT INTO documents({names}) VALUES({', '.join('?' * (len(columns) + 1))})",
            (*row, None if taken else wanted),
        )
        document_id = connection.last_insert_rowid()
    else:
        document_id = known.id
        sets = ", ".join(f"{name} = ?" for name in columns)
        connection.execute(f"UPDATE documents SET {sets} WHERE id = ?", (*row, document_id))
    now = datetime.now(UTC).isoformat()
    added = known.added_at if known is not None else now
    connection.execute(
        "UPDATE documents SET pack = ?, added_at = ? WHERE id = ?", (pack, added, document_id)
    )
    _lay_over(connection, document_id, kept)
    return document_id


_PERSONS = ("title", "site", "asset", "used_at")
_SOURCE = ("tier", "source_type", "tags", "revision", "revision_date")


def overlay_of(connection: apsw.Connection, document_id: int) -> dict[str, Any]:
    """Return what people said of a pack's manual, for its return. Raises: DocumentNotFound."""
    require_document(connection, document_id)
    names = ("sha256", "pack", "source_set", *_PERSONS, *_SOURCE)
    row: Any = connection.execute(
        f"SELECT {', '.join(names)} FROM documents WHERE id = ?", (document_id,)
    ).fetchone()
    values = dict(zip(names, row, strict=True))
    came_as: Any = connection.execute(
        "SELECT title FROM pack_manuals WHERE pack = ? AND sha256 = ?",
        (values["pack"], values["sha256"]),
    ).get
    by_hand = [name for name in _SOURCE if name in values["source_set"].split()]
    kept = {name: values[name] for name in (*_PERSONS, *by_hand, "source_set")}
    if came_as is None or came_as == values["title"]:
        del kept["title"]  # nobody gave it another one
    marks: Any = connection.execute(
        "SELECT page, name, made_at FROM bookmarks WHERE document_id = ?", (document_id,)
    ).fetchall()
    return {"id": document_id, "columns": kept, "bookmarks": marks}


def _taken_overlay(connection: apsw.Connection, manual: str) -> dict[str, Any]:
    found: Any = connection.execute(
        "DELETE FROM pack_overlays WHERE sha256 = ? RETURNING kept", (manual,)
    ).get
    return json.loads(found) if found else {}


def _lay_over(connection: apsw.Connection, document_id: int, kept: dict[str, Any]) -> None:
    columns = kept.get("columns", {})
    if columns:
        connection.execute(
            f"UPDATE documents SET {', '.join(f'{name} = ?' for name in columns)} WHERE id = ?",
            (*columns.values(), document_id),
        )
    connection.executemany(
        "INSERT OR IGNORE INTO bookmarks(document_id, page, name, made_at) VALUES(?, ?, ?, ?)",
        [(document_id, *mark) for mark in kept.get("bookmarks", ())],
    )


def take_out_manual(connection: apsw.Connection, document_id: int) -> str:
    """Remove a pack's manual, keep what people said of it, and return its file's SHA-256.

    To be called in a transaction. Raises: DocumentNotFound.
    """
    kept = overlay_of(connection, document_id)
    manual = delete_document(connection, document_id)
    connection.execute(
        "INSERT OR REPLACE INTO pack_overlays VALUES(?, ?)", (manual, json.dumps(kept))
    )
    return manual


def _text_vectors_fit(connection: apsw.Connection, shard: apsw.Connection) -> bool:
    """Whether the shard's text vectors are of the library's model; the first one decides it."""
    made_by: Any = shard.execute("SELECT model_id, dimension FROM vector_models").fetchone()
    if made_by is None:
        return False
    if not text_models_of(connection):
        use_text_model(connection, *made_by)
    return text_models_of(connection) == [made_by[0]]


def _page_vectors_fit(connection: apsw.Connection, shard: apsw.Connection) -> bool:
    made_by = stored_model(shard)
    if made_by is None:
        return False
    if stored_model(connection) is None:
        use_model(connection, *made_by)
    return stored_model(connection) == made_by


def _copy(
    connection: apsw.Connection,
    shard: apsw.Connection,
    table: str,
    fixed: dict[str, int | None],
    moved: dict[str, int] | None = None,
    where: str = "",
    values: Sequence[str] = (),
) -> None:
    """Copy the rows of a table, one after the other, as far as both files know its columns.

    fixed: columns with one value in every row. moved: columns with ids, and what to add to them.
    """
    shift = moved or {}
    columns = _shared(connection, shard, table)
    order = " ORDER BY id" if "id" in columns else ""
    names = ", ".join(columns)
    rows: Any = shard.execute(f"SELECT {names} FROM {table} {where}{order}", tuple(values))
    connection.executemany(
        f"INSERT INTO {table}({names}) VALUES({', '.join('?' * len(columns))})",
        (
            [
                fixed[name] if name in fixed else value + shift[name] if name in shift else value
                for name, value in zip(columns, row, strict=True)
            ]
            for row in rows
        ),
    )


def _shared(connection: apsw.Connection, shard: apsw.Connection, table: str) -> list[str]:
    theirs: Any = shard.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall()
    ours: Any = connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall()
    known = {name for (name,) in theirs}
    return [name for (name,) in ours if name in known]


def _next_id(connection: apsw.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").get)


def _least_id(connection: apsw.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT coalesce(min(id), 1) FROM {table}").get)
