"""Key-value services: objects of JSON in memory, a JSON file, SQLite or Redis."""

from __future__ import annotations

import copy
import json
from abc import abstractmethod
from typing import Any

from knowledge.services.base import (
    ClientService,
    JsonFile,
    MemoryService,
    Service,
    SQLiteService,
    json_text,
)

Value = dict[str, Any]


class KeyValueServiceBase(Service):
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


class MemoryKeyValueService(MemoryService, KeyValueServiceBase):
    """Keeps values as long as the process lives."""

    def __init__(self, file: JsonFile | None = None) -> None:
        self._spaces: dict[str, dict[str, Value]] = {}
        super().__init__("key_value", file)

    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a copy of a value."""
        with self._changing():
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
        with self._changing():
            return self._spaces.get(namespace, {}).pop(key, None) is not None

    def items(self, namespace: str = "") -> list[tuple[str, Value]]:
        """Return copies, by key."""
        with self._lock:
            return sorted(copy.deepcopy(self._spaces.get(namespace, {})).items())

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a key."""
        with self._lock:
            return sorted(name for name, space in self._spaces.items() if space)

    def dump(self) -> Any:
        """Return everything; values are never changed in place, so they are shared."""
        return {name: dict(space) for name, space in self._spaces.items() if space}

    def load(self, values: Any) -> None:
        """Hold these values instead."""
        self._spaces = {name: dict(space) for name, space in (values or {}).items()}


class FileKeyValueService(MemoryKeyValueService):
    """Holds everything in memory and writes the file after every change."""

    def __init__(self, file: JsonFile) -> None:
        super().__init__(file)


class SQLiteKeyValueService(SQLiteService, KeyValueServiceBase):
    """Values as JSON in a table of a knowledge database."""

    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a value."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO key_values(namespace, key, value) VALUES (?1, ?2, ?3) "
                "ON CONFLICT DO UPDATE SET value = ?3 WHERE value <> ?3",
                (namespace, key, json_text(value)),
            )
            return connection.changes() > 0

    def get(self, key: str, namespace: str = "") -> Value | None:
        """Return a value."""
        query = "SELECT value FROM key_values WHERE namespace = ? AND key = ?"
        found = self._rows(query, namespace, key)
        return json.loads(found[0][0]) if found else None

    def delete(self, key: str, namespace: str = "") -> bool:
        """Forget a key."""
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM key_values WHERE namespace = ? AND key = ?", (namespace, key)
            )
            return connection.changes() > 0

    def items(self, namespace: str = "") -> list[tuple[str, Value]]:
        """Return keys and values, by key."""
        query = "SELECT key, value FROM key_values WHERE namespace = ? ORDER BY key"
        return [(key, json.loads(text)) for key, text in self._rows(query, namespace)]

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a key."""
        query = "SELECT DISTINCT namespace FROM key_values ORDER BY namespace"
        return [namespace for (namespace,) in self._rows(query)]


class RedisKeyValueService(ClientService, KeyValueServiceBase):
    """Values as JSON in Redis, one hash per namespace.

    client: a `redis.Redis`, which the service closes. prefix: of every key it uses there.
    """

    def __init__(self, client: Any, prefix: str = "groundwork:knowledge:") -> None:
        self._client = client
        self._prefix = prefix
        super().__init__()

    def put(self, key: str, value: Value, namespace: str = "") -> bool:
        """Keep a value."""
        old = self.get(key, namespace)
        if old == value:
            return False
        self._client.hset(self._prefix + namespace, key, json_text(value))
        if old is None:
            self._changed(lambda: self.delete(key, namespace))
        else:
            self._changed(lambda: self.put(key, old, namespace))
        return True

    def get(self, key: str, namespace: str = "") -> Value | None:
        """Return a value."""
        text = self._client.hget(self._prefix + namespace, key)
        return None if text is None else json.loads(text)

    def delete(self, key: str, namespace: str = "") -> bool:
        """Forget a key."""
        old = self.get(key, namespace)
        if old is None:
            return False
        self._client.hdel(self._prefix + namespace, key)
        self._changed(lambda: self.put(key, old, namespace))
        return True

    def items(self, namespace: str = "") -> list[tuple[str, Value]]:
        """Return keys and values, by key."""
        found = self._client.hgetall(self._prefix + namespace).items()
        return sorted((_text(key), json.loads(text)) for key, text in found)

    def namespaces(self) -> list[str]:
        """Return the namespaces that have a key; Redis forgets a hash with its last field."""
        pattern = self._prefix.translate({ord(c): f"\\{c}" for c in "*?[]^\\"}) + "*"
        names = self._client.scan_iter(match=pattern)
        return sorted({_text(name).removeprefix(self._prefix) for name in names})

    def close(self) -> None:
        """Close the client."""
        self._client.close()


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name
