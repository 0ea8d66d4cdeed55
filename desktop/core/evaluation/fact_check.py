"""A lexical check of an answer's facts: numbers with units, codes, terminals.

It needs no model. Units are told apart from their spelling ("5 amps" is "5 A"), see
`agent.statement_facts`. It says nothing about statements without such facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import Fact, Ground, facts_of
from desktop.core.evaluation.cited_statements import cited_statements, without_marks
from desktop.core.retrieval.tokens import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class FactCheck:
    """An answer beside the expected one.

    recall: share of the expected facts that it says, 0 to 1; of the expected words if nothing
    in them can be checked to the letter. values: the same of numbers, values and codes alone,
    without words in capitals; None without any. missing: expected facts that it lacks. wrong:
    facts of the answer that neither the expected answer nor a cited region says. said: how
    many facts the answer has.
    """

    recall: float
    values: float | None
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    said: int

    @property
    def score(self) -> int:
        """0 to 100: what of the expected is there, less the share of what is wrong."""
        sound = 1 - len(self.wrong) / self.said if self.said else 1.0
        return round(100 * self.recall * sound)


def check_answer(answer: str, expected: str, regions: str = "", question: str = "") -> FactCheck:
    """Compare an answer with the expected one.

    regions: the words that its citations point to; facts that stand there are not wrong.
    question: facts that it brings itself need not be told again.
    """
    plain = without_marks(answer)
    ground = Ground([plain])
    wanted = wanted_facts(expected, question)
    lacking = [fact for fact in wanted if not ground.supports(fact)]
    values = sum(fact.is_value for fact in wanted)
    missing = tuple(fact.text for fact in lacking)
    known = Ground([expected, regions])
    facts = facts_of(plain)
    wrong = tuple(fact.text for fact in facts if not known.supports(fact))
    recall = 1 - len(missing) / len(wanted) if wanted else _shared_words(ground, expected)
    told = 1 - sum(fact.is_value for fact in lacking) / values if values else None
    return FactCheck(recall, told, missing, wrong, len(facts))


def wanted_facts(expected: str, question: str = "") -> list[Fact]:
    """Return the facts of an expected answer that the question does not bring itself."""
    given = Ground([question])
    return [fact for fact in facts_of(expected) if not given.supports(fact)]


@dataclass(frozen=True, slots=True)
class GroundingCheck:
    """statements: what claims something. grounded: of those, the ones their regions carry."""

    statements: int
    grounded: int

    @property
    def complete(self) -> bool:
        """Whether there are statements and all of them are grounded."""
        return 0 < self.statements == self.grounded


def check_grounding(answer: str, regions: Mapping[int, str]) -> GroundingCheck:
    """Look whether each statement cites regions that say its numbers, units and codes.

    regions: the words in the regions of each citation number.
    """
    claims = [each for each in cited_statements(answer) if not each.is_opening]
    grounded = 0
    for statement in claims:
        texts = [regions[number] for number in statement.cited if number in regions]
        ground = Ground(texts)
        if any(texts) and all(ground.supports(fact) for fact in facts_of(statement.text)):
            grounded += 1
    return GroundingCheck(len(claims), grounded)


def _shared_words(ground: Ground, expected: str) -> float:
    groups = query_terms(expected)
    if not groups:
        return 1.0
    return sum(any(term in ground.terms for term in group) for group in groups) / len(groups)
