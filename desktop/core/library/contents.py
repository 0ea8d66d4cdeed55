"""What a manual contains: its outline, headings, and where each begins."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from desktop.core.question.tokens import query_terms
from desktop.core.structure.sentences import words_in
from desktop.core.structure.values import OutlineEntry

if TYPE_CHECKING:
    import apsw

    from desktop.core.geometry import Box
    from desktop.core.store.database import Database


def language_of(connection: apsw.Connection, document_id: int) -> str:
    """Return the code of a manual's language ("en"), "" while it is not known."""
    row = connection.execute("SELECT language FROM documents WHERE id = ?", (document_id,))
    return str(row.get or "")


def main_sections(connection: apsw.Connection, document_id: int) -> list[str]:
    """Return the titles of the highest level that divides the manual, in its order.

    From the table of contents that the PDF carries; without one, from the headings.
    """
    rows = connection.execute(
        "SELECT level, title FROM outline WHERE document_id = ? ORDER BY position", (document_id,)
    )
    entries = [(int(level), str(title)) for level, title in rows]
    per_level = Counter(level for level, _ in entries)
    # a single entry at the top is the manual's own title
    dividing = [level for level in sorted(per_level) if per_level[level] > 1]
    if dividing:
        return [title for level, title in entries if level == dividing[0]]
    return [title for _, title in entries] or _headings(connection, document_id)


def _headings(connection: apsw.Connection, document_id: int) -> list[str]:
    rows = connection.execute(
        "SELECT b.section FROM blocks AS b JOIN pages AS p ON p.id = b.page_id"
        " WHERE p.document_id = ? AND b.kind = 'heading' AND b.level = 1"
        " ORDER BY p.page, b.position",
        (document_id,),
    )
    paths = [json.loads(section) for (section,) in rows]
    return list(dict.fromkeys(path[0] for path in paths if path))


_MOST_HEADINGS: Final = 5_000
_LONGEST_HEADING: Final = 200


@dataclass(frozen=True, slots=True)
class Outline:
    """Entries in the order of the manual; found: from headings, as the file has no outline."""

    entries: tuple[OutlineEntry, ...] = ()
    found: bool = False


class Outlines:
    """The outlines of a library's manuals; may be used from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document_id: int) -> Outline:
        """Return the outline of a manual; headings only of the pages that are read already."""
        return self._database.read(lambda c: _outline(c, document_id))


def carried_outline(connection: apsw.Connection, document_id: int) -> list[OutlineEntry]:
    """Return the table of contents that a PDF carries."""
    rows = connection.execute(
        "SELECT level, title, page FROM outline WHERE document_id = ? ORDER BY position",
        (document_id,),
    )
    return [OutlineEntry(*row) for row in rows]


def _outline(connection: apsw.Connection, document_id: int) -> Outline:
    carried = tuple(carried_outline(connection, document_id))
    if carried:
        return Outline(carried)
    rows = connection.execute(
        "SELECT max(1, b.level), b.text, p.page FROM blocks AS b JOIN pages AS p"
        " ON p.id = b.page_id WHERE p.document_id = ? AND b.kind = 'heading'"
        " ORDER BY p.page, b.position LIMIT ?",
        (document_id, _MOST_HEADINGS),
    )
    found = (
        OutlineEntry(level, " ".join(text.split())[:_LONGEST_HEADING], page)
        for level, text, page in rows
    )
    kept = tuple(entry for entry in found if entry.title)
    return Outline(kept, found=bool(kept))


_LOOKED_AT = 400
"""Sentences and rows: having all of a big library put in order takes longer than a key press."""
_SORTED_FROM = 3
"""Letters: shorter beginnings fit so many headings that sorting them all takes too long."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. page: from 0, with its printed label. path: the headings above it."""

    document_id: int
    page: int
    label: str
    title: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page, from 0, and the number that is printed on it."""

    document_id: int
    page: int
    label: str


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Words of a manual that were searched for. page: from 0, with its printed label.

    boxes: where they are; PDF points, top-left origin, page as displayed.
    """

    document_id: int
    page: int
    label: str
    text: str
    boxes: tuple[Box, ...] = ()


