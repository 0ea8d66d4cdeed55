"""What a page states, and how much of the thing in question each statement names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_values import without_own_codes
from desktop.core.retrieval.tokens import index_term_set, query_terms
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.quote_ranking import RankedQuote

# So many of the best statements are looked at.
AMONG = 8
# Of the words for the thing, weighed by their rarity, a statement must have this share.
LEAST_SHARE = 0.2
# Shorter beginnings are shared by words of other roots.
_ROOT = 4
_NO_STATEMENTS = frozenset({"label", "heading"})


def terms_of(words: str) -> frozenset[str]:
    """Return the index terms of some words, in both languages."""
    return frozenset(term for group in query_terms(words) for term in group)


GENERAL = terms_of(
    "max maximum minimum largest highest permitted allowed need needed required standard number"
    " value type take does have used use rating point best order apply applies"
    " programmable adjustable selectable"
)
"""Terms that say nothing of the thing that is asked about."""


def statements(ranked: Sequence[RankedQuote]) -> Iterator[RankedQuote]:
    """Yield the best quotes that state something: a drawing's words lie together by chance."""
    stating = [item for item in ranked if item.quote.kind not in _NO_STATEMENTS]
    yield from stating[:AMONG]


def in_full(item: RankedQuote) -> str:
    """Return a statement with all its headings."""
    return f"{item.quote.text} {item.quote.context}"


def about(item: RankedQuote) -> str:
    """Return a statement with its headings, without those of columns."""
    headings = item.quote.context.split(CONTEXT_SEPARATOR)
    if item.quote.kind == "row" and CELL_SEPARATOR in headings[-1]:
        headings.pop()
    return " ".join([item.quote.text, *headings])


def told(item: RankedQuote, question: Question) -> str:
    """Return what a statement tells; of a row of figures also the units above their columns."""
    text = without_own_codes(item.quote.text, question.text)
    if item.quote.kind != "row" or not any(character.isdigit() for character in text):
        return text
    above = " ".join(item.quote.context.split(CONTEXT_SEPARATOR)[-2:])
    return " ".join([text, *(f"| 0 {word}" for word in re.findall(r"[^\W\d_]+|[°%]C?", above))])


def thing_of(
    question: Question, page: Evidence, others: Collection[TermGroup]
) -> list[tuple[TermGroup, float]]:
    """Return the words for the thing that is asked about, with what each is worth."""
    title = index_term_set(page.known_as)
    weights = page.term_weights or (1.0,) * len(question.groups)
    other = {group[0] for group in others}  # a widened group has more terms
    return [
        (group, weight)
        for group, weight in zip(question.groups, weights, strict=True)
        if group[0] not in other and not title.intersection(group) and not GENERAL & set(group)
    ]


def share_said(groups: Sequence[tuple[TermGroup, float]], text: str) -> float:
    """Return the weighed share of the words that a text says; 1 without words.

    A word of the same root counts: "stored" is said by "storage".
    """
    total = sum(weight for _, weight in groups)
    terms = index_term_set(text)
    roots = {term[:_ROOT] for term in terms if term.isalpha()}
    said = sum(
        weight
        for group, weight in groups
        if terms.intersection(group) or any(_is_of_root(term, roots, terms) for term in group)
    )
    return said / total if total else 1.0


def _is_of_root(term: str, roots: Collection[str], terms: Collection[str]) -> bool:
    """Whether one of `terms` begins as the term does, all but its last letter."""
    if not term.isalpha() or term[:_ROOT] not in roots:
        return False
    beginning = term[: max(_ROOT, len(term) - 1)]
    return any(other.isalpha() and other.startswith(beginning) for other in terms)
