"""Bookmarks and outlines of a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.errors import LibraryNotWritable
from desktop.core.library.annotations import Bookmark, Bookmarks
from desktop.core.library.contents import Outline, Outlines
from desktop.core.store.database import Database
from desktop.core.structure.values import OutlineEntry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path) as database:
        database.write(
            lambda c: c.execute(
                "INSERT INTO documents(id, sha256, name, title, bytes, page_count, state, added_at)"
                " VALUES(1, 'a', 'a.pdf', 'A', 1, 9, 'ready', '2026-01-01')"
            ).close()
        )
        yield database


def test_bookmarks_come_in_the_order_of_pages_whenever_they_were_made(database: Database):
    marks = Bookmarks(database)
    marks.put(1, 7, "Wiring")
    marks.put(1, 2, "  Battery \n test ")
    assert marks.of(1) == [Bookmark(1, 2, "Battery test"), Bookmark(1, 7, "Wiring")]


def test_a_page_has_one_bookmark_which_can_get_another_name(database: Database):
    marks = Bookmarks(database)
    marks.put(1, 7, "Wiring")
    marks.put(1, 7, "Terminals")
    assert marks.of(1) == [Bookmark(1, 7, "Terminals")]
    marks.remove(1, 7)
    marks.remove(1, 7)
    assert marks.of(1) == []


def test_bookmarks_go_with_their_manual_and_a_manual_that_is_gone_gets_none(database: Database):
    marks = Bookmarks(database)
    marks.put(1, 7, "Wiring")
    database.write(lambda c: c.execute("DELETE FROM documents WHERE id = 1").close())
    marks.put(1, 8, "Too late")
    assert marks.of(1) == []


def test_bookmarks_are_there_at_the_next_start_and_only_read_where_one_may_not_write(
    tmp_path: Path, database: Database
):
    Bookmarks(database).put(1, 3, "Fuses")
    with Database.open(tmp_path, read_only=True) as again:
        marks = Bookmarks(again)
        assert [mark.name for mark in marks.of(1)] == ["Fuses"]
        with pytest.raises(LibraryNotWritable):
            marks.put(1, 4, "No")


def test_the_table_of_contents_that_the_file_carries_goes_before_headings(database: Database):
    def write(connection) -> None:
        connection.execute(
            "INSERT INTO pages(id, document_id, page, label, width, height)"
            " VALUES(5, 1, 3, '4', 1, 1)"
        ).close()
        connection.execute(
            "INSERT INTO blocks(page_id, position, kind, text, x0, y0, x1, y1, section, level,"
            " warning) VALUES(5, 0, 'heading', 'Battery  test', 0, 0, 1, 1, '[]', 2, '')"
        ).close()

    database.write(write)
    outlines = Outlines(database)
    assert outlines.of(1) == Outline((OutlineEntry(2, "Battery test", 3),), found=True)
    database.write(
        lambda c: c.execute(
            "INSERT INTO outline(document_id, position, level, title, page)"
            " VALUES(1, 0, 1, 'Contents', 2)"
        ).close()
    )
    assert outlines.of(1) == Outline((OutlineEntry(1, "Contents", 2),))
    assert outlines.of(99) == Outline()
