"""Measures how many candidates a library's own pages need for the wanted recall.

Questions are made of the pages themselves: some neighbouring vectors of a page, disturbed by
vectors of other pages, as a question shares some words with the page that answers it and some
with many others. Each stage's share of pages is the one at which the wanted part of all best
pages passes it.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.late_interaction.candidate_counts import (
    CandidateCounts,
    load_counts,
    save_counts,
)
from desktop.core.retrieval.late_interaction.cascade import EXACT_PAGES
from desktop.core.retrieval.late_interaction.page_index import PageIndex
from desktop.core.retrieval.late_interaction.page_rows import read_pages, stored_model
from desktop.core.retrieval.late_interaction.sign_codes import question_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.retrieval.late_interaction.page_rows import StoredPage
    from desktop.core.store.database import Database

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
    """Measure and keep the counts, if they are not those of this library any more.

    Seconds of work for a large library; the index is read anew for it. `stop` is asked between
    small steps; then nothing is kept.
    """
    if not database.read(is_unmeasured):
        return
    for counts in calibrate(database, PageIndex(database)):
        if stop():
            return
        if counts is not None:
            save_counts(database, counts)
            _log.info("page search: shares %.4f, %.4f of all pages", counts.rough, counts.fine)


def calibrate(
    database: Database,
    index: PageIndex,
    *,
    recall: float = RECALL,
    seed: int = 0,
) -> Iterator[CandidateCounts | None]:
    """Measure in small steps; yields None after each and the result last.

    A sample of 1,000 pages tells for larger libraries. The more pages compete, the more get
    between, in proportion; but the best of many score higher, so of the sample only the very
    best stand for them, beside the page that a question was made of. Seconds of work; the same
    pages always give the same result.
    """
    model = index.refresh()
    pages = index.pages()
    if model is None or len(pages) <= BEST:
        return
    chance = np.random.default_rng(seed)
    sample = np.sort(chance.permutation(pages)[:_SAMPLE])
    asked = chance.permutation(sample)[:_QUESTIONS]
    stored = database.read(lambda c: read_pages(c, asked.tolist()))
    questions = [_question(page, stored, chance) for page in stored]
    together = np.concatenate(questions)
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
    rough, fine = np.quantile(np.concatenate(ranks, axis=1), recall, axis=1, method="higher")
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
    """Return a page's exact scores for questions of _TOKENS vectors each, one below the other."""
    products = page.asked(questions) @ page.vectors.astype(np.float32).T
    products *= page.scales
    return np.asarray(products.max(axis=1).reshape(-1, _TOKENS).sum(axis=1))
