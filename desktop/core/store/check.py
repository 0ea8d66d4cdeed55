"""What can be wrong inside a library file that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.core.store import postings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import apsw

_ORPHANS = (
    ("page texts without their page", "page_words", "page_id", "pages"),
    ("units without their page", "units", "page_id", "pages"),
    ("vectors without their unit", "unit_vectors", "unit_id", "units"),
    ("page codes without their page", "page_codes", "page_id", "pages"),
    ("patch vectors without their page", "page_patches", "page_id", "pages"),
    ("text indexes without their manual", "indexed_texts", "document_id", "documents"),
    ("questions without their conversation", "turns", "conversation_id", "conversations"),
    ("question index entries without their question", "turns_fts", "rowid", "turns"),
)

_MISSING = (
    (
        "questions that are not in the index",
        "SELECT count(*) FROM turns WHERE outcome <> ''"
        " AND id NOT IN (SELECT rowid FROM turns_fts)",
    ),
    (
        "passages that lost their vector",
        "SELECT count(*) FROM units JOIN page_passes AS s ON s.page_id = units.page_id"
        " AND s.pass = 'vectors' AND s.state = 'done'"
        " WHERE embed AND units.id NOT IN (SELECT rowid FROM unit_vectors_rowids)",
    ),
)

_INDEXED: Final[Mapping[postings.Kind, str]] = {
    "page": "SELECT page_id FROM page_words",
    "unit": "SELECT id FROM units",
}

_VECTOR_TABLES = ("unit_vectors",)
_UNIT_LENGTH = 0.02


def find_problems(connection: apsw.Connection, deep: bool = False) -> list[str]:
    """Return what SQLite's own check and the links between the tables show to be wrong.

    deep: look at the numbers of every vector, too.
    """
    problems = [
        str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"
    ]
    if problems:  # counting on damaged pages only adds noise
        return problems
    # An older library that is only read has not been brought to today's tables.
    tables = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    problems = [p for t in _VECTOR_TABLES if t in tables for p in _of_vectors(connection, t, deep)]
    if not problems and "postings" in tables:
        problems = [*postings.problems(connection), *_not_indexed(connection)]
    if problems:
        return problems
    for what, table, column, parent in _ORPHANS:
        if table not in tables:
            continue
        count = connection.execute(
            f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM {parent})"
        ).get
        if count:
            problems.append(f"{count} {what}")
    if "turns" in tables:
        for what, query in _MISSING:
            if count := connection.execute(query).get:
                problems.append(f"{count} {what}")
    return problems


def _not_indexed(connection: apsw.Connection) -> Iterator[str]:
    """Yield how many pages and units are not in the text index, and how many are gone from it."""
    for kind, query in _INDEXED.items():
        rows: Any = connection.execute(query)
        ids = np.fromiter((row[0] for row in rows), np.int64)
        indexed = np.flatnonzero(postings.read_lengths(connection, kind).documents)
        if missing := len(np.setdiff1d(ids, indexed)):
            yield f"{missing} {kind}s that were read and are not in the index"
        if gone := len(np.setdiff1d(indexed, ids)):
            yield f"{gone} {kind} index entries without their {kind}"


def _of_vectors(connection: apsw.Connection, table: str, deep: bool) -> Iterator[str]:
    """Yield what is wrong with the tables in which sqlite-vec keeps one of ours.

    SQLite's check cannot know what belongs into them, and sqlite-vec has none.
    """
    chunks: list[tuple[Any, ...]] = connection.execute(
        f"SELECT c.chunk_id, c.size, length(c.validity), length(c.rowids), length(v.vectors)"
        f" FROM {table}_chunks AS c LEFT JOIN {table}_vector_chunks00 AS v ON v.rowid = c.chunk_id"
    ).fetchall()
    for chunk_id, size, validity, rowids, vectors in chunks:
        if not size or validity * 8 != size or rowids != size * 8 or not vectors:
            yield f"{table}: block {chunk_id} is damaged"
            return
    rows: list[tuple[Any, ...]] = connection.execute(
        f"SELECT rowid, chunk_id, chunk_offset FROM {table}_rowids ORDER BY chunk_id"
    ).fetchall()
    sizes = {chunk_id: size for chunk_id, size, *_ in chunks}
    if any(chunk not in sizes or not 0 <= at < sizes[chunk] for _, chunk, at in rows):
        yield f"{table}: its list of vectors is damaged"
        return
    places: dict[int, list[tuple[int, int]]] = {}
    for row_id, chunk, at in rows:
        places.setdefault(chunk, []).append((row_id, at))
    for chunk, inside in places.items():
        yield from _of_chunk(connection, table, chunk, np.array(inside, np.int64), deep)


def _of_chunk(
    connection: apsw.Connection,
    table: str,
    chunk: int,
    inside: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    deep: bool,
) -> Iterator[str]:
    """Compare one block with the list: `inside` has (row id, place in the block) rows."""
    row: Any = connection.execute(
        f"SELECT rowids, validity FROM {table}_chunks WHERE chunk_id = ?", (chunk,)
    ).fetchone()
    assert row is not None  # its sizes were just read
    stored = np.frombuffer(row[0], "<i8")[inside[:, 1]]
    valid = np.unpackbits(np.frombuffer(row[1], np.uint8), bitorder="little")
    if (stored != inside[:, 0]).any() or not valid[inside[:, 1]].all():
        yield f"{table}: block {chunk} holds other vectors than its list says"
    elif valid.sum() != len(inside):
        yield f"{table}: block {chunk} holds more vectors than its list says"
    elif deep:
        vectors: Any = connection.execute(
            f"SELECT vectors FROM {table}_vector_chunks00 WHERE rowid = ?", (chunk,)
        ).get
        values = np.frombuffer(vectors, "<f4").reshape(valid.size, -1)[inside[:, 1]]
        with np.errstate(all="ignore"):
            wrong = ~(np.abs(np.linalg.norm(values, axis=1) - 1) < _UNIT_LENGTH)
        if wrong.any():
            yield f"{table}: {int(wrong.sum())} vectors of block {chunk} are damaged"
