"""Which further pages are quoted beside the first one.

A question about two manuals needs both. And where the first page is not surely the one that
answers, so says how far its score lies above the others, the next ones have a word as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.retrieval.answer_signs import (
    forbids,
    is_line_of_contents,
    speaks_of_other_code,
)
from desktop.core.retrieval.both_sides import FIRST_PAGES, names_both
from desktop.core.retrieval.linear import chances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question

# Of first pages more likely than this nearly all are right; of the others one in two.
_SURE = 0.9
# A page that is less likely than this is not quoted beside an unsure one.
_LIKELY = 0.05
_MOST_PAGES = 3


@dataclass(frozen=True, slots=True)
class OtherPages:
    """Pages to quote after the first; asked: whether the question itself needs them.

    If it does not, they may answer in place of the first one.
    """

    pages: tuple[Evidence, ...] = ()
    asked: bool = False


def other_pages(question: Question, evidence: Sequence[Evidence]) -> OtherPages:
    """Return what to quote beside the first page: of another manual, if two are asked about."""
    first = evidence[0]
    others = [page for page in evidence[1:] if page.document_id != first.document_id]
    if question.compares:
        return OtherPages(tuple(others[:1]), asked=True)
    if question.several:
        near = [page for page in others if page in evidence[:FIRST_PAGES]]
        named = next((page for page in near if names_both(question, first, page)), None)
        if named is not None:
            return OtherPages((named,), asked=True)
    likely = chances([page.score for page in evidence])
    if likely[0] >= _SURE:
        return OtherPages()
    beside = zip(evidence[1 : 1 + _MOST_PAGES], likely[1:], strict=False)
    return OtherPages(tuple(page for page, chance in beside if chance >= _LIKELY))


def fits(quote: Quote, question: Question, *, beside: bool = True) -> bool:
    """Whether a quote from another page may stand beside the answer.

    beside: it is to go with the first page; not so what may answer in its place.
    """
    if quote.kind in ("heading", "label") or speaks_of_other_code(question, quote.text):
        return False
    if is_line_of_contents(quote.text):
        return False
    if question.asks_forbidden and not forbids(quote.text):
        return False
    return not beside or not question.contradiction(quote.text)
