"""Ranked pages as evidence: their places, and their quotable units best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.retrieval.evidence import Evidence, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from desktop.core.retrieval.features import ScoredUnit
    from desktop.core.retrieval.search import Candidate

# Quotable passages returned with each page: more than any page of text has.
_PASSAGES_PER_PAGE = 80


def evidence_of(connection: apsw.Connection, ranked: Sequence[Candidate]) -> list[Evidence]:
    """Read where the pages stand and return them in their order; a deleted page is left out."""
    marks = ",".join("?" * len(ranked))
    rows = connection.execute(
        "SELECT p.id, d.id, d.name, d.title, p.page, p.label FROM pages p"
        f" JOIN documents d ON d.id = p.document_id WHERE p.id IN ({marks})",
        tuple(c.page_id for c in ranked),
    )
    pages = {page_id: place for page_id, *place in rows}
    return [_page_evidence(c, *pages[c.page_id]) for c in ranked if c.page_id in pages]


def _page_evidence(
    candidate: Candidate, document_id: int, document: str, title: str, page: int, label: str
) -> Evidence:
    return Evidence(
        document_id,
        document,
        title,
        page,
        label,
        candidate.score,
        tuple(candidate.found_by),
        _passages(candidate),
        candidate.features,
        candidate.route.weights,
    )


def _passages(candidate: Candidate) -> tuple[Passage, ...]:
    """Return the quotable units of a page, best first."""
    quotable = [item for item in candidate.units if item.unit.kind != "window"]
    scored = [(_passage_score(candidate, item), item.unit) for item in quotable]
    scored.sort(key=lambda pair: -pair[0])
    return tuple(
        Passage(u.id, u.kind, u.text, u.context, u.boxes, u.header_boxes, score)
        for score, u in scored[:_PASSAGES_PER_PAGE]
    )


def _passage_score(candidate: Candidate, item: ScoredUnit) -> float:
    late = candidate.late.get(id(item.unit))
    return item.cover + (late.late_words + late.cosine if late else 0.0)
