"""Named observations with a linear model over them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from operator import attrgetter


@dataclass(slots=True)
class Observations:
    """Base of observations: every field is a number, a model is an instance of weights."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the observations, in the order of `values`."""
        return _names(cls)  # type: ignore[arg-type]

    def values(self) -> tuple[float, ...]:
        """Return the observations in the order of `names`."""
        found: tuple[float, ...] = attrgetter(*self.names())(self)
        return found

    def weighted(self, weights: Observations) -> float:
        """Return the sum of each observation times its weight."""
        return sum(a * b for a, b in zip(self.values(), weights.values(), strict=True))


@lru_cache
def _names(cls: type[Observations]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))
