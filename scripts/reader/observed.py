"""Labelled questions as the reader sees them: what it observes of units, and how right they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.core.question.query import Query
from desktop.core.reader.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.question.query import Question
    from desktop.core.reader.ranker import Observed, Ranker
    from desktop.core.retrieval.search import Searcher
    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float32]

_WHOLE = 0.95  # of the words that answer: then a unit has the answer


@dataclass(slots=True)
class Example:
    """A question. right: for each unit how right it is to quote it (`rights`), 0 to 1.

    pages: of each unit, as place among the pages. gold_place: place of the first page that
    answers, -1 if it was not retrieved. first_pages: scores of the first stage, with what they
    are made of. facts: what the label says of the question.
    """

    question: Question
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
        right = np.zeros(len(observed.units), np.float32)
        for page, words in gold:
            of_page = [i for i, u in enumerate(observed.units) if pages[u.page] == page]
            found = rights([observed.units[i].unit.indices for i in of_page], words)
            right[of_page] = np.maximum(right[of_page], found)
        at = [pages.index(page) for page, _ in gold if page in pages]
        yield Example(retrieved.question, observed, right, min(at, default=-1), question)


def reranked(asked: Sequence[Example], ranker: Ranker, embedder: TextEmbedder) -> list[Example]:
    """Return examples whose best units, by the trees, were read together with the question."""
    reader = Reader(embedder)
    found = []
    for example in asked:
        scores = ranker.scores(example.observed, with_model=True)
        observed = reader.rerank(example.question, example.observed, scores)
        found.append(replace(example, observed=observed))
    return found


def places(question: dict[str, Any]) -> list[tuple[int, frozenset[int]]]:
    """Return the places that answer: page and words."""
    return [
        (place["page"], frozenset(i for a, b in place["words"] for i in range(a, b + 1)))
        for place in [*question.get("answers", ()), *question.get("also", ())]
    ]


def rights(units: Sequence[Sequence[int]], words: frozenset[int]) -> Floats:
    """Return how right it is to quote each unit of a page, 0 to 1.

    units: their words. words: those that answer. The smallest unit that has nearly all of them is
    right, however long its row or sentence is beside them, and a longer one as much less as it is
    longer. A unit that has some of them counts by the harmonic mean of precision and recall.
    """
    own = [frozenset(indices) for indices in units]
    whole = [bool(words) and len(each & words) >= _WHOLE * len(words) for each in own]
    smallest = min((len(each) for each, has in zip(own, whole, strict=True) if has), default=0)
    return np.array(
        [
            max(_f1(each, words), smallest / len(each) if has else 0.0)
            for each, has in zip(own, whole, strict=True)
        ],
        np.float32,
    )


def _f1(own: frozenset[int], words: frozenset[int]) -> float:
    return 2 * len(own & words) / (len(own) + len(words)) if own and words else 0.0
