"""How far a figure may be off: bootstrap intervals that draw whole manuals, not questions.

Questions about one manual go well or badly together. Drawn one by one they would make figures
look surer than they are about the next manual (B. Efron, R. Tibshirani, "An Introduction to the
Bootstrap", 1993: the units that were sampled are the ones to resample).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
