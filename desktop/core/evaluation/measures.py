"""What one question gave, and the figures over many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.cited import (
    LEAST_RECALL,
    marked_words,
    mean_precision,
    region_recall,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.evaluation.cited import CitedWords
    from desktop.core.evaluation.conduct import Conduct
    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.evaluation.judge import Judgement

Page = tuple[str, int]
"""A document's file name and a zero-based page index."""


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """What asking one question gave.

    ranked: pages in the order found. cited: the first page that the answer cites, None
    without an answer. answered: False for "not in your
    manuals". milliseconds: question to last event. conduct: how the agent went about it.
    judgement: what a language model says of the answer, None if it was not asked.
    warned: whether the warnings of the cited sections came along, None if there are none.
    citations: the words that each citation marks. gold_words: those of each gold region that
    has words.
    """

    question: GoldQuestion
    ranked: tuple[Page, ...]
    cited: Page | None
    answered: bool
    milliseconds: float
    conduct: Conduct | None = None
    judgement: Judgement | None = None
    warned: bool | None = None
    citations: tuple[CitedWords, ...] = ()
    gold_words: tuple[tuple[Page, frozenset[int]], ...] = ()

    @property
    def position(self) -> int | None:
        """Place of the first gold page, from 0; None if it was not found."""
        gold = self.question.gold_pages()
        return next((i for i, page in enumerate(self.ranked) if page in gold), None)

    @property
    def region_recall(self) -> float | None:
        """Share of the words of the best covered gold region that citations mark; 0 refused.

        None if the gold has no region with words.
        """
        if not self.question.answerable or not self.gold_words:
            return None
        marked = marked_words(self.citations if self.answered else ())
        return max(region_recall(words, marked.get(page, set())) for page, words in self.gold_words)

    @property
    def region_precision(self) -> float | None:
        """Mean over the citations of an answer, see `region_measures.region_precision`."""
        return mean_precision(self.citations) if self.answered else None

    @property
    def fact_recall(self) -> float | None:
        """Share of the expected numbers, values and codes that are in the answer.

        What the question says itself does not count. None if the gold names none; 0 without an
        answer.
        """
        gold = self.question
        if self.conduct is None or not gold.answerable:
            return None
        told = self.conduct.compared(gold.answer, gold.question).values
        return told if told is None or self.answered else 0.0

    @property
    def both_pages(self) -> bool:
        """Whether a page of every document in the gold is among the first five."""
        documents = {document for document, _ in self.question.gold_pages()}
        first = set(self.ranked[:5]) & self.question.gold_pages()
        return documents == {document for document, _ in first}


def figures(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Return the figures of a group of questions; None where none of them counts.

    refusal_precision: share of the refusals that were right. refusal_recall: share of what the
    manuals do not answer that was refused. region_covered: share of the questions with at
    least 95 % of a gold region's words marked. warnings_carried: share of the answers that cite
    a section with grave warnings and brought all of them.
    """
    answerable = [o for o in outcomes if o.question.answerable]
    unanswerable = [o for o in outcomes if not o.question.answerable]
    cross = [o for o in answerable if len({d for d, _ in o.question.gold_pages()}) > 1]
    regions = [(o, recall) for o in answerable if (recall := o.region_recall) is not None]
    refused = [o for o in outcomes if not o.answered]
    times = sorted(o.milliseconds for o in outcomes)
    return {
        "n": len(outcomes),
        **{f"hit@{k}": _mean(_found(o) < k for o in answerable) for k in (1, 3, 5)},
        "mrr": _mean(1 / (_found(o) + 1) for o in answerable),
        "region_recall": _mean(recall for _, recall in regions),
        "region_covered": _mean(recall >= LEAST_RECALL for _, recall in regions),
        "region_precision": _mean(
            o.region_precision for o in answerable if o.region_precision is not None
        ),
        "region_recall_when_first": _mean(recall for o, recall in regions if o.position == 0),
        "region_covered_when_first": _mean(
            recall >= LEAST_RECALL for o, recall in regions if o.position == 0
        ),
        "both_pages@5": _mean(o.both_pages for o in cross),
        "refused_right": sum(not o.answered for o in unanswerable),
        "refused_wrong": sum(not o.answered for o in answerable),
        "unanswerable": len(unanswerable),
        "refusal_precision": _mean(not o.question.answerable for o in refused),
        "refusal_recall": _mean(not o.answered for o in unanswerable),
        "fact_recall": _mean(o.fact_recall for o in outcomes if o.fact_recall is not None),
        "warnings_carried": _mean(o.warned for o in outcomes if o.warned is not None),
        **_agent_figures(outcomes),
        "p50_ms": round(quantile(times, 0.5), 1),
        "p95_ms": round(quantile(times, 0.95), 1),
    }


def _agent_figures(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Return what the answers rest on, and what it took to get them.

    grounded: share of the answers in which every statement has a citation whose region says
    its numbers, units and codes. statements_grounded: the same per statement. facts: mean
    score of the answers to what the manuals answer, 0 to 100; a refusal scores 0. judged:
    mean score of those a language model judged.
    fallen_back: share of questions in which a decision could not be used.
    """
    conducts = [o.conduct for o in outcomes if o.conduct is not None]
    answers = [conduct for conduct in conducts if conduct.answered]
    statements = sum(conduct.statements for conduct in answers)
    return {
        "grounded": _mean(conduct.fully_grounded for conduct in answers),
        "statements_grounded": _mean([sum(c.grounded for c in answers) / statements])
        if statements
        else None,
        "facts": _mean(
            o.conduct.compared(o.question.answer).score if o.conduct.answered else 0
            for o in outcomes
            if o.conduct is not None and o.question.answerable and o.question.answer
        ),
        "judged": _mean(o.judgement.score for o in outcomes if o.judgement is not None),
        "fallen_back": _mean(conduct.fallen_back for conduct in conducts),
        "steps": _mean(conduct.steps for conduct in conducts),
        "seconds": _mean(conduct.seconds for conduct in conducts),
    }


def _found(outcome: QuestionOutcome) -> float:
    position = outcome.position
    return float("inf") if position is None else position


def _mean(values: Iterable[float]) -> float | None:
    collected = list(values)
    return round(sum(collected) / len(collected), 4) if collected else None


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank quantile of sorted values; 0 without any."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
