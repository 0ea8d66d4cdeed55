"""Which quote of a page is told first: the best one, or its like that fits what is asked better."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.agent.listed_quotes import are_alike
from desktop.core.retrieval.answer_signs import forbids
from desktop.core.retrieval.tokens import index_term_set, query_terms
from desktop.core.structure.tables import CELL_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

# What forbids must have this share of the words of the question that the best quote has.
_AS_MUCH = 0.5
# Two quotes that share this share of their words say the same of two things.
_TWIN = 0.35
_TWINS_AMONG = 8


def first_quote(
    question: Question, evidence: Evidence, ranked: Sequence[RankedQuote]
) -> RankedQuote:
    """Return the quote that the answer begins with. ranked: not empty, best first."""
    return (
        _forbidding(question, evidence, ranked)
        or _row_of_code(question, ranked)
        or _not_its_sibling(question, ranked)
    )


def _forbidding(
    question: Question, evidence: Evidence, ranked: Sequence[RankedQuote]
) -> RankedQuote | None:
    """Return the first quote that forbids, if what is forbidden is asked and the best does not.

    It must have about as much of the question as the best one.
    """
    best = ranked[0]
    if not question.asks_forbidden or forbids(best.quote.text):
        return None
    weights = np.array(evidence.term_weights or (1.0,) * len(question.groups))
    least = _AS_MUCH * float(weights @ np.array(best.covered, bool)) if len(weights) else 0.0
    for item in ranked[:_TWINS_AMONG]:
        stated = item.quote.kind not in ("heading", "label", "caption")
        enough = not len(weights) or float(weights @ np.array(item.covered, bool)) >= least
        if stated and enough and forbids(item.quote.text):
            return item
    return None


def _not_its_sibling(question: Question, ranked: Sequence[RankedQuote]) -> RankedQuote:
    """Return the best quote, or its twin if that one speaks of what is asked.

    Manuals say the same of two things in the same words: internal and external battery,
    inlet and outlet. The twin that names the asked thing is right, whatever its score: it says
    all that the best one has of the question and more, or the same and nothing else than asked.
    """
    best = ranked[0]
    if best.quote.kind in ("heading", "label", "caption"):
        return best
    against = question.contradiction(best.quote.text)
    own = index_term_set(best.quote.text)
    for other in ranked[1:_TWINS_AMONG]:
        terms = index_term_set(other.quote.text)
        alike = len(own & terms) / max(1, len(own | terms))
        if other.quote.kind != best.quote.kind or alike < _TWIN:
            continue
        if all(here >= before for here, before in zip(other.covered, best.covered, strict=True)):
            differs = question.contradiction(other.quote.text)
            if differs < against or (differs == against and other.covered != best.covered):
                return other
    return best


def _row_of_code(question: Question, ranked: Sequence[RankedQuote]) -> RankedQuote | None:
    """Return the row of the best one's table that a code of the question opens, if that does not.

    What a jumper does is told in its own row, however much of the question another one says.
    """
    best = ranked[0]
    if best.quote.kind != "row" or opened_by_code(question, best):
        return None
    rows = (item for item in ranked if are_alike(best, item))
    return next((row for row in rows if opened_by_code(question, row)), None)


def opened_by_code(question: Question, row: RankedQuote) -> bool:
    """Whether a row begins with a code that the question names."""
    key = query_terms(row.quote.text.split(CELL_SEPARATOR)[0])
    asked = {term for group in question.groups for term in group}
    code = any(not group[0].isalpha() and not group[0].isdigit() for group in key)
    return code and all(asked.intersection(group) for group in key)
