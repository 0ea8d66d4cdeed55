"""Whether a database from elsewhere holds anything that would run when it is used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import apsw

from desktop.core.store.connection import connect_writer
from desktop.core.store.migrations import migrate

_OURS = ("fts5", "fts5vocab", "vec0")
_MODULE = re.compile(r"USING\s+(\w+)", re.IGNORECASE)


def foreign_code(path: Path) -> str:
    """Return the name of a trigger, view or virtual table in a database that is not ours; or "".

    Tables and indexes run nothing: functions in their definitions are held back by
    `trusted_schema`.

    Raises: apsw.Error.
    """
    known = _our_triggers()
    for kind, name, sql in _objects(path):
        if kind == "trigger" and known.get(name) == sql:
            continue
        if kind in ("trigger", "view"):
            return str(name)
        module = _MODULE.search(sql or "") if _is_virtual(sql) else None
        if module and module[1].lower() not in _OURS:
            return str(name)
    return ""


def _is_virtual(sql: str | None) -> bool:
    return (sql or "").lstrip().upper().startswith("CREATE VIRTUAL")


def _objects(path: Path) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.pragma("trusted_schema", False)
        return connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    finally:
        connection.close(True)


def _our_triggers() -> dict[Any, Any]:
    fresh = connect_writer(Path(":memory:"))
    try:
        migrate(fresh, Path(":memory:"))
        rows: Any = fresh.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return dict(rows.fetchall())
    finally:
        fresh.close(True)
