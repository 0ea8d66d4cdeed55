"""Page search in stages: rough codes of all pages, finer ones of some, all vectors of a few.

A page's score is the sum over the question's vectors of the greatest dot product with any of the
page's own vectors (MaxSim, late interaction: ColBERT arXiv:2004.12832, ColPali arXiv:2407.01449).
What leaves the last stage is in the exact order of the stored vectors; the stages before it only
decide which pages it sees. How many that must be is measured on the library's own pages
(`calibrate`), with questions made of neighbouring vectors of a page, disturbed by those of others.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.late_interaction.code_table import PageIndex
from desktop.core.late_interaction.page_vectors import (
    question_codes,
    read_pages,
    rotated,
    stored_model,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.late_interaction.page_vectors import StoredPage
    from desktop.core.store.database import Database
    from desktop.models.roles import LateInteractionScorer, QuantizedPage


_KEY = "page_search"
_GROWTH = 1.5
"""Measured again when there are so many times more pages than at the last time."""

# For libraries that are not measured yet; generous, and of all pages.
_ROUGH_SHARE, _FINE_SHARE = 0.10, 0.02
_LEAST_ROUGH, _LEAST_FINE = 150, 64


@dataclass(frozen=True, slots=True)
class CandidateCounts:
    """What was measured: shares of all pages that keep the best ones with the wanted recall.

    pages: how many the library had. model_id: the model that made the vectors.
    """

    rough: float
    fine: float
    pages: int
    model_id: str

    def of(self, pages: int, wanted: int) -> tuple[int, int]:
        """Return how many of `pages` pass the first and the second stage for `wanted` results."""
        fine = max(math.ceil(self.fine * pages), _LEAST_FINE, 4 * wanted)
        return max(math.ceil(self.rough * pages), _LEAST_ROUGH, fine), fine

    def fits(self, pages: int, model_id: str) -> bool:
        """Whether it was measured with about so many pages of this model."""
        return self.model_id == model_id and self.pages * _GROWTH >= pages


UNMEASURED = CandidateCounts(_ROUGH_SHARE, _FINE_SHARE, 0, "")


def load_counts(connection: apsw.Connection) -> CandidateCounts:
    """Return the library's measured counts, generous ones if there are none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    stored = "" if row is None else str(row[0])
    try:
        return CandidateCounts(**json.loads(stored)) if stored else UNMEASURED
    except (ValueError, TypeError):  # of another version
        return UNMEASURED


def save_counts(database: Database, counts: CandidateCounts) -> None:
    """Keep measured counts in the library."""
    text = json.dumps(asdict(counts))
    database.write(
        lambda c: c.execute("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", (_KEY, text))
    )


_NEAR_STEPS = 2


def refined_score(question: NDArray[np.float32], page: StoredPage) -> float:
    """Score a page by its vectors as exactly as they are stored.

    Only vectors near the best of their token are read so exactly: rounding moves a
    product by a third of a step. question: see `rotated`.
    """
    products = question @ page.vectors.astype(np.float32).T
    products *= page.scales
    near = products >= products.max(axis=1, keepdims=True) - _NEAR_STEPS * page.scales.max()
    tokens, places = np.nonzero(near)
    finest = np.einsum("ij,ij->i", question[tokens], page.finest(places))
    of_token = np.searchsorted(tokens, np.arange(len(question)))
    return float(np.maximum.reduceat(finest, of_token).sum())


class NumpyScorer:
    """Satisfies `LateInteractionScorer` on the processor."""

    def scores(
        self, question: NDArray[np.float32], pages: Sequence[QuantizedPage]
    ) -> NDArray[np.float32]:
        """Score pages; see `LateInteractionScorer.scores`."""
        found = np.empty(len(pages), np.float32)
        for place, (vectors, scales) in enumerate(pages):
            # a page at a time: its 32-bit copy stays in the processor's cache
            products = question @ vectors.astype(np.float32).T
            products *= scales
            found[place] = products.max(axis=1).sum()
        return found


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
        """Read nothing yet. exact_pages: up to this many pages, all are compared exactly."""
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
            model_id: the model that made these vectors.
            documents: only pages of these; all if none is named.
            limit: pages to return.
            counts: used instead of the counts measured for the library.
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
        asked = rotated(question)
        ids = np.sort(page_ids).tolist()
        for first in range(0, len(ids), _PAGES_PER_READ):
            check()
            portion = ids[first : first + _PAGES_PER_READ]
            pages = self._database.read(partial(read_pages, page_ids=portion))
            scores = _scores_of(self._scorer, asked, pages).tolist()
            leading += zip(scores, pages, strict=True)
            leading.sort(key=lambda each: (-each[0], each[1].page_id))
            del leading[limit + _PURSUERS :]
        found = [
            PageScore(page.page_id, refined_score(asked, page) if close else score)
            for (score, page), close in zip(leading, _close(leading, len(question)), strict=True)
        ]
        found.sort(key=lambda each: (-each.score, each.page_id))
        return found[:limit]

    def _counts(self, model_id: str) -> CandidateCounts:
        counts = self._database.read(load_counts)
        return counts if counts.model_id == model_id else UNMEASURED


def _close(leading: Sequence[tuple[float, StoredPage]], vectors: int) -> NDArray[np.bool_]:
    """Return which pages are so close to the one before or after that more bits decide.

    leading: best first.
    """
    steps = np.diff([score for score, _ in leading], prepend=np.inf, append=-np.inf)
    near = np.abs(steps) < _CLOSE * vectors
    return np.asarray(near[:-1] | near[1:], np.bool_)


