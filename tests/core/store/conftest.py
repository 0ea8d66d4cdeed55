from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def put(database: Database, key: str, value: str = "x") -> None:
    database.write(lambda c: c.execute("INSERT INTO meta VALUES(?, ?)", (key, value)).fetchall())


def keys(database: Database) -> list[str]:
    rows = database.read(lambda c: c.execute("SELECT key FROM meta ORDER BY key").fetchall())
    return [str(key) for (key,) in rows]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "library") as opened:
        yield opened
