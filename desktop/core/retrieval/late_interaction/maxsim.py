"""Exact MaxSim: the score that every faster stage is an approximation of.

A page's score is the sum over the question's vectors of the greatest dot product with any of
the page's own vectors (late interaction, ColBERT arXiv:2004.12832, ColPali arXiv:2407.01449).
Padding is never compared: where all dot products are negative, zeros would win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.retrieval.late_interaction.page_rows import StoredPage
    from desktop.models.roles import QuantizedPage

_NEAR_STEPS = 2


def maxsim(question: NDArray[np.float32], page: NDArray[np.float32]) -> float:
    """Score one page.

    Args:
        question: shape (n_tokens, dimension).
        page: shape (n_vectors, dimension), without padding; at least one.
    """
    return float((question @ page.T).max(axis=1).sum())


def maxsim_scores(
    question: NDArray[np.float32],
    pages: NDArray[np.float32],
    lengths: Sequence[int] | NDArray[np.integer],
) -> NDArray[np.float32]:
    """Score pages that are padded to the same length; the reference for tests and benchmarks.

    Args:
        question: shape (n_tokens, dimension).
        pages: shape (n_pages, longest, dimension).
        lengths: vectors of each page that are its own, the first ones; 0 scores -inf.

    Returns: float32, shape (n_pages,).
    """
    mine = np.arange(pages.shape[1]) < np.asarray(lengths)[:, None]
    products = np.where(mine[:, :, None], pages @ question.T, -np.inf)
    best = products.max(axis=1, initial=-np.inf)
    return np.asarray(best.sum(axis=1), np.float32)


def refined_score(question: NDArray[np.float32], page: StoredPage) -> float:
    """Score a page by its vectors as exactly as they are stored.

    Only those near the best of their token are read so: rounding moves a product by a third of
    a step.
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
