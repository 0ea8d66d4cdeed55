"""Ranked pages as evidence: their places, and their quotable units best first."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from desktop.core.retrieval.evidence import Evidence, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from desktop.core.retrieval.candidate import Candidate

# More quotable passages than any page of text has.
_ALL_PASSAGES = 80


def evidence_of(
    connection: apsw.Connection, ranked: Sequence[Candidate], passages: int = _ALL_PASSAGES
) -> dict[int, Evidence]:
    """Read where the pages stand, by page id and in their order; a deleted page is left out.

    passages: the best of each page that are returned with it.
    """
    marks = ",".join("?" * len(ranked))
    rows = connection.execute(
        "SELECT p.id, d.id, d.name, d.title, p.page, p.label FROM pages p"
        f" JOIN documents d ON d.id = p.document_id WHERE p.id IN ({marks})",
        tuple(c.page_id for c in ranked),
    )
    pages = {page_id: place for page_id, *place in rows}
    return {
        c.page_id: _page_evidence(c, _passages(c, passages), *pages[c.page_id])
        for c in ranked
        if c.page_id in pages
    }


def _page_evidence(
    candidate: Candidate,
    passages: tuple[Passage, ...],
    document_id: int,
    document: str,
    title: str,
    page: int,
    label: str,
) -> Evidence:
    return Evidence(
        document_id,
        document,
        title,
        page,
        label,
        candidate.score,
        tuple(candidate.found_by),
        passages,
        candidate.features,
        candidate.route.weights,
    )


def _passages(candidate: Candidate, most: int) -> tuple[Passage, ...]:
    """Return the quotable units of a page, best first."""
    quotable = (item for item in candidate.units if item.unit.kind != "window")
    return tuple(
        Passage(u.id, u.kind, u.text, u.context, u.boxes, u.header_boxes, item.cover)
        for item in islice(quotable, most)
        for u in (item.unit,)
    )
