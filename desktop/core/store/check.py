"""What can be wrong inside a library file that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

_ORPHANS = (
    ("page texts without their page", "page_words", "page_id", "pages"),
    ("units without their page", "units", "page_id", "pages"),
    ("vectors without their unit", "unit_vectors", "unit_id", "units"),
    ("page codes without their page", "page_codes", "page_id", "pages"),
    ("patch vectors without their page", "page_patches", "page_id", "pages"),
    ("page vectors without their page", "page_vectors", "page_id", "pages"),
    ("page index entries without their page", "pages_fts", "rowid", "pages"),
    ("unit index entries without their unit", "units_fts", "rowid", "units"),
    ("questions without their conversation", "turns", "conversation_id", "conversations"),
    ("question index entries without their question", "turns_fts", "rowid", "turns"),
)


def find_problems(connection: apsw.Connection) -> list[str]:
    """Return what SQLite's own check and the links between the tables show to be wrong."""
    problems = [
        str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"
    ]
    if problems:  # counting on damaged pages only adds noise
        return problems
    # An older library that is only read has not been brought to today's tables.
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for what, table, column, parent in _ORPHANS:
        if table not in tables:
            continue
        count = connection.execute(
            f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM {parent})"
        ).get
        if count:
            problems.append(f"{count} {what}")
    return problems
