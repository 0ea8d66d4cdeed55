"""Highlights and comments of people, kept by the contents of a manual's file."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import pytest

from desktop.core.errors import LibraryNotWritable
from desktop.core.geometry import Box
from desktop.core.library.annotations import Annotation, Annotations
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import make_backup
from desktop.core.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

LINES = (Box(72, 100, 300, 112), Box(72, 114, 200.5, 126))


def marked(page: int, quote: str, *, manual: str = "a", boxes: tuple[Box, ...] = LINES):
    return Annotation(manual, page, boxes, "green", quote)


def test_highlights_come_in_the_order_of_the_manual_and_of_no_other_one(database: Database):
    shelf = Annotations(database)
    below = marked(2, "below", boxes=(Box(72, 400, 90, 412),))
    kept = shelf.keep([marked(7, "late"), below, marked(2, "above"), marked(0, "x", manual="b")])
    assert len({each.id for each in kept}) == 4
    assert [each.quote for each in shelf.of("a")] == ["above", "below", "late"]
    assert shelf.of("a")[0].boxes == LINES
    assert shelf.of("c") == []


def test_pen_and_comment_change_and_what_was_removed_comes_back_as_it_was(database: Database):
    shelf = Annotations(database)
    (first,) = shelf.keep([marked(1, "24 Nm")])
    assert first.made_at
    changed = replace(first, pen="pink", comment="  30 Nm if seized\n")
    shelf.keep([changed])
    (found,) = shelf.of("a")
    assert (found.pen, found.comment, found.id) == ("pink", "30 Nm if seized", first.id)
    shelf.remove([first.id])
    shelf.remove([first.id])
    assert shelf.of("a") == []
    (later,) = shelf.keep([marked(1, "another")])
    shelf.keep([found])
    assert later.id != found.id
    assert found in shelf.of("a")


def test_they_outlive_the_entry_of_the_manual(database: Database):
    def add(connection) -> None:
        connection.execute(
            "INSERT INTO documents(sha256, name, title, bytes, page_count, state, added_at)"
            " VALUES('a', 'a.pdf', 'A', 1, 9, 'ready', '2026-01-01')"
        ).close()

    database.write(add)
    Annotations(database).keep([marked(1, "24 Nm")])
    database.write(lambda c: c.execute("DELETE FROM documents").close())
    database.write(add)
    assert [each.quote for each in Annotations(database).of("a")] == ["24 Nm"]


def test_they_are_in_a_backup_and_only_read_where_one_may_not_write(database: Database):
    Annotations(database).keep([marked(1, "24 Nm")])
    database.read(lambda c: make_backup(database.folder, c, "by-hand"))
    (copy,) = LibraryFolder(database.folder).backups.glob("*/library.db")
    with apsw.Connection(str(copy)) as connection:
        assert connection.execute("SELECT quote FROM annotations").get == "24 Nm"
    with Database.open(database.folder, read_only=True) as again:
        assert [each.quote for each in Annotations(again).of("a")] == ["24 Nm"]
        with pytest.raises(LibraryNotWritable):
            Annotations(again).keep([marked(2, "no")])


def test_what_was_kept_is_there_after_the_program_is_killed(tmp_path: Path):
    script = """
import os, signal, sys
from pathlib import Path
from desktop.core.geometry import Box
from desktop.core.library.annotations import Annotation, Annotations
from desktop.core.store.database import Database
database = Database.open(Path(sys.argv[1]))
Annotations(database).keep([Annotation("a", 3, (Box(0, 0, 9, 9),), "violet", "fuse", "10 A")])
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False, timeout=60)
    with Database.open(tmp_path) as database:
        (found,) = Annotations(database).of("a")
    assert (found.quote, found.comment, found.pen) == ("fuse", "10 A", "violet")
