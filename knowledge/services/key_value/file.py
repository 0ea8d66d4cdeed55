"""Keys and values in a JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge.services.key_value.memory import MemoryKeyValueService

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from knowledge.services.json_file import JsonFile
    from knowledge.services.key_value.base import Value


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
