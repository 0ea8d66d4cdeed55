"""What a page as a whole is about: for who asks what stands on page 4-11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.quote_choice import MOST_QUOTES, ChosenQuotes
from desktop.core.retrieval.asked_pages import BY_LABEL, asked_labels, without_labels
from desktop.core.retrieval.tokens import index_term_set, query_terms
from desktop.core.retrieval.unshown.statements import in_full, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.quote_ranking import RankedQuote

_MOST_HEADINGS = 6
# The letter or number of a chapter at the edge of a page names nothing.
_LONGEST_TAB = 3
_OF_PAGES = frozenset(
    term
    for group in query_terms(
        "say says show shows shown contain contains describe describes stand stands find found"
        " read see tell tells print printed manual guide handbook steht stehen zeigt zeige enthält"
        " handbuch anleitung finde sehe summarise summarize open content"
    )
    for term in group
)


def names_its_page(question: str, page: Evidence) -> bool:
    """Whether the question names this page by its label."""
    return BY_LABEL in page.found_by and bool(asked_labels(question))


def asks_for_page(question: str, page: Evidence) -> bool:
    """Whether a question that names this page asks for nothing but what stands on it."""
    known = _OF_PAGES | index_term_set(page.known_as)
    return all(known.intersection(group) for group in query_terms(without_labels(question)))


def tells_rest(question: str, page: Evidence, ranked: Sequence[RankedQuote]) -> bool:
    """Whether a statement of the page has all else that such a question asks for."""
    known = _OF_PAGES | index_term_set(page.known_as)
    groups = [group for group in query_terms(question) if not known.intersection(group)]
    return any(
        all(index_term_set(in_full(item)).intersection(group) for group in groups)
        for item in statements(ranked)
    )


def overview(ranked: Sequence[RankedQuote]) -> ChosenQuotes:
    """Return the headings and captions of a page, from its top; its first lines without any."""
    by_position = sorted(ranked, key=lambda item: item.position)
    named = [
        item
        for item in by_position
        if item.quote.kind in ("heading", "caption") and len(item.quote.text) > _LONGEST_TAB
    ]
    first = [item for item in by_position if item.quote.kind != "label"][:MOST_QUOTES]
    return ChosenQuotes(tuple(named[:_MOST_HEADINGS] or first), listed=True)
