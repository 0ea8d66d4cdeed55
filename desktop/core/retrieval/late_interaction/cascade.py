"""Page search in stages: rough codes of all pages, finer ones of some, all vectors of a few.

What leaves the last stage is in the exact order of the stored vectors; the stages before it
only decide which pages it sees. A library or a choice of manuals with few pages goes straight
to the last stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.late_interaction.candidate_counts import UNMEASURED, load_counts
from desktop.core.retrieval.late_interaction.maxsim import NumpyScorer, refined_score
from desktop.core.retrieval.late_interaction.page_index import PageIndex
from desktop.core.retrieval.late_interaction.page_rows import read_pages
from desktop.core.retrieval.late_interaction.sign_codes import question_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from desktop.core.retrieval.late_interaction.candidate_counts import CandidateCounts
    from desktop.core.retrieval.late_interaction.page_rows import StoredPage
    from desktop.core.store.database import Database
    from desktop.models.roles import LateInteractionScorer

EXACT_PAGES = 150
"""Up to so many pages the exact stage alone is as fast as all stages."""

_PAGES_PER_READ = 256

_PURSUERS = 5
"""Pages behind the wanted ones that are compared to the last bit as well, where they are close."""

_CLOSE = 0.0007
"""Difference of two scores, per vector of the question, that rounding to eight bits may turn
round: four times what it changes."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page and its MaxSim score."""

    page_id: int
    score: float


class PageSearch:
    """Searches the page vectors of one library; may be used from any thread."""

    def __init__(
        self,
        database: Database,
        scorer: LateInteractionScorer,
        *,
        exact_pages: int = EXACT_PAGES,
    ) -> None:
        """Read nothing yet. exact_pages: up to so many pages are compared exactly, all of them."""
        self._database = database
        self._scorer = scorer
        self._exact_pages = exact_pages
        self.index = PageIndex(database)

    def search(
        self,
        question: NDArray[np.float32],
        model_id: str,
        documents: Collection[int],
        limit: int,
        counts: CandidateCounts | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> list[PageScore]:
        """Return the `limit` best pages, best first; none if the vectors are another model's.

        Args:
            question: float32, shape (n_tokens, dimension), rows of unit length.
            model_id: whose vectors these are.
            documents: only pages of these; all if none is named.
            limit: pages to return.
            counts: instead of those that the library was measured to need.
            check: called between portions of pages; what it raises ends the search.
        """
        if self.index.refresh() != (model_id, question.shape[1]):
            return []
        pages = self.index.pages(documents)
        if len(pages) > self._exact_pages:
            first, second = (counts or self._counts(model_id)).of(len(pages), limit)
            codes = question_codes(question)
            pages = self.index.candidates(codes, documents, first, second)
        return self.exact(question, pages, limit, check)

    def exact(
        self,
        question: NDArray[np.float32],
        page_ids: NDArray[np.int64],
        limit: int,
        check: Callable[[], None] = lambda: None,
    ) -> list[PageScore]:
        """Return the `limit` best of these pages by all their vectors, best first."""
        leading: list[tuple[float, StoredPage]] = []
        ids = np.sort(page_ids).tolist()
        for first in range(0, len(ids), _PAGES_PER_READ):
            check()
            portion = ids[first : first + _PAGES_PER_READ]
            pages = self._database.read(partial(read_pages, page_ids=portion))
            scores = score_pages(self._scorer, question, pages).tolist()
            leading += zip(scores, pages, strict=True)
            leading.sort(key=lambda each: (-each[0], each[1].page_id))
            del leading[limit + _PURSUERS :]
        found = [
            PageScore(page.page_id, refined(question, page) if close else score)
            for (score, page), close in zip(leading, _close(leading, len(question)), strict=True)
        ]
        found.sort(key=lambda each: (-each.score, each.page_id))
        return found[:limit]

    def _counts(self, model_id: str) -> CandidateCounts:
        counts = self._database.read(load_counts)
        return counts if counts.model_id == model_id else UNMEASURED


def _close(leading: Sequence[tuple[float, StoredPage]], vectors: int) -> NDArray[np.bool_]:
    """Return which pages are so close to the one before or behind that more bits decide.

    leading: best first.
    """
    steps = np.diff([score for score, _ in leading], prepend=np.inf, append=-np.inf)
    near = np.abs(steps) < _CLOSE * vectors
    finer = np.array([page.remainders is not None for _, page in leading], bool)
    return np.asarray((near[:-1] | near[1:]) & finer, np.bool_)


def refined(question: NDArray[np.float32], page: StoredPage) -> float:
    """Return a page's score by its vectors as exactly as they are stored."""
    return refined_score(page.asked(question), page)


def score_pages(
    scorer: LateInteractionScorer, question: NDArray[np.float32], pages: Sequence[StoredPage]
) -> NDArray[np.float32]:
    """Return the exact score of each page, float32, in their order."""
    found = np.zeros(len(pages), np.float32)
    turned = np.array([page.turned for page in pages], bool)
    for kind in (turned, ~turned):  # a library that is older than schema 8 has both
        places = np.flatnonzero(kind).tolist()
        if places:
            asked = pages[places[0]].asked(question)
            found[places] = _alike(scorer, asked, [pages[place] for place in places])
    return found


def _alike(
    scorer: LateInteractionScorer, question: NDArray[np.float32], pages: Sequence[StoredPage]
) -> NDArray[np.float32]:
    quantized = [(page.vectors, page.scales) for page in pages]
    try:
        return scorer.scores(question, quantized)
    except MemoryError:  # of the GPU
        return NumpyScorer().scores(question, quantized)
