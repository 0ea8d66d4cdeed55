"""What a bench says of its questions: figures by group, and how each one of them went."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.measures import figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.evaluation.measures import QuestionOutcome

_FOUND = 3
_LONGEST_ANSWER = 400


def report(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Return plain values: the figures, how each question went, and the failures.

    "overall", "by_kind" and "by_document": see `figures`. "questions": a row for each, see
    `question_row`. "failures": the rows of those whose page was not first, that were refused
    although the manuals answer them, or answered although they do not.
    """
    kinds: dict[str, list[QuestionOutcome]] = defaultdict(list)
    documents: dict[str, list[QuestionOutcome]] = defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.question.kind].append(outcome)
        if outcome.question.document is not None:
            documents[outcome.question.document].append(outcome)
    rows = [question_row(outcome) for outcome in outcomes]
    return {
        "overall": figures(outcomes),
        "by_kind": {kind: figures(group) for kind, group in sorted(kinds.items())},
        "by_document": {name: figures(group) for name, group in sorted(documents.items())},
        "failures": [row for row in rows if has_failed(row)],
        "questions": rows,
    }


def question_row(outcome: QuestionOutcome) -> dict[str, Any]:
    """Return how a question went. Pages are [file name, zero-based page].

    position: place of the first right page from 0, None if it was not found. found: the first
    pages. cited: the page of the first citation. answer: its beginning. fact_recall,
    region_recall, warned: None where they do not apply.
    """
    question, conduct = outcome.question, outcome.conduct
    return {
        "id": question.id,
        "kind": question.kind,
        "question": question.question,
        "gold": [list(page) for page in sorted(question.gold_pages())],
        "expected": question.answer,
        "found": [list(page) for page in outcome.ranked[:_FOUND]],
        "position": outcome.position,
        "answered": outcome.answered,
        "cited": list(outcome.cited) if outcome.cited else None,
        "answer": conduct.text[:_LONGEST_ANSWER] if conduct else "",
        "fact_recall": outcome.fact_recall,
        "region_recall": outcome.region_recall,
        "warned": outcome.warned,
        "milliseconds": round(outcome.milliseconds, 1),
    }


def has_failed(row: dict[str, Any]) -> bool:
    """Whether the page was not first, or what should be refused was answered or vice versa."""
    if row["gold"]:
        return row["position"] != 0 or not row["answered"]
    return bool(row["answered"])
