from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import apsw
import pytest

from desktop.core.errors import (
    DiskFull,
    LibraryBusy,
    LibraryDamaged,
    LibraryNotWritable,
    LibraryTooNew,
    NotALibrary,
)
from desktop.core.store.database import Database
from desktop.core.store.schema import SCHEMA
from tests.core.store.conftest import keys, put


def test_what_was_written_is_there_when_the_library_opens_again(tmp_path: Path):
    with Database.open(tmp_path / "new" / "library") as database:
        put(database, "a")
    with Database.open(tmp_path / "new" / "library") as database:
        assert keys(database) == ["a"]
        assert database.check() == []


def test_a_write_that_fails_changes_nothing(database: Database):
    def half(connection: apsw.Connection) -> None:
        connection.execute("INSERT INTO meta VALUES('a', 'x')")
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        database.write(half)
    put(database, "b")
    assert keys(database) == ["b"]


def test_writes_from_many_threads_all_arrive(database: Database):
    def put_many(name: int) -> None:
        for number in range(20):
            put(database, f"{name}-{number}")

    threads = [threading.Thread(target=put_many, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys(database)) == 80


def test_a_reader_sees_one_state_while_somebody_writes(database: Database):
    def read_twice(connection: apsw.Connection) -> tuple[int, int]:
        count = "SELECT count(*) FROM meta"
        before = connection.execute(count).get
        put(database, "meanwhile")
        return before, connection.execute(count).get

    assert database.read(read_twice) == (0, 0)
    assert keys(database) == ["meanwhile"]


def test_a_reader_cannot_write(database: Database):
    with pytest.raises(LibraryNotWritable):
        database.read(lambda c: c.execute("DELETE FROM meta").fetchall())


def test_a_cursor_may_not_leave_a_read(database: Database):
    with pytest.raises(TypeError, match="materialise"):
        database.read(lambda c: c.execute("SELECT 1"))


def test_a_write_inside_a_write_is_refused_instead_of_waiting_for_ever(database: Database):
    with pytest.raises(RuntimeError, match="inside a write"):
        database.write(lambda _: database.write(lambda _: None))


def test_closing_finishes_what_was_queued(tmp_path: Path):
    def insert(connection: apsw.Connection) -> None:
        connection.execute("INSERT INTO meta SELECT 'key ' || count(*), '' FROM meta")

    database = Database.open(tmp_path)
    futures = [database.submit(insert) for _ in range(50)]
    database.close()
    database.close()
    assert all(future.done() for future in futures)
    with Database.open(tmp_path, read_only=True) as again:
        assert len(keys(again)) == 50


def test_a_second_process_is_told_that_the_library_is_in_use(database: Database):
    code = (
        "import sys, pathlib\n"
        "from desktop.core.errors import LibraryBusy\n"
        "from desktop.core.store.database import Database\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "with Database.open(folder, read_only=True) as db:\n"
        "    print(db.read(lambda c: c.execute('SELECT key FROM meta').get))\n"
        "try:\n    Database.open(folder)\nexcept LibraryBusy:\n    print('busy')\n"
    )
    put(database, "readable")
    result = subprocess.run(
        [sys.executable, "-c", code, str(database.folder)],
        capture_output=True,
        text=True,
        check=True,
        timeout=400,
    )
    assert result.stdout.split() == ["readable", "busy"]


def test_the_lock_is_free_again_when_opening_failed(tmp_path: Path):
    (tmp_path / "library.db").write_bytes(b"not a database at all, but long enough" * 100)
    for _ in range(2):
        with pytest.raises(NotALibrary):
            Database.open(tmp_path)


def test_a_library_of_a_newer_program_is_left_as_it_is(tmp_path: Path):
    with Database.open(tmp_path) as database:
        database.write(lambda c: c.pragma("user_version", 99))
    before = (tmp_path / "library.db").read_bytes()
    for read_only in (False, True):
        with pytest.raises(LibraryTooNew) as caught:
            Database.open(tmp_path, read_only=read_only)
        assert (caught.value.found, caught.value.known) == (99, SCHEMA)
    assert (tmp_path / "library.db").read_bytes() == before


def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path):
    other = apsw.Connection(str(tmp_path / "library.db"))
    other.execute("CREATE TABLE bookmarks(url)")
    other.close()
    before = (tmp_path / "library.db").read_bytes()
    with pytest.raises(NotALibrary):
        Database.open(tmp_path)
    assert (tmp_path / "library.db").read_bytes() == before


def test_an_empty_file_is_a_new_library_unless_manuals_belong_to_it(tmp_path: Path):
    (tmp_path / "library.db").touch()
    with Database.open(tmp_path) as database:
        assert keys(database) == []

    lost = tmp_path / "lost"
    (lost / "originals").mkdir(parents=True)
    (lost / "originals" / "abc.pdf").write_bytes(b"%PDF-")
    (lost / "library.db").touch()
    with pytest.raises(LibraryDamaged, match="holds manuals"):
        Database.open(lost)


def test_a_damaged_page_is_named_as_damage(tmp_path: Path):
    with Database.open(tmp_path) as database:
        for n in range(200):
            put(database, f"key {n}", "v" * 2000)
    path = tmp_path / "library.db"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(16384 * 10)
        file.write(os.urandom(size - 16384 * 10))

    with pytest.raises(LibraryDamaged):
        Database.open(tmp_path)
    with Database.open(tmp_path, read_only=True) as database:
        with pytest.raises(LibraryDamaged):
            database.read(lambda c: c.execute("SELECT sum(length(value)) FROM meta").fetchall())
        assert database.check() != []


def test_a_full_disk_is_named_and_the_library_lives_on(database: Database):
    put(database, "before")
    pages = database.read(lambda c: c.pragma("page_count"))
    database.write(lambda c: c.pragma("max_page_count", pages + 2))
    with pytest.raises(DiskFull):
        put(database, "too much", "v" * 1_000_000)
    database.write(lambda c: c.pragma("max_page_count", 1 << 30))
    put(database, "after")
    assert keys(database) == ["after", "before"]
    assert database.check() == []


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(LibraryNotWritable):
        Database.open(file / "library")


def test_a_write_protected_library_can_be_read():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Database.open(folder) as database:
            put(database, "a")
        for path in [*folder.iterdir(), folder]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        is_root = os.geteuid() == 0
        if is_root:  # root may write anywhere
            os.seteuid(65534)
        try:
            with pytest.raises(LibraryNotWritable):
                Database.open(folder)
            with Database.open(folder, read_only=True) as database:
                assert keys(database) == ["a"]
                with pytest.raises(LibraryNotWritable):
                    put(database, "b")
        finally:
            if is_root:
                os.seteuid(0)
            folder.chmod(0o755)


def test_opening_for_reading_needs_a_library(tmp_path: Path):
    with pytest.raises(NotALibrary):
        Database.open(tmp_path, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_is_in_use_here_is_busy_for_a_second_opening(database: Database):
    with pytest.raises(LibraryBusy):
        Database.open(database.folder)
