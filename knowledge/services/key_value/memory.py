"""Keys and values in memory."""

from __future__ import annotations

import copy
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from knowledge.services.key_value.base import KeyValueServiceBase, Value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager


class MemoryKeyValueService(KeyValueServiceBase):
    """Keeps values as long as the process lives."""

    def __init__(self) -> None:
        self._spaces: dict[str, dict[str, Value]] = {}
        self._lock = threading.RLock()

    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a copy of a value."""
        with self._lock:
            space = self._spaces.setdefault(namespace, {})
            changed = space.get(key) != value
            if changed:
                space[key] = copy.deepcopy(value)
            return changed

    def get(self, key: str, namespace: str = "") -> Value | None:
        """Return a copy of a value."""
        with self._lock:
            return copy.deepcopy(self._spaces.get(namespace, {}).get(key))

    def delete(self, key: str, namespace: str = "") -> bool:
        """Forget a key."""
        with self._lock:
            return self._spaces.get(namespace, {}).pop(key, None) is not None

    def items(self, namespace: str = "") -> list[tuple[str, Value]]:
        """Return copies, by key."""
        with self._lock:
            return sorted(copy.deepcopy(self._spaces.get(namespace, {})).items())

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a key."""
        with self._lock:
            return sorted(name for name, space in self._spaces.items() if space)

    def transaction(self) -> AbstractContextManager[None]:
        """Undo what is done inside if it raises; other threads wait."""
        return self._undoing()

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        with self._lock:
            before = self.dump()
            try:
                yield
            except BaseException:
                self.load(before)
                raise

    def dump(self) -> Any:
        """Return everything; values are never changed in place, so they are shared."""
        return {name: dict(space) for name, space in self._spaces.items() if space}

    def load(self, values: Any) -> None:
        """Hold these values instead."""
        self._spaces = {name: dict(space) for name, space in (values or {}).items()}
