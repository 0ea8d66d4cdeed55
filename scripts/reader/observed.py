"""Labelled questions as the reader sees them: what it observes of units, and how right they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.core.retrieval.query import Query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.answering.reader import Observed
    from desktop.core.retrieval.search import Searcher

Floats = NDArray[np.float32]


@dataclass(slots=True)
class Example:
    """A question. right: for each unit how well its words meet those that answer (F1), 0 to 1.

    pages: of each unit, as place among the pages. gold_place: place of the first page that
    answers, -1 if it was not retrieved. first_pages: scores of the first stage, with what they
    are made of. facts: what the label says of the question.
    """

    observed: Observed
    right: Floats
    gold_place: int
    facts: dict[str, Any]


def examples(
    searcher: Searcher, document_id: int, questions: Sequence[dict[str, Any]]
) -> Iterator[Example]:
    """Ask every question within its manual and yield what the reader sees."""
    for question in questions:
        if question.get("parts") or question["style"] == "followup":
            continue
        retrieved = searcher.retrieve(Query(question["question"], frozenset({document_id}), 12))
        if not retrieved.pages:
            continue
        observed = searcher.reader.observe(retrieved.question, retrieved.pages)
        if not observed.units:
            continue
        gold = places(question)
        pages = [page.evidence.page for page in retrieved.pages]
        right = np.array(
            [
                max(
                    (f1(u.unit.indices, words) for page, words in gold if pages[u.page] == page),
                    default=0.0,
                )
                for u in observed.units
            ],
            np.float32,
        )
        found = [pages.index(page) for page, _ in gold if page in pages]
        yield Example(observed, right, min(found, default=-1), question)


def places(question: dict[str, Any]) -> list[tuple[int, frozenset[int]]]:
    """Return the places that answer: page and words."""
    return [
        (place["page"], frozenset(i for a, b in place["words"] for i in range(a, b + 1)))
        for place in [*question.get("answers", ()), *question.get("also", ())]
    ]


def f1(indices: Sequence[int], words: frozenset[int]) -> float:
    """Return the harmonic mean of precision and recall of a unit's words."""
    own = set(indices)
    return 2 * len(own & words) / (len(own) + len(words)) if own and words else 0.0
