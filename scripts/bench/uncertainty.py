"""How sure figures are: intervals of a share, and the calibration of stated chances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


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


def calibration_error_of_perfect(stated: Sequence[float], bins: int = BINS) -> float | None:
    """Return what `calibration_error` is expected to be if chances come true as often as they say.

    So much of it is chance: of 300 answers some 0.06. In a bin the count of what came true is about
    normal, with the variance of its chances.
    """
    if not stated:
        return None
    parts = np.array_split(np.sort(np.asarray(stated, float)), bins)
    away = [math.sqrt(2 / math.pi * float((part * (1 - part)).sum())) for part in parts]
    return sum(away) / len(stated)


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


T = TypeVar("T")

RESAMPLES = 1_000
_SEED = 19
_LOW, _HIGH = 2.5, 97.5


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over `n` values; low, high: its 95 % interval, None with fewer than two manuals."""

    value: float
    n: int
    low: float | None = None
    high: float | None = None


def mean_figure(by_manual: Mapping[str, Sequence[float]], seed: int = _SEED) -> Figure | None:
    """Return the mean of all values; None if there are none.

    by_manual: the values of the questions about each manual.
    """
    filled = [values for values in by_manual.values() if values]
    if not filled:
        return None
    sums = np.array([sum(values) for values in filled], float)
    counts = np.array([len(values) for values in filled], float)
    low = high = None
    if len(filled) > 1:
        drawn = _draws(len(filled), seed)
        means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = (float(edge) for edge in np.percentile(means, (_LOW, _HIGH)))
    return Figure(float(sums.sum() / counts.sum()), int(counts.sum()), low, high)


def figure(
    by_manual: Mapping[str, Sequence[T]],
    statistic: Callable[[Sequence[T]], float | None],
    seed: int = _SEED,
) -> Figure | None:
    """Return a statistic of all values; None if it has none.

    statistic: of the values of some manuals, drawn ones several times; None if they have none.
    """
    filled = [values for values in by_manual.values() if values]
    everything = [value for values in filled for value in values]
    whole = statistic(everything) if everything else None
    if whole is None:
        return None
    if len(filled) < 2:
        return Figure(whole, len(everything))
    found = [
        each
        for row in _draws(len(filled), seed)
        if (each := statistic([value for index in row for value in filled[index]])) is not None
    ]
    low, high = (float(edge) for edge in np.percentile(found, (_LOW, _HIGH)))
    return Figure(whole, len(everything), low, high)


def _draws(count: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return which of `count` manuals each resample holds, shape (RESAMPLES, count)."""
    return np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))
