"""The pages that people marked to find them again, kept in the library."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import apsw

    from desktop.core.store.database import Database

FIRST_VERSION: Final = 9
"""Of the schema: an older library that is only read has no bookmarks."""
LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A marked page; page counts from 0."""

    document_id: int
    page: int
    name: str


class Bookmarks:
    """The bookmarks of a library, at most one a page; may be used from any thread.

    What changes something raises LibraryNotWritable for a library opened to be read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document_id: int) -> list[Bookmark]:
        """Return the bookmarks of a manual in the order of its pages."""

        def read(connection: apsw.Connection) -> list[Bookmark]:
            if int(connection.pragma("user_version")) < FIRST_VERSION:
                return []
            rows = connection.execute(
                "SELECT page, name FROM bookmarks WHERE document_id = ? ORDER BY page",
                (document_id,),
            )
            return [Bookmark(document_id, page, name) for page, name in rows]

        return self._database.read(read)

    def put(self, document_id: int, page: int, name: str) -> None:
        """Mark a page, or give its mark another name; of a manual that is gone, nothing."""
        shown = " ".join(name.split())[:LONGEST_NAME]
        stamp = datetime.now(UTC).isoformat(timespec="seconds")

        def write(connection: apsw.Connection) -> None:
            connection.execute(
                "INSERT INTO bookmarks(document_id, page, name, made_at)"
                " SELECT id, ?, ?, ? FROM documents WHERE id = ?"
                " ON CONFLICT(document_id, page) DO UPDATE SET name = excluded.name",
                (page, shown, stamp, document_id),
            )

        self._database.write(write)

    def remove(self, document_id: int, page: int) -> None:
        """Take the mark of a page away; nothing happens if it has none."""
        self._database.write(
            lambda c: c.execute(
                "DELETE FROM bookmarks WHERE document_id = ? AND page = ?", (document_id, page)
            ).close()
        )
