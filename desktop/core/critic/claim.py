"""A sentence as what it claims: its words, and its facts that can be checked to the letter."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import ITEM_SIGN, Fact, Ground, facts_of
from desktop.core.retrieval.tokens import UNITS, query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTENED_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)


class Claim:
    """The words and facts of one sentence."""

    def __init__(self, text: str) -> None:
        said = _SHORTENED_NOT.sub(" not", ITEM_SIGN.sub("", text))
        self.text = said
        self.facts: tuple[Fact, ...] = tuple(facts_of(said))
        self.words: tuple[tuple[str, ...], ...] = tuple(
            group
            for group in query_terms(said)
            if not any(c.isdigit() for term in group for c in term)
            and not UNITS.intersection(group)
        )
        self.ground = Ground([said])

    def share_in(self, ground: Ground) -> float:
        """Return the share of its words (values left out) that stand there; 1 if it has none."""
        if not self.words:
            return 1.0
        hits = sum(any(term in ground.terms for term in group) for group in self.words)
        return hits / len(self.words)

    def missing_in(self, ground: Ground) -> tuple[Fact, ...]:
        """Return the facts that do not stand there."""
        return tuple(fact for fact in self.facts if not ground.supports(fact))


@lru_cache(maxsize=4_000)
def claim_of(text: str) -> Claim:
    """Return the claim of a text, made once: a page's quotes are compared again and again."""
    return Claim(text)


def together(grounds: Iterable[Ground]) -> Ground:
    """Return one ground of several."""
    both = Ground(())
    for ground in grounds:
        both = both | ground
    return both
