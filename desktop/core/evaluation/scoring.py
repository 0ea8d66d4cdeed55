"""One number for how a question went: what an optimiser tries to raise."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.evaluation.measures import QuestionOutcome

_REFUSED = ("not_found", "impossible")
_FALLBACK_FACTOR = 0.8


def score(outcome: QuestionOutcome) -> float:
    """Return 0 to 100.

    What the manuals answer: how many of the expected facts are there and not wrong (the mean
    of that and the judgement, if there is one; without an expected answer whether a right
    page is cited), times the share of statements that are grounded. What they do not answer:
    100 for saying so. A decision that could not be used costs a fifth.
    """
    question, conduct = outcome.question, outcome.conduct
    if conduct is None:
        return 0.0
    factor = _FALLBACK_FACTOR if conduct.fallen_back else 1.0
    if not question.answerable:
        return 100.0 * factor if conduct.outcome in _REFUSED else 0.0
    if not conduct.answered or not conduct.statements:
        return 0.0
    return _right(outcome) * conduct.grounded / conduct.statements * factor


def mean_score(outcomes: Sequence[QuestionOutcome]) -> float:
    """Return the mean, rounded to a tenth; 0 without any."""
    return round(fmean(map(score, outcomes)), 1) if outcomes else 0.0


def _right(outcome: QuestionOutcome) -> float:
    question, conduct = outcome.question, outcome.conduct
    assert conduct is not None
    if not question.answer:
        return 100.0 if outcome.cited in question.gold_pages() else 0.0
    facts = float(conduct.compared(question.answer).score)
    return facts if outcome.judgement is None else (facts + outcome.judgement.score) / 2
