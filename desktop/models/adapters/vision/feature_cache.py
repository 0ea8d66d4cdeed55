"""What was computed from pictures, kept for the next question about the same one.

The least recently used goes first when the bytes become too many.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable


class Sized(Protocol):
    """Something that knows how much memory it holds."""

    @property
    def nbytes(self) -> int:
        """Bytes."""


T = TypeVar("T", bound=Sized)


class FeatureCache(Generic[T]):
    """Values by key, limited in bytes; the limit may change from one `put` to the next."""

    def __init__(self) -> None:
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self.nbytes = 0

    def get(self, key: Hashable) -> T | None:
        """Return a value and count it as used, or None."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: Hashable, value: T, limit_bytes: int) -> None:
        """Keep a value, forgetting the least recently used until all fit into the limit.

        A value that alone is larger than the limit is not kept, and nothing is forgotten
        for it.
        """
        if value.nbytes > limit_bytes:
            return
        self._forget(key)
        self._values[key] = value
        self.nbytes += value.nbytes
        self.shrink(limit_bytes)

    def shrink(self, limit_bytes: int) -> None:
        """Forget the least recently used until the rest fits into the limit."""
        while self.nbytes > max(limit_bytes, 0):
            self._forget(next(iter(self._values)))

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
        self.nbytes = 0

    def _forget(self, key: Hashable) -> None:
        value = self._values.pop(key, None)
        if value is not None:
            self.nbytes -= value.nbytes
