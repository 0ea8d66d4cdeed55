"""Vectors as bits: the signs of their coordinates after a fixed random rotation.

The rotation spreads what a few strong coordinates carry over all bits; with it two to three
times fewer candidates are needed. Pages keep one bit a coordinate; a question keeps two, its
sign and whether the coordinate is a strong one, because that costs nothing to store.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD_BITS = 64
_SEED = 24_061_707


@dataclass(frozen=True, slots=True, eq=False)
class QuestionCodes:
    """A question's vectors as bits.

    signs, strong: uint64, shape (n_tokens, n_words). strong_counts: bits set in `strong`,
    int, (n_tokens,). weights: mean size of each vector's coordinates, float32, (n_tokens,).
    """

    signs: NDArray[np.uint64]
    strong: NDArray[np.uint64]
    strong_counts: NDArray[np.int64]
    weights: NDArray[np.float32]

    def only(self, tokens: NDArray[np.intp]) -> QuestionCodes:
        """Return the codes of some of the vectors."""
        return QuestionCodes(
            self.signs[tokens],
            self.strong[tokens],
            self.strong_counts[tokens],
            self.weights[tokens],
        )


def words_of(dimension: int) -> int:
    """Return how many 64-bit words the code of a vector has."""
    return -(-dimension // WORD_BITS)


def page_codes(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return the codes of a page's vectors, uint64, shape (n_vectors, n_words)."""
    return _packed(vectors @ rotation(vectors.shape[1]) > 0)


def question_codes(vectors: NDArray[np.float32]) -> QuestionCodes:
    """Return the codes of a question's vectors."""
    turned = vectors @ rotation(vectors.shape[1])
    sizes = np.abs(turned)
    weights = sizes.mean(axis=1)
    strong = sizes > weights[:, None]
    return QuestionCodes(
        _packed(turned > 0),
        _packed(strong),
        strong.sum(axis=1),
        weights.astype(np.float32),
    )


def rotation(dimension: int) -> NDArray[np.float32]:
    """Return the rotation, shape (dimension, bits), rows orthonormal."""
    return turning(words_of(dimension) * WORD_BITS)[:dimension]


@lru_cache(maxsize=4)
def turning(size: int) -> NDArray[np.float32]:
    """Return a random rotation, shape (size, size).

    Stored codes and vectors depend on it, so it is the same on every machine and in every
    version: numpy keeps the stream of `RandomState` as it is.
    """
    orthogonal, upper = np.linalg.qr(np.random.RandomState(_SEED).standard_normal((size, size)))
    orthogonal *= np.sign(np.diag(upper))  # which of the two LAPACK finds is its own affair
    return np.ascontiguousarray(orthogonal, np.float32)


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.ascontiguousarray(np.packbits(bits, axis=1)).view(np.uint64)
