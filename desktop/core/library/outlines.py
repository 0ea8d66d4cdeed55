"""What stands where in a manual: its table of contents, or the headings of its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop.core.parsing.values import OutlineEntry

if TYPE_CHECKING:
    import apsw

    from desktop.core.store.database import Database

_MOST_HEADINGS: Final = 5_000
_LONGEST_HEADING: Final = 200


@dataclass(frozen=True, slots=True)
class Outline:
    """Entries in the order of the manual; found: from headings, as the file carries none."""

    entries: tuple[OutlineEntry, ...] = ()
    found: bool = False


class Outlines:
    """The outlines of a library's manuals; may be used from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document_id: int) -> Outline:
        """Return the outline of a manual; headings only of the pages that are read already."""
        return self._database.read(lambda c: _outline(c, document_id))


def _outline(connection: apsw.Connection, document_id: int) -> Outline:
    rows = connection.execute(
        "SELECT level, title, page FROM outline WHERE document_id = ? ORDER BY position",
        (document_id,),
    )
    carried = tuple(OutlineEntry(*row) for row in rows)
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
