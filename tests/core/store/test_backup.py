from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from desktop.core.store.backups import backups_of
from desktop.core.store.connection import connect_writer
from desktop.core.store.database import Database
from desktop.core.store.schema import MIGRATIONS, SCHEMA, migrate
from tests.core.store.conftest import keys, put

if TYPE_CHECKING:
    from pathlib import Path


def test_a_backup_is_complete_and_opens_by_itself(database: Database, tmp_path: Path):
    put(database, "a")
    backup = database.keep_backup("by-hand").folder
    put(database, "later")

    assert {path.name for path in backup.iterdir()} == {"library.db", "backup.json"}
    with Database.open(backup) as copy:
        assert keys(copy) == ["a"]
        assert copy.check() == []


def test_an_older_library_is_copied_before_it_is_changed(tmp_path: Path):
    with Database.open(tmp_path) as database:
        put(database, "old")

    def add_tags(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE tags(name)")

    path = tmp_path / "library.db"
    connection = connect_writer(path)
    migrate(connection, path, (*MIGRATIONS, add_tags))
    assert connection.pragma("user_version") == SCHEMA + 1
    connection.close()

    (kept,) = backups_of(tmp_path)
    assert kept.reason == "before-update"
    backup = apsw.Connection(str(kept.folder / "library.db"))
    assert backup.pragma("user_version") == SCHEMA
    assert backup.execute("SELECT key FROM meta").get == "old"
    backup.close()


def test_a_migration_that_fails_leaves_the_version_before_it(tmp_path: Path):
    def broken(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE tags(name)")
        raise RuntimeError("half way")

    with Database.open(tmp_path) as database:
        put(database, "old")
    path = tmp_path / "library.db"
    connection = connect_writer(path)
    with pytest.raises(RuntimeError, match="half way"):
        migrate(connection, path, (*MIGRATIONS, broken))
    connection.close()
    with Database.open(tmp_path) as database:
        assert keys(database) == ["old"]
