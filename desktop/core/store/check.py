"""What can be wrong inside a library file that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.core.store import postings, unit_vectors
from desktop.core.store.schema import FIRST_SCHEMA

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
        " WHERE embed AND units.id NOT IN (SELECT unit_id FROM unit_vectors)",
    ),
)

_INDEXED: Final[Mapping[postings.Kind, str]] = {
    "page": "SELECT page_id FROM page_words",
    "unit": "SELECT id FROM units",
}


def find_problems(connection: apsw.Connection, deep: bool = False) -> list[str]:
    """Return what SQLite's own check and the links between the tables show to be wrong.

    deep: look at the numbers of every vector, too.
    """
    if int(connection.pragma("user_version")) < FIRST_SCHEMA:
        return ["it was written by a trial version"]
    problems = [
        str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"
    ]
    if problems:  # counting on damaged pages only adds noise
        return problems
    problems = [
        *postings.problems(connection),
        *_not_indexed(connection),
        *unit_vectors.problems(connection, deep),
    ]
    if problems:
        return problems
    orphans = (
        (what, f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM {parent})")
        for what, table, column, parent in _ORPHANS
    )
    counted = ((connection.execute(query).get, what) for what, query in (*orphans, *_MISSING))
    return [f"{count} {what}" for count, what in counted if count]


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
