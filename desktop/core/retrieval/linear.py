"""Named observations with a linear model over them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter, mul
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable


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


@cache
def _reader(cls: type[Observations]) -> Callable[[Observations], tuple[float, ...]]:
    return attrgetter(*(field.name for field in fields(cls)))
