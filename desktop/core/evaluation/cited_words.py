"""Which words of a page a citation marks, and how many of them it had to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.errors import DocumentNotFound
from desktop.core.evaluation.region_measures import CitedWords, region_precision, words_inside
from desktop.core.geometry import Box
from desktop.core.page_words import PageWords

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from desktop.core.events import CitationEvent, PageRegion
    from desktop.core.workspace import Workspace

_MOSTLY = 0.5
"""Of a unit's words: with so many marked its headings may be marked too."""


def cited_words(workspace: Workspace, citation: CitationEvent, manual: str) -> CitedWords:
    """Return the words in the boxes of a citation. manual: what its document is called here."""
    source = citation.source
    words = page_words(workspace, source.document_id, source.page)
    marked = words_inside(words, source.regions)
    headings = _headings(workspace, source, words, marked) if marked else set()
    precision = region_precision(words, marked, citation.quote, headings)
    return CitedWords((manual, source.page), marked, precision)


def page_words(workspace: Workspace, document_id: int, page: int) -> PageWords:
    """Return the words of a page; none if the manual is gone."""
    try:
        return workspace.library.page_words(document_id, page)
    except DocumentNotFound:
        return PageWords.empty()


def _headings(
    workspace: Workspace, source: PageRegion, words: PageWords, marked: frozenset[int]
) -> set[str]:
    """Return the headings of the units that are mostly marked, of each table or section once."""

    def read(connection: apsw.Connection) -> list[Any]:
        return connection.execute(
            "SELECT context, boxes FROM units WHERE document_id = ? AND page = ? AND NOT embed",
            (source.document_id, source.page),
        ).fetchall()

    found = set()
    for context, boxes in workspace.database.read(read):
        inside = words_inside(words, list(_stored_boxes(boxes)))
        if inside and len(inside & marked) >= _MOSTLY * len(inside):
            found.add(str(context))
    return found


def _stored_boxes(data: bytes) -> Iterator[Box]:
    for x0, y0, x1, y1 in np.frombuffer(data, "<f4").reshape(-1, 4).tolist():
        yield Box(x0, y0, x1, y1)