def _scores_of(
    scorer: LateInteractionScorer, question: NDArray[np.float32], pages: Sequence[StoredPage]
) -> NDArray[np.float32]:
    if not pages:
        return np.zeros(0, np.float32)
    quantized = [(page.vectors, page.scales) for page in pages]
    try:
        return scorer.scores(question, quantized)
    except MemoryError:  # of the GPU
        return NumpyScorer().scores(question, quantized)


_log = logging.getLogger(__name__)

RECALL = 0.99
BEST = 5
"""The pages that must not be lost."""

_SAMPLE, _TOKENS = 1_000, 24
_QUESTIONS = 128  # of fewer, a single odd one in a hundred decides how many candidates all get
_PAGES_PER_STEP = 25
_OWN, _FOREIGN, _NOISE = 0.7, 0.5, 0.45  # sizes of a token's parts, before it is scaled
_SPAN = 40  # vectors of a page that lie near one another


def is_unmeasured(connection: apsw.Connection) -> bool:
    """Whether there are many pages, and many more than when they were measured last."""
    pages = int(connection.execute("SELECT count(*) FROM page_codes").get)
    model = stored_model(connection)
    if model is None or pages <= EXACT_PAGES:
        return False
    return not load_counts(connection).fits(pages, model[0])


def measure_if_grown(database: Database, stop: Callable[[], bool]) -> None:
    """Measure and keep the counts, if those kept no longer suit this library.

    Seconds of work for a large library; the index is read anew for it. `stop` is asked
    between small steps; if it says so, nothing is kept.
    """
    if not database.read(is_unmeasured):
        return
    for counts in calibrate(database, PageIndex(database)):
        if stop():
            return
        if counts is not None:
            save_counts(database, counts)
            _log.info("page search: shares %.4f, %.4f of all pages", counts.rough, counts.fine)


def calibrate(database: Database, index: PageIndex) -> Iterator[CandidateCounts | None]:
    """Measure in small steps; yields None after each and the result last.

    A sample of 1,000 pages stands for larger libraries. The more pages compete, the
    more come in between, in proportion; but the best of many score higher, so only the
    very best of the sample stand for them, besides the page that a question was made
    from. Seconds of work; the same pages always give the same result.
    """
    model = index.refresh()
    pages = index.pages()
    if model is None or len(pages) <= BEST:
        return
    chance = np.random.default_rng(0)
    sample = np.sort(chance.permutation(pages)[:_SAMPLE])
    asked = chance.permutation(sample)[:_QUESTIONS]
    stored = database.read(lambda c: read_pages(c, asked.tolist()))
    questions = [_question(page, stored, chance) for page in stored]
    together = rotated(np.concatenate(questions))
    exact = np.empty((len(questions), len(sample)), np.float32)
    for first in range(0, len(sample), _PAGES_PER_STEP):
        ids = sample[first : first + _PAGES_PER_STEP].tolist()
        read = database.read(partial(read_pages, page_ids=ids))
        if len(read) < len(ids):
            return  # deleted meanwhile: the next time
        for place, page in enumerate(read, first):
            exact[:, place] = _scores(together, page)
        yield None
    others = max(1, round((BEST - 1) * len(sample) / len(pages)))
    ranks: list[NDArray[np.int64]] = []
    for row, (question, page) in enumerate(zip(questions, stored, strict=True)):
        best = sample[np.argsort(-exact[row])]
        best = best[best != page.page_id][:others]
        codes = question_codes(question)
        own = index.ranks(codes, sample, np.array([page.page_id]))
        # as many to one as among the best of all pages
        ranks += [own] * others + [index.ranks(codes, sample, best)] * (BEST - 1)
        yield None
    rough, fine = np.quantile(np.concatenate(ranks, axis=1), RECALL, axis=1, method="higher")
    shares = float(rough) / len(sample), float(fine) / len(sample)
    yield CandidateCounts(*shares, len(pages), model[0])


def _question(
    page: StoredPage, others: Sequence[StoredPage], chance: np.random.Generator
) -> NDArray[np.float32]:
    mine = page.originals()
    start = int(chance.integers(max(1, len(mine) - _SPAN)))
    own = mine[start + chance.integers(min(_SPAN, len(mine)), size=_TOKENS)]
    foreign = np.stack([_any_vector(others, chance) for _ in range(_TOKENS)])
    noise = chance.standard_normal(own.shape).astype(np.float32) / np.sqrt(own.shape[1])
    mixed = _OWN * own + _FOREIGN * foreign + _NOISE * noise
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), np.float32)


def _any_vector(pages: Sequence[StoredPage], chance: np.random.Generator) -> NDArray[np.float32]:
    page = pages[int(chance.integers(len(pages)))]
    place = int(chance.integers(len(page.scales)))
    return np.asarray(page.originals(slice(place, place + 1))[0])


def _scores(questions: NDArray[np.float32], page: StoredPage) -> NDArray[np.float32]:
    """Return a page's exact scores for questions of _TOKENS vectors each, one below the other.

    questions: see `rotated`.
    """
    products = questions @ page.vectors.astype(np.float32).T
    products *= page.scales
    return np.asarray(products.max(axis=1).reshape(-1, _TOKENS).sum(axis=1))
