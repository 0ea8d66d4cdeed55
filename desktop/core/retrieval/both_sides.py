"""A question that compares is about two manuals: a page of the second one belongs in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from desktop.core.retrieval.tokens import index_term_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.preference import Ranked
    from desktop.core.retrieval.question import Question

    Page = TypeVar("Page", bound=Ranked)

FIRST_PAGES = 5
_LEAST_COVER = 0.3
"""Of the first page's share of the question's words: less is a page about something else."""


def with_both_sides(question: Question, ranked: Sequence[Page]) -> list[Page]:
    """Return pages with one of a second manual among the first five, if they are compared.

    The best page of another manual moves to the fifth place; the four before stay.
    """
    first, rest = ranked[:FIRST_PAGES], ranked[FIRST_PAGES:]
    if not question.compares or len({page.document_id for page in first}) != 1:
        return list(ranked)
    mine, least = ranked[0].document_id, _LEAST_COVER * ranked[0].cover
    other = next((p for p in rest if p.document_id != mine and p.cover >= least), None)
    if other is None:
        return list(ranked)
    left = [page for page in ranked if page is not other]
    return [*left[: FIRST_PAGES - 1], other, *left[FIRST_PAGES - 1 :]]


def names_both(question: Question, one: Evidence, other: Evidence) -> bool:
    """Whether the question names the manuals of two pages, each by a word of its own."""
    first, second = _title_terms(one), _title_terms(other)
    asked = {term for group in question.groups for term in group}
    return bool(asked & (first - second)) and bool(asked & (second - first))


def other_names(question: Question, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the terms of the question that name a second manual beside that of the first page.

    What is said of the first one need not name them.
    """
    if not (question.several or question.compares):
        return frozenset()
    first = evidence[0]
    asked = {term for group in question.groups for term in group}
    return frozenset(
        term
        for page in evidence[1:FIRST_PAGES]
        if page.document_id != first.document_id and names_both(question, first, page)
        for term in asked & (_title_terms(page) - _title_terms(first))
    )


def _title_terms(page: Evidence) -> frozenset[str]:
    return index_term_set(page.known_as)
