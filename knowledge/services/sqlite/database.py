"""One knowledge file: one writer at a time, readers beside it, the schema brought up to date."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from knowledge.errors import KnowledgeStoreError, KnowledgeTooNew
from knowledge.services.sqlite.schema import APPLICATION_ID, MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.ports import ConnectionFactory


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
