"""The knowledge database: one SQLite file that services share, its schema and how it is opened."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import apsw

from knowledge.errors import KnowledgeStoreError, KnowledgeTooNew

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
                raise KnowledgeStoreError(
                    "knowledge cannot be written: {error}", error=error
                ) from error
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
            raise KnowledgeStoreError(
                "the knowledge file cannot be read: {error}", error=error
            ) from error
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
            raise KnowledgeStoreError(
                "the knowledge file cannot be opened: {error}", error=error
            ) from error

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
                    "The knowledge file is version {version}; this program knows "
                    "{migrations}. Update the program to open it.",
                    version=version,
                    migrations=len(MIGRATIONS),
                )
            return version
        if application or version or connection.execute("SELECT count(*) FROM sqlite_master").get:
            raise KnowledgeStoreError("This is a database from another program.")
        return 0
