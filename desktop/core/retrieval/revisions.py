"""The newer revision of a manual wins: where it says as much, the older one is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.library.editions import asks_for, newer_revisions
from desktop.core.library.records import one_document

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import apsw

_LEAST_SHARE = 0.8
"""A page says as much as another one if it has this share of its words of the question."""


def newer_for(
    connection: apsw.Connection, document_ids: Collection[int], question: str
) -> dict[int, int]:
    """Return older document id -> the newer one, of those found for a question.

    An older revision that the question asks for is not among them.
    """
    documents = {each: one_document(connection, each) for each in document_ids}
    newer = newer_revisions(documents.values())
    return {old: new for old, new in newer.items() if not asks_for(question, documents[old])}


def without_older(newer: Mapping[int, int], found: Sequence[tuple[int, float]]) -> list[bool]:
    """Return which pages of a ranking stay.

    newer: as `newer_for` returns. found: document and cover (how much of the question a page
    says, 0 to 1) of each page.
    """
    best: dict[int, float] = {}
    for document_id, cover in found:
        best[document_id] = max(best.get(document_id, 0.0), cover)
    return [
        newer.get(document_id) not in best or best[newer[document_id]] < _LEAST_SHARE * cover
        for document_id, cover in found
    ]
