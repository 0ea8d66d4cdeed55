"""Pages that a question names by what is printed on them: "page 4-11", "Seite iv"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw

BY_LABEL = "page label"
"""The name of this searcher in `Evidence.found_by`."""

_NAMED = re.compile(
    r"\b(?:pages?|seiten?|p\.)\s*"
    r"((?:[a-z]{1,2}|\d{1,3})[-–.]\d{1,4}|\d{1,4}|[ivxlc]{1,7})(?![\w-])",
    re.IGNORECASE,
)
_MOST = 20


def asked_labels(text: str) -> tuple[str, ...]:
    """Return the page labels that a question names, in its order."""
    found = (match.group(1).replace("–", "-").casefold() for match in _NAMED.finditer(text))
    return tuple(dict.fromkeys(found))


def without_labels(text: str) -> str:
    """Return a question without the pages that it names."""
    return _NAMED.sub(" ", text)


def pages_with_labels(
    connection: apsw.Connection, labels: Sequence[str], documents: Collection[int]
) -> list[int]:
    """Return the ids of the pages with these labels; of a number that is no label, the page's.

    documents: only pages of these; of all if none is named.
    """
    if not labels:
        return []
    marks = ",".join("?" * len(documents))
    only = f" AND document_id IN ({marks})" if documents else ""
    found: list[int] = []
    for label in labels:
        rows = connection.execute(
            f"SELECT id FROM pages WHERE lower(label) = ?{only} LIMIT ?",
            (label, *documents, _MOST),
        ).fetchall()
        if not rows and label.isdecimal():
            rows = connection.execute(
                f"SELECT id FROM pages WHERE page = ?{only} LIMIT ?",
                (int(label) - 1, *documents, _MOST),
            ).fetchall()
        found += [int(str(row[0])) for row in rows]
    return found
