"""Keys and values in SQLite."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from knowledge.services.key_value.base import KeyValueServiceBase, Value
from knowledge.services.sqlite.rows import all_rows, first_column

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.services.sqlite import KnowledgeDatabase


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
