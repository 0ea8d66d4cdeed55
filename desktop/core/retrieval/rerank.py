"""The first pages read sentence by sentence and row by row: how well does one of them answer?

A page that speaks of the subject in prose ranks behind the one whose row, bullet or sentence
says what is asked. What is compared are the quotes of a page's best passages, by
`quote_ranking` and so by late interaction of token vectors where there is a text model:
Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late
Interaction over BERT", SIGIR 2020, with the text embedder's own token vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.retrieval.evidence_of_pages import evidence_of
from desktop.core.retrieval.quote_ranking import (
    MODEL_WEIGHTS,
    WORD_WEIGHTS,
    observe_vectors,
    observe_words,
    page_quotes,
    with_section,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.retrieval.candidate import Candidate
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question
    from desktop.models.roles import TextEmbedder

# So many passages of a page are cut into quotes, the best by words.
_PASSAGES = 5


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page to be read: its best passages and its words."""

    evidence: Evidence
    words: PageWords


def open_pages(connection: apsw.Connection, candidates: Sequence[Candidate]) -> dict[int, OpenPage]:
    """Read what the quotes of pages are made of, by page id; a deleted page is left out."""
    marks = ",".join("?" * len(candidates))
    stored = dict(
        connection.execute(
            f"SELECT page_id, words FROM page_words WHERE page_id IN ({marks})",
            tuple(c.page_id for c in candidates),
        )
    )
    return {
        page_id: OpenPage(evidence, PageWords.from_bytes(stored[page_id]))
        for page_id, evidence in evidence_of(connection, candidates, _PASSAGES).items()
        if page_id in stored
    }


def best_quotes(
    question: Question, pages: Sequence[OpenPage], embedder: TextEmbedder | None, most: int
) -> list[float]:
    """Return the score of the best quote of each page, 0 for one without quotes.

    most: so many quotes of a page are read by the text model, each costs a run of it.
    """
    read = [_first_quotes(question, page, most) for page in pages]
    weights = WORD_WEIGHTS
    if embedder is not None:
        weights = MODEL_WEIGHTS
        texts = [with_section(quote) for quotes, _ in read for quote in quotes]
        asked, *found = embedder.embed_tokens([question.wording, *texts])
        vectors = iter(found)
        for quotes, observed in read:
            for row, _ in zip(observed, quotes, strict=True):
                observe_vectors(asked, next(vectors), row)
    return [float((observed @ weights).max(initial=0.0)) for _, observed in read]


def _first_quotes(
    question: Question, page: OpenPage, most: int
) -> tuple[list[Quote], NDArray[np.float64]]:
    """Return the best quotes of a page by words alone, with what was observed of each."""
    quotes = page_quotes(page.evidence, page.words, placed=False)
    observed = observe_words(question, page.evidence, quotes)
    first = np.argsort(-(observed @ WORD_WEIGHTS), kind="stable")[:most]
    return [quotes[i] for i in first], observed[first]
