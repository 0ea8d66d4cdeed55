"""Keys and values in Redis, one hash per namespace."""

from __future__ import annotations

import json
from typing import Any

from knowledge.services.base import ClientService
from knowledge.services.key_value import KeyValueServiceBase, Value


class RedisKeyValueService(ClientService, KeyValueServiceBase):
    """Values as JSON.

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
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        self._client.hset(self._prefix + namespace, key, text)
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