def find_words(connection: apsw.Connection, text: str, limit: int) -> list[TextPlace]:
    """Return sentences and rows with all words of `text`, or in their headings, best first.

    The last word may be only partly typed. Fewer than three letters find nothing: they
    occur everywhere.
    """
    # numpy, which the window starts without
    from desktop.core.library.units import stored_boxes
    from desktop.core.store.postings import units_with_all

    groups = query_terms(text)
    if len("".join(words_in(text))) < _SORTED_FROM or not groups:
        return []
    last = text.split()[-1].casefold()
    units = units_with_all(connection, groups, last if last.isalnum() else "")[:_LOOKED_AT]
    rows = connection.execute(
        "SELECT u.document_id, u.page, coalesce(p.label, u.page + 1), u.text, u.boxes"
        " FROM json_each(?) JOIN units AS u ON u.id = value JOIN pages AS p ON p.id = u.page_id"
        " WHERE u.kind NOT IN ('window', 'heading')",
        (json.dumps(units),),
    ).fetchall()
    found = (
        TextPlace(document_id, page, str(label), " ".join(told.split()), stored_boxes(boxes))
        for document_id, page, label, told, boxes in cast(
            "list[tuple[int, int, str, str, bytes]]", rows
        )
    )
    parts = [word.casefold() for word in text.split()]

    def is_worse(place: TextPlace) -> tuple[int, int]:
        line = place.text.casefold()  # what stands in the words themselves, and little beside it
        return -sum(part in line for part in parts), len(line)

    return sorted(dict.fromkeys(found), key=is_worse)[:limit]


def find_headings(connection: apsw.Connection, text: str, limit: int) -> list[Heading]:
    """Return headings in which every word of `text` begins a word, best first.

    For a manual whose layout is still being read, its own table of contents supplies
    them at once. The parts of a word such as "4-1" or "P-200" must follow each other.
    Case and accents do not matter. A text without letters and digits finds nothing.
    """
    parts = [" ".join(words_in(word)) for word in text.split()]
    words = [part for part in parts if part]
    if not words:
        return []
    needle = " ".join(f'"{word}"*' for word in words)
    order = "ORDER BY rank" if len("".join(words)) >= _SORTED_FROM else ""
    rows = connection.execute(
        "SELECT p.document_id, p.page, p.label, b.text, b.section FROM"
        f" (SELECT rowid AS block FROM headings_fts WHERE headings_fts MATCH ? {order} LIMIT ?)"
        " JOIN blocks AS b ON b.id = block JOIN pages AS p ON p.id = b.page_id",
        (needle, limit),
    ).fetchall()
    found = cast("list[tuple[int, int, str, str, str]]", rows)
    headings = [
        Heading(document_id, page, label, " ".join(title.split()), _above(title, section))
        for document_id, page, label, title, section in found
    ]
    return [*headings, *_from_contents(connection, words, headings, limit - len(headings))]


def _from_contents(
    connection: apsw.Connection, words: list[str], known: list[Heading], limit: int
) -> list[Heading]:
    """Return entries of tables of contents that are not known as headings."""
    there = {(each.document_id, each.page, each.title.casefold()) for each in known}
    rows = connection.execute(
        "SELECT o.document_id, o.page, coalesce(p.label, o.page + 1), o.title FROM documents AS d"
        " JOIN outline AS o ON o.document_id = d.id"
        " LEFT JOIN pages AS p ON p.document_id = o.document_id AND p.page = o.page"
        " WHERE d.layout_done < d.page_count AND o.title LIKE '%' || ? || '%'",
        (words[0].split()[0],),
    ).fetchall()
    found = []
    for document_id, page, label, title in cast("list[tuple[int, int, str, str]]", rows):
        line = " " + " ".join(words_in(title.casefold()))
        fits = all(f" {word.casefold()}" in line for word in words)
        shown = " ".join(title.split())
        if fits and (document_id, page, shown.casefold()) not in there:
            found.append(Heading(document_id, page, str(label), shown, ()))
    return found[: max(0, limit)]


def find_pages(connection: apsw.Connection, label: str, limit: int) -> list[LabelledPage]:
    """Return the pages whose printed number is `label`, then some that begin with it.

    Sorting all that begin with it would take too long: some page of every manual begins
    with "1".
    """
    wanted = label.strip()
    if not wanted:
        return []
    select = "SELECT document_id, page, label FROM pages WHERE label"
    rows = connection.execute(
        f"{select} = ? COLLATE NOCASE ORDER BY document_id, page LIMIT ?", (wanted, limit)
    ).fetchall()
    rows += connection.execute(
        f"{select} > ? COLLATE NOCASE AND label < ? COLLATE NOCASE LIMIT ?",
        (wanted, wanted + "\U0010ffff", limit - len(rows)),
    ).fetchall()
    return [LabelledPage(*row) for row in cast("list[tuple[int, int, str]]", rows)]


def _above(title: str, section: str) -> tuple[str, ...]:
    path = tuple(str(each) for each in json.loads(section))
    return path[:-1] if path and path[-1].split() == title.split() else path
