"""What a manual is about in a few lines: its language and its main sections."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


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
