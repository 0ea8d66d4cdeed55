"""Whether the stated chance comes true, and what refusing more or less would bring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

BINS = 10


def calibration_error(
    stated: Sequence[float], came_true: Sequence[bool], bins: int = BINS
) -> float | None:
    """Return the expected calibration error over bins of equal mass (Nixon et al., 2019).

    stated: chances, 0 to 1. came_true: whether each of them did. Where many answers state the
    same chance, each counts as their share that came true: no order can sort them.

    Returns: 0 (chances come true as often as they say) to 1; None without any.
    """
    if not stated:
        return None
    chances, same = np.unique(np.asarray(stated, float), return_inverse=True)
    counts = np.bincount(same)
    shares = np.bincount(same, np.asarray(came_true, float)) / counts
    error = 0.0
    for bin_chances, bin_shares in zip(
        np.array_split(np.repeat(chances, counts), bins),
        np.array_split(np.repeat(shares, counts), bins),
        strict=True,
    ):
        error += abs(float(bin_chances.sum() - bin_shares.sum()))
    return error / len(stated)


@dataclass(frozen=True, slots=True)
class RefusalPoint:
    """Refusing whatever is less sure than `threshold` refuses these shares."""

    threshold: float
    answerable: float
    unanswerable: float


def refusal_curve(answerable: Sequence[float], unanswerable: Sequence[float]) -> list[RefusalPoint]:
    """Return what is refused at each threshold, from refusing nothing to refusing all.

    answerable, unanswerable: how sure the answer to each such question was, see `sureness`.
    Questions that are equally sure are refused together.
    """
    if not answerable or not unanswerable:
        return []
    should, should_not = np.sort(np.asarray(answerable)), np.sort(np.asarray(unanswerable))
    thresholds = [*np.unique(np.concatenate([should, should_not])).tolist(), np.inf]
    return [
        RefusalPoint(
            float(threshold),
            float(np.searchsorted(should, threshold) / len(should)),
            float(np.searchsorted(should_not, threshold) / len(should_not)),
        )
        for threshold in thresholds
    ]


def refused_at(curve: Sequence[RefusalPoint], most_answerable: float) -> float | None:
    """Return the largest share of the unanswerable that can be refused at that price.

    most_answerable: share of the answerable that may be refused with them. None without a curve.
    """
    return max(
        (point.unanswerable for point in curve if point.answerable <= most_answerable),
        default=None,
    )


def sureness(*, answered: bool, confidence: float) -> float:
    """Return how sure an answer is, above 0, or how near to one a refusal was, below 0.

    What was refused is less sure than every answer, whatever it says of itself.
    """
    return confidence if answered else confidence - 1.0 - 1e-9
