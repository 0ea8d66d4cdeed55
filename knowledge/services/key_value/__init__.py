"""Values of JSON by key, in namespaces."""

from knowledge.services.key_value.base import KeyValueServiceBase
from knowledge.services.key_value.file import FileKeyValueService
from knowledge.services.key_value.memory import MemoryKeyValueService
from knowledge.services.key_value.sqlite import SQLiteKeyValueService

__all__ = [
    "FileKeyValueService",
    "KeyValueServiceBase",
    "MemoryKeyValueService",
    "SQLiteKeyValueService",
]
