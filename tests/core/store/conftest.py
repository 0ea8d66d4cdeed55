from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.store.database import Database


def put(database: Database, key: str, value: str = "x") -> None:
    database.write(lambda c: c.execute("INSERT INTO meta VALUES(?, ?)", (key, value)).fetchall())


def keys(database: Database) -> list[str]:
    rows = database.read(lambda c: c.execute("SELECT key FROM meta ORDER BY key").fetchall())
    return [str(key) for (key,) in rows]
