"""What people mark in a manual: highlighted words with their notes, and pages to find again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, get_args

import msgspec

from desktop.core.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw

    from desktop.core.store.database import Database


LONGEST_COMMENT: Final = 10_000

Pen = Literal["green", "orange", "pink", "violet"]
"""Yellow is not among them: it marks what an answer points to."""
PENS: Final[tuple[Pen, ...]] = get_args(Pen)


@dataclass(frozen=True, slots=True)
class Annotation:
    """Highlighted words of one page, with or without a comment.

    sha256: of the manual's file. page: from 0. boxes: one a line, PDF points, top-left
    origin, page as displayed. quote: the words. comment: "" for none. made_at: ISO, ""
    until it is kept. id: 0 until it is kept.
    """

    sha256: str
    page: int
    boxes: tuple[Box, ...]
    pen: Pen
    quote: str
    comment: str = ""
    made_at: str = ""
    id: int = 0


class Annotations:
    """The annotations of a library; may be used from any thread.

    They belong to a file's contents and not to its entry in the library, so a manual
    that is read again, or removed and added again, still has them. Every method that
    changes something is one transaction and raises LibraryNotWritable for a library
    opened read-only.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, sha256: str) -> list[Annotation]:
        """Return the annotations of a manual from its first page to its last."""
        rows = self._database.rows(
            "SELECT page, boxes, pen, quote, comment, made_at, id FROM annotations"
            " WHERE sha256 = ?",
            (sha256,),
        )
        found = [Annotation(sha256, page, _boxes(boxes), *rest) for page, boxes, *rest in rows]
        return sorted(found, key=_place)

    def keep(self, annotations: Sequence[Annotation]) -> list[Annotation]:
        """Store new annotations, and changed or removed ones again under their id.

        Returns: them as they are stored, each with its id.
        """
        stamp = datetime.now(UTC).isoformat(timespec="seconds")

        def write(connection: apsw.Connection) -> list[Annotation]:
            return [_keep(connection, each, stamp) for each in annotations]

        return self._database.write(write)

    def remove(self, ids: Collection[int]) -> None:
        """Take annotations away; those that are gone already do not matter."""

        def write(connection: apsw.Connection) -> None:
            for id_ in ids:
                connection.execute("DELETE FROM annotations WHERE id = ?", (id_,)).close()

        self._database.write(write)


def _keep(connection: apsw.Connection, annotation: Annotation, stamp: str) -> Annotation:
    kept = replace(
        annotation,
        comment=annotation.comment.strip()[:LONGEST_COMMENT],
        made_at=annotation.made_at or stamp,
    )
    boxes = msgspec.json.encode([box.as_tuple() for box in kept.boxes]).decode()
    id_ = connection.execute(
        "INSERT INTO annotations(id, sha256, page, boxes, pen, quote, comment, made_at)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT(id) DO UPDATE SET pen = excluded.pen, comment = excluded.comment"
        " RETURNING id",
        (
            kept.id or None,
            kept.sha256,
            kept.page,
            boxes,
            kept.pen,
            kept.quote,
            kept.comment,
            kept.made_at,
        ),
    ).get
    return replace(kept, id=int(id_))


def _boxes(stored: str) -> tuple[Box, ...]:
    rows = msgspec.json.decode(stored, type=list[tuple[float, float, float, float]])
    return tuple(Box(*row) for row in rows)


def _place(annotation: Annotation) -> tuple[int, float, float, int]:
    first = annotation.boxes[0] if annotation.boxes else Box(0, 0, 0, 0)
    return annotation.page, first.y0, first.x0, annotation.id


LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A marked page; page counts from 0."""

    document_id: int
    page: int
    name: str


class Bookmarks:
    """The bookmarks of a library, at most one a page; may be used from any thread.

    Methods that change something raise LibraryNotWritable for a library opened
    read-only.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document_id: int) -> list[Bookmark]:
        """Return the bookmarks of a manual in the order of its pages."""
        rows = self._database.rows(
            "SELECT page, name FROM bookmarks WHERE document_id = ? ORDER BY page", (document_id,)
        )
        return [Bookmark(document_id, page, name) for page, name in rows]

    def put(self, document_id: int, page: int, name: str) -> None:
        """Mark a page, or rename its mark; do nothing for a manual that is gone."""
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
