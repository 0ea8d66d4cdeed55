"""Key-value services: objects of JSON in memory, a JSON file or SQLite."""

from __future__ import annotations

import copy
import json
import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from knowledge.services.sqlite import all_rows, first_column

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from knowledge.services.json_file import JsonFile
    from knowledge.services.sqlite import KnowledgeDatabase

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


class FileKeyValueService(MemoryKeyValueService):
    """Holds everything in memory and writes the file after every change."""

    def __init__(self, file: JsonFile) -> None:
        super().__init__()
        self._file = file
        file.attach("key_value", self)

    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a value and write the file."""
        with self._file.transaction():
            return super().put(key, value, namespace)

    def delete(self, key: str, namespace: str = "") -> bool:
        """Forget a key and write the file."""
        with self._file.transaction():
            return super().delete(key, namespace)

    def transaction(self) -> AbstractContextManager[None]:
        """Return the transaction of the file."""
        return self._file.transaction()


class SQLiteKeyValueService(KeyValueServiceBase):
    """Values as JSON in a table of a knowledge database."""

    def __init__(self, database: KnowledgeDatabase) -> None:
        self._database = database

    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a value."""
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO key_values(namespace, key, value) VALUES (?1, ?2, ?3) "
                "ON CONFLICT DO UPDATE SET value = ?3 WHERE value <> ?3",
                (namespace, key, text),
            )
            return connection.changes() > 0

    def get(self, key: str, namespace: str = "") -> Value | None:
        """Return a value."""
        with self._database.reading() as connection:
            found = first_column(
                connection,
                "SELECT value FROM key_values WHERE namespace = ? AND key = ?",
                (namespace, key),
            )
        return json.loads(found[0]) if found else None

    def delete(self, key: str, namespace: str = "") -> bool:
        """Forget a key."""
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM key_values WHERE namespace = ? AND key = ?", (namespace, key)
            )
            return connection.changes() > 0

    def items(self, namespace: str = "") -> list[tuple[str, Value]]:
        """Return keys and values, by key."""
        with self._database.reading() as connection:
            rows = all_rows(
                connection,
                "SELECT key, value FROM key_values WHERE namespace = ? ORDER BY key",
                (namespace,),
            )
        return [(key, json.loads(text)) for key, text in rows]

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a key."""
        with self._database.reading() as connection:
            return first_column(
                connection, "SELECT DISTINCT namespace FROM key_values ORDER BY namespace"
            )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all of what is done inside, or nothing; shared with the database's services."""
        with self._database.writing():
            yield

    def close(self) -> None:
        """Close the database."""
        self._database.close()
