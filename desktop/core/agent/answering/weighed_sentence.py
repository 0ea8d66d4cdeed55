"""A sentence as words and facts that a passage may say, each with its weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import ITEM_SIGN, Fact, Ground, facts_of
from desktop.core.retrieval.tokens import UNITS, query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

# A number or a code tells a sentence from its neighbours better than a word does.
_FACT_WEIGHT = 2.0


class WeighedSentence:
    """A sentence as its term groups and facts.

    words: the groups without values and units. ground: what it says itself.
    """

    def __init__(self, text: str) -> None:
        said = ITEM_SIGN.sub("", text)
        self.facts = facts_of(said)
        self.groups = query_terms(said)
        self.weights = [_weight(group) for group in self.groups]
        self.words = [
            group
            for group in self.groups
            if _weight(group) < _FACT_WEIGHT and not UNITS.intersection(group)
        ]
        self.ground = Ground([said])

    def share(self, ground: Ground) -> float:
        """Return the weighted share of its words that stand there, 0 to 1."""
        hits = (
            weight
            for group, weight in zip(self.groups, self.weights, strict=True)
            if any(term in ground.terms for term in group)
        )
        return sum(hits) / (sum(self.weights) or 1.0)

    def share_of_words(self, terms: frozenset[str]) -> float:
        """Return the share of its words alone, numbers and codes left out."""
        hits = sum(any(term in terms for term in group) for group in self.words)
        return hits / len(self.words) if self.words else 0.0

    def missing(self, ground: Ground) -> list[Fact]:
        """Return the facts that do not stand there."""
        return [fact for fact in self.facts if not ground.supports(fact)]


def _weight(group: Sequence[str]) -> float:
    return _FACT_WEIGHT if any(c.isdigit() for term in group for c in term) else 1.0
