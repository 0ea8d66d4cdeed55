"""What every service has, by where it keeps things: memory or one JSON file, SQLite, a client."""

from __future__ import annotations

import json
import os
import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from knowledge.errors import KnowledgeStoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from knowledge.services.sqlite import KnowledgeDatabase


def json_text(value: Any) -> str:
    """Return a value as JSON, always the same for equal ones; a mapping is an object."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=dict)


class Service(ABC):
    """Keeps data, all of a transaction or none of it."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Keep all of what is done inside, or, if it raises, nothing."""

    def close(self) -> None:  # noqa: B027 - memory has nothing to let go of
        """Let go of files and connections; closing twice is fine."""


class ServiceAdapter(Service):
    """A layer of knowledge in a service that keeps it."""

    def __init__(self, service: Service) -> None:
        self._kept_in = service

    def transaction(self) -> AbstractContextManager[None]:
        """Return the transaction of the service."""
        return self._kept_in.transaction()

    def close(self) -> None:
        """Close the service."""
        self._kept_in.close()


class JsonFile:
    """A file of named sections. A reader sees the old file or the new one, never a part.

    It belongs to one process at a time; services of one file share its transactions.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sections: dict[str, MemoryService] = {}
        self.lock = threading.RLock()
        self._depth = 0
        self._values = self._read()

    def attach(self, name: str, section: MemoryService) -> None:
        """Let a service keep a section, and give it what the file holds of it."""
        if name in self._sections:
            raise KnowledgeStoreError(
                "{name}: two services want section {name2}.", name=self._path.name, name2=name
            )
        section.load(self._values.get(name))
        self._sections[name] = section

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write the file once all of what is done inside succeeded; undo it if it raised."""
        with self.lock:
            before = self._dump() if self._depth == 0 else None
            self._depth += 1
            try:
                yield
                if before is not None:
                    self._write(before)
            except BaseException:
                if before is not None:
                    for name, section in self._sections.items():
                        section.load(before[name])
                raise
            finally:
                self._depth -= 1

    def _dump(self) -> dict[str, Any]:
        return {name: section.dump() for name, section in self._sections.items()}

    def _write(self, before: dict[str, Any]) -> None:
        values = self._dump()
        if values == before:
            return
        text = json.dumps(self._values | values, ensure_ascii=False, sort_keys=True)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(f".{self._path.name}.partial")
        try:
            with partial.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, self._path)
        except OSError as error:
            raise KnowledgeStoreError(
                "{path} cannot be written to: {error}", path=self._path, error=error
            ) from error

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise KnowledgeStoreError(
                "{path} cannot be read: {error}", path=self._path, error=error
            ) from error
        if not isinstance(values, dict):
            raise KnowledgeStoreError("{path} contains no knowledge.", path=self._path)
        return values


class MemoryService(Service):
    """Holds everything in memory; with a file, in a section of it, written after every change."""

    def __init__(self, section: str, file: JsonFile | None = None) -> None:
        self._file = file
        self._lock = file.lock if file else threading.RLock()
        if file:
            file.attach(section, self)

    @abstractmethod
    def dump(self) -> Any:
        """Return everything the service holds, as values of JSON."""

    @abstractmethod
    def load(self, values: Any) -> None:
        """Hold these values instead of what the service holds; None for none."""

    def transaction(self) -> AbstractContextManager[None]:
        """Undo what is done inside if it raises; other threads wait."""
        return self._file.transaction() if self._file else self._undoing()

    def _changing(self) -> AbstractContextManager[object]:
        """Return the context for a single change."""
        return self._file.transaction() if self._file else self._lock

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        with self._lock:
            before = self._state()
            try:
                yield
            except BaseException:
                self._put_back(before)
                raise

    def _state(self) -> Any:
        return self.dump()

    def _put_back(self, state: Any) -> None:
        self.load(state)


class SQLiteService(Service):
    """Keeps things in tables of a knowledge database."""

    def __init__(self, database: KnowledgeDatabase) -> None:
        self._database = database

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all of what is done inside, or nothing; shared with the database's services."""
        with self._database.writing():
            yield

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        with self._database.reading() as connection:
            return connection.execute(query, values).fetchall()


class ClientService(Service):
    """Keeps things in a database without transactions that span calls.

    It remembers how to undo each change as long as a transaction runs; one thread at a time.
    """

    def __init__(self) -> None:
        self._undo_lock = threading.RLock()
        self._undo: list[Callable[[], object]] | None = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Undo what was changed inside if it raises, the last change first."""
        with self._undo_lock:
            if self._undo is not None:
                yield  # part of the outer one
                return
            self._undo = []
            try:
                yield
            except BaseException:
                changes, self._undo = self._undo, None
                for undo in reversed(changes):
                    undo()
                raise
            finally:
                self._undo = None

    def _changed(self, undo: Callable[[], object]) -> None:
        """Remember how to undo a change that was just made."""
        with self._undo_lock:
            if self._undo is not None:
                self._undo.append(undo)
