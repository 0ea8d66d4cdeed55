"""What every key-value backend can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

Value = dict[str, Any]


class KeyValueServiceBase(ABC):
    """Objects of JSON by key; the same key in two namespaces is two keys.

    What is returned belongs to the caller: changing it changes nothing that is kept.
    """

    @abstractmethod
    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a value in place of the key's old one; return whether it changed anything."""

    @abstractmethod
    def get(self, key: str, namespace: str = "") -> Value | None:
        """Return the value of a key."""

    @abstractmethod
    def delete(self, key: str, namespace: str = "") -> bool:
        """Forget a key; return whether there was one."""

    @abstractmethod
    def items(self, namespace: str = "") -> list[tuple[str, Value]]:
        """Return the keys of a namespace with their values, by key."""

    @abstractmethod
    def namespaces(self) -> list[str]:
        """Return the namespaces that have a key, sorted."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Keep all of what is done inside, or, if it raises, nothing."""

    def close(self) -> None:  # noqa: B027 - memory has nothing to let go of
        """Let go of files and connections; closing twice is fine."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
