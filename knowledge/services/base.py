"""What every service has, by where it keeps things: memory or one JSON file, SQLite, a client."""

from __future__ import annotations

import json
import os
import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import apsw
import sqlite_vec

from knowledge.errors import KnowledgeStoreError, KnowledgeTooNew

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from knowledge.ports import ConnectionFactory


APPLICATION_ID = 0x47574B4E
"""Marks a database as a knowledge file ("GWKN")."""

# `terms` are words already stemmed and marks of the document's namespace, filters and tags (see
# retrieval.py), so FTS5 takes them as they are. A document's id is the row id of its
# entries in `document_terms` and `document_codes`; the latter, a vec0 table, is made when the
# length of the vectors is known.
TABLES_1 = """
CREATE TABLE key_values(
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY(namespace, key)
) WITHOUT ROWID;

-- a small number for each namespace: what vec0 can filter by
CREATE TABLE scopes(id INTEGER PRIMARY KEY, namespace TEXT NOT NULL UNIQUE);
CREATE TABLE documents(
    id INTEGER PRIMARY KEY,
    document_id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes(id),
    content TEXT NOT NULL,
    search_text TEXT,
    terms TEXT NOT NULL,
    filters TEXT NOT NULL,
    tags TEXT NOT NULL,
    metadata TEXT NOT NULL
);
CREATE INDEX documents_by_scope ON documents(scope);
CREATE VIRTUAL TABLE document_terms USING fts5(
    terms, content='', contentless_delete=1, detail=none,
    tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
CREATE VIRTUAL TABLE document_frequencies USING fts5vocab('document_terms', 'row');

-- at most one row: whose vectors these are, and the rotation their sign bits were taken after
CREATE TABLE vector_model(
    model_id TEXT NOT NULL, dimension INTEGER NOT NULL, rotation BLOB NOT NULL
);
CREATE TABLE document_vectors(document INTEGER PRIMARY KEY, vector BLOB NOT NULL);

CREATE TABLE nodes(
    namespace TEXT NOT NULL, node_id TEXT NOT NULL, node_type TEXT NOT NULL,
    label TEXT NOT NULL, properties TEXT NOT NULL, PRIMARY KEY(namespace, node_id)
) WITHOUT ROWID;
CREATE TABLE edges(
    namespace TEXT NOT NULL, source_id TEXT NOT NULL, edge_type TEXT NOT NULL,
    target_id TEXT NOT NULL, piece_id TEXT NOT NULL, properties TEXT NOT NULL,
    PRIMARY KEY(namespace, source_id, edge_type, target_id, piece_id)
) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges(namespace, target_id);
"""

MIGRATIONS = (TABLES_1,)
"""Step n (from 1) takes a file of version n - 1 to version n. Only ever append."""


def all_rows(
    connection: apsw.Connection, query: str, values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Return every row of a query."""
    return connection.execute(query, values).fetchall()


def first_column(connection: apsw.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return the first column of every row of a query."""
    return [row[0] for row in connection.execute(query, values)]


_PAGE_BYTES = 16384  # vec0 scans are faster with large pages; only a new file takes it on
_BUSY_MILLISECONDS = 5000


def open_connection(path: Path) -> apsw.Connection:
    """Open or create a file, durable, with sqlite-vec loaded.

    Raises: apsw.Error.
    """
    connection = apsw.Connection(str(path))
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        connection.pragma("page_size", _PAGE_BYTES)
        connection.pragma("trusted_schema", False)
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "FULL")
    except BaseException:
        connection.close(True)
        raise
    return connection


class KnowledgeDatabase:
    """Connections to one knowledge file, for any thread.

    connect: opens one more connection to the same file; with write-ahead logging a reader
    never waits for the writer.

    Raises: KnowledgeTooNew, KnowledgeStoreError for a database of another program.
    """

    def __init__(self, connect: ConnectionFactory) -> None:
        self._connect = connect
        self._write_lock = threading.RLock()
        self._pool_lock = threading.Lock()
        self._idle: list[apsw.Connection] = []
        self._writer_thread: int | None = None
        self._closed = False
        self._writer = self._opened()
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Yield the writer in a transaction; one inside another belongs to the outer one.

        Raises: KnowledgeStoreError, when the file cannot be written; nothing is kept then.
        """
        with self._write_lock:
            if self._writer_thread is not None:
                yield self._writer
                return
            self._check_open()
            self._writer_thread = threading.get_ident()
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
            except apsw.Error as error:
                raise KnowledgeStoreError(f"knowledge cannot be written: {error}") from error
            finally:
                self._writer_thread = None

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Yield a connection that sees what was kept, or what this thread is writing."""
        if self._writer_thread == threading.get_ident():
            yield self._writer
            return
        with self._pool_lock:
            self._check_open()
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._opened()
        try:
            yield connection
        except apsw.Error as error:
            raise KnowledgeStoreError(f"the knowledge file cannot be read: {error}") from error
        finally:
            with self._pool_lock:
                if self._closed:
                    connection.close(True)
                else:
                    self._idle.append(connection)

    def close(self) -> None:
        """Close every connection that is not in use; one in use closes when it is given back."""
        with self._write_lock, self._pool_lock:
            if not self._closed:
                self._closed = True
                for connection in [*self._idle, self._writer]:
                    connection.close(True)
                self._idle.clear()

    def _opened(self) -> apsw.Connection:
        try:
            return self._connect()
        except apsw.Error as error:
            raise KnowledgeStoreError(f"the knowledge file cannot be opened: {error}") from error

    def _check_open(self) -> None:
        if self._closed:
            raise KnowledgeStoreError("the knowledge file is closed.")

    def _migrate(self) -> None:
        with self.reading() as connection:
            if self._version(connection) == len(MIGRATIONS):
                return
        with self.writing() as connection:
            version = self._version(connection)
            for number, step in enumerate(MIGRATIONS[version:], version + 1):
                connection.execute(step)
                connection.pragma("user_version", number)
            connection.pragma("application_id", APPLICATION_ID)

    def _version(self, connection: apsw.Connection) -> int:
        application = connection.pragma("application_id")
        version = int(connection.pragma("user_version"))
        if application == APPLICATION_ID:
            if version > len(MIGRATIONS):
                raise KnowledgeTooNew(
                    f"The knowledge file has version {version}, this program knows "
                    f"{len(MIGRATIONS)}. "
                    "Update the program to open it."
                )
            return version
        if application or version or connection.execute("SELECT count(*) FROM sqlite_master").get:
            raise KnowledgeStoreError("This is a database of another program.")
        return 0


class Service(ABC):
    """Keeps something, all of a transaction or nothing."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Keep all of what is done inside, or, if it raises, nothing."""

    def close(self) -> None:  # noqa: B027 - memory has nothing to let go of
        """Let go of files and connections; closing twice is fine."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


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
            raise KnowledgeStoreError(f"{self._path.name}: two services want section {name}.")
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
            raise KnowledgeStoreError(f"{self._path} cannot be written: {error}") from error

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise KnowledgeStoreError(f"{self._path} cannot be read: {error}") from error
        if not isinstance(values, dict):
            raise KnowledgeStoreError(f"{self._path} holds no knowledge.")
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
        """Return what a single change is made in."""
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
