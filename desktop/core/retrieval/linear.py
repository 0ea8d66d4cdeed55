"""Named observations with a linear model over them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter, mul
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

SHARPNESS = 8.0
"""Scores of candidates are fitted as chances under a softmax of this sharpness."""


@dataclass(slots=True)
class Observations:
    """Base of observations: every field is a number, a model is an instance of weights."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the observations, in the order of `values`."""
        return tuple(field.name for field in fields(cls))

    def values(self) -> tuple[float, ...]:
        """Return the observations in the order of `names`."""
        # observations cannot be hashed, their class can
        return _reader(type(self))(self)  # type: ignore[arg-type]

    def weighted(self, weights: Self) -> float:
        """Return the sum of each observation times its weight."""
        return sum(map(mul, self.values(), weights.values()), 0.0)


def chances(scores: Sequence[float]) -> NDArray[np.float64]:
    """Return how likely each of some candidates is the right one; they sum up to 1."""
    likely: NDArray[np.float64] = np.exp(SHARPNESS * (np.array(scores) - max(scores)))
    likely /= likely.sum()
    return likely


@cache
def _reader(cls: type[Observations]) -> Callable[[Observations], tuple[float, ...]]:
    return attrgetter(*(field.name for field in fields(cls)))
