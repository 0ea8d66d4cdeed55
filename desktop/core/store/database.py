"""The library file: opening it, its readers, and its one writer."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from desktop.core.errors import LibraryBusy, LibraryDamaged, LibraryNotWritable, NotALibrary
from desktop.core.paths import LibraryFolder
from desktop.core.store.backups import make_backup
from desktop.core.store.check import find_problems
from desktop.core.store.connection import (
    closed_if_it_fails,
    connect_reader,
    connect_writer,
    ending,
    named_errors,
)
from desktop.core.store.schema import SCHEMA, check_identity, migrate
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from filelock import FileLock

    from desktop.core.store.backups import Backup, Reason

ALWAYS_BELOW = 64 << 20
"""Bytes: a smaller library is checked at every opening, which takes a third of a second.
A larger one when it was not closed well, or when damage was seen in it."""


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Tell a library whose header is damaged from a file that never was a library."""
    try:
        yield
    except NotALibrary as error:
        if isinstance(error.__cause__, apsw.NotADBError) and _was_a_library(path):
            raise LibraryDamaged(said("the header of {path} is damaged", path=path)) from error
        raise
    except apsw.SQLError as error:
        if "unsupported file format" not in str(error):
            raise
        raise LibraryDamaged(said("the header of {path} is damaged", path=path)) from error


def check_at_opening(path: Path) -> None:
    """Look for damage in a library file that its writer has just opened.

    Leaves a mark in the folder, which an orderly close removes.

    Raises: LibraryDamaged.
    """
    mark = LibraryFolder(path.parent).check_wanted
    unclean = mark.exists()
    mark.touch()
    if not unclean and path.stat().st_size > ALWAYS_BELOW:
        return
    with ending(connect_reader(path)) as connection:
        problems = find_problems(connection)
    if problems:
        more = said(" (and {n} more)", n=len(problems) - 1) if len(problems) > 1 else ""
        lines = [line for line in problems[0].splitlines() if not line.startswith("***")]
        raise LibraryDamaged(
            said("{path} is damaged: {lines}{more}", path=path, lines="".join(lines[:1]), more=more)
        )


def _was_a_library(path: Path) -> bool:
    folder = LibraryFolder(path.parent)
    return folder.backups.is_dir() or any(folder.originals.glob("*.pdf"))


class Writer:
    """Runs functions one after the other, each in a transaction of its own.

    A function that raises changes nothing. A future that is done means: committed and
    synchronised to the disk.
    """

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._queue = ThreadPoolExecutor(1, thread_name_prefix="groundwork-writer")
        self._thread_id: int | None = None

    def submit(self, fn: Callable[[apsw.Connection], T]) -> Future[T]:
        """Queue `fn` and return at once.

        Raises (through the future): DiskFull, LibraryDamaged, and what `fn` raises.
        """
        return self._queue.submit(self._transact, fn)

    def write(self, fn: Callable[[apsw.Connection], T]) -> T:
        """Queue `fn` and wait until it is committed.

        Raises: as `submit`. RuntimeError, if called from inside another write, which
            would wait for itself for ever.
        """
        if threading.get_ident() == self._thread_id:
            raise RuntimeError("write() inside a write: use the connection that was passed")
        return self.submit(fn).result()

    def close(self) -> None:
        """Finish what is queued, then close the connection."""
        self._queue.shutdown(wait=True)
        self._connection.close()

    def _transact(self, fn: Callable[[apsw.Connection], T]) -> T:
        self._thread_id = threading.get_ident()
        with named_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                result = fn(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled the transaction back already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            return result


T = TypeVar("T")


class Database:
    """The store of one library; may be used from any thread."""

    def __init__(self, folder: Path, lock: FileLock | None, writer: Writer | None) -> None:
        self.folder = folder
        self._path = LibraryFolder(folder).database
        self._lock = lock
        self._writer = writer
        self._local = threading.local()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._readers_guard = threading.Lock()
        self._closed = False
        self._damaged = False

    @classmethod
    def open(cls, folder: Path, read_only: bool = False) -> Database:
        """Open the library in `folder`; unless `read_only`, create what is missing.

        What can be seen of damage within moments is seen here; a library that was not
        closed properly is checked completely.

        Raises: LibraryBusy, LibraryTooNew, LibraryDamaged, NotALibrary,
            LibraryNotWritable, DiskFull.
        """
        path = LibraryFolder(folder).database
        if read_only:
            return cls._open_to_read(folder, path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _not_writable(folder, error) from error
        lock = lock_library(folder)
        try:
            with damage_named(path):
                connection = connect_writer(path)
                with closed_if_it_fails(connection), named_errors(path):
                    migrate(connection, path)
                    check_at_opening(path)
        except BaseException:
            lock.release()
            raise
        return cls(folder, lock, Writer(connection, path))

    @classmethod
    def _open_to_read(cls, folder: Path, path: Path) -> Database:
        if not path.exists():
            raise NotALibrary(said("{folder} contains no library", folder=folder))
        with (
            damage_named(path),
            ending(connect_reader(path)) as connection,
            named_errors(path),
        ):
            version = check_identity(connection, path)
            if version == 0:
                raise LibraryDamaged(said("{path} is empty", path=path))
        if version < SCHEMA:  # an older program's, which nobody has open
            cls.open(folder).close()
        return cls(folder, None, None)

    @property
    def read_only(self) -> bool:
        """Whether `write` and `submit` are refused."""
        return self._writer is None

    def write(self, fn: Callable[[apsw.Connection], T]) -> T:
        """Run `fn` on the writer thread in a transaction and wait until it is committed.

        Raises: DiskFull, LibraryDamaged, LibraryNotWritable, and what `fn` raises; then
            nothing was changed.
        """
        with self._noticing():
            return self._writing().write(fn)

    def submit(self, fn: Callable[[apsw.Connection], T]) -> Future[T]:
        """Queue `fn` for the writer thread; the future is done once it is committed."""
        return self._writing().submit(fn)

    def read(self, fn: Callable[[apsw.Connection], T]) -> T:
        """Run `fn` in this thread on one consistent state of the library.

        `fn` must return rows, not a cursor: an open reader keeps the log from shrinking.

        Raises: LibraryDamaged, LibraryBusy, and what `fn` raises.
        """
        connection = self._reader()
        with self._noticing(), named_errors(self._path):
            if connection.in_transaction:  # a read inside a read sees the same state
                return fn(connection)
            connection.execute("BEGIN")
            try:
                result = fn(connection)
            finally:
                connection.execute("ROLLBACK")
        if isinstance(result, Iterator):
            raise TypeError("materialise the rows before returning them from a read")
        return result

    def rows(self, query: str, values: Sequence[apsw.SQLiteValue] = ()) -> list[Any]:
        """Return the rows of a query. Raises: as `read`."""
        return self.read(lambda c: c.execute(query, values).fetchall())

    def keep_backup(self, reason: Reason) -> Backup:
        """Add a copy of the library's databases to its backups while work goes on.

        Raises: DiskFull, LibraryNotWritable, LibraryDamaged, OSError.
        """
        # Of its own: the backup must not see the state of a read that is going on.
        with ending(connect_reader(self._path)) as connection:
            return make_backup(self.folder, connection, reason)

    def check(self, deep: bool = False) -> list[str]:
        """Return what is wrong with the file, in sentences; an empty list if nothing is.

        deep: look at the numbers of every vector, too.
        """
        # A new connection: on one that searched before somebody else deleted, SQLite 3.54
        # checks a full-text index against what it remembers and calls it corrupt.
        with ending(connect_reader(self._path)) as connection:
            try:
                with named_errors(self._path):
                    return find_problems(connection, deep)
            except LibraryDamaged as error:
                return [str(error)]

    def close(self) -> None:
        """Finish queued writes, close every connection, release the lock. Calling twice is fine."""
        if self._closed:
            return
        self._closed = True
        with self._readers_guard:
            readers = list(self._readers)
        for reader in readers:
            _close_reader(reader)
        if self._writer is not None:
            self._writer.close()
            if not self._damaged:
                LibraryFolder(self.folder).check_wanted.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Remember damage, so that the next opening looks at everything."""
        try:
            yield
        except LibraryDamaged:
            self._damaged = True
            raise

    def _writing(self) -> Writer:
        if self._writer is None:
            raise LibraryNotWritable(said("{path} was opened for reading only", path=self._path))
        return self._writer

    def _reader(self) -> apsw.Connection:
        if self._closed:
            raise RuntimeError("the library is closed")
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect_reader(self._path)
            self._local.connection = connection
            with self._readers_guard:
                self._readers.add(connection)
        return connection


def lock_library(folder: Path) -> FileLock:
    """Take the lock of the one process that may write to a library.

    Raises: LibraryBusy, LibraryNotWritable.
    """
    from filelock import FileLock, Timeout  # not above: to be read only it takes no lock

    # Not thread-local: the library is often opened by one thread and closed by another.
    lock = FileLock(LibraryFolder(folder).lock, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise LibraryBusy(said("{folder} is open in another Groundwork", folder=folder)) from error
    except OSError as error:
        raise _not_writable(folder, error) from error
    return lock


def _not_writable(folder: Path, error: OSError) -> LibraryNotWritable:
    told = said("{folder} cannot be written to: {error}", folder=folder, error=error)
    return LibraryNotWritable(told)


def _close_reader(reader: apsw.Connection) -> None:
    reader.interrupt()
    try:
        reader.close(True)
    except apsw.ThreadingViolationError:
        # Its thread is still inside a query that the interrupt will end; the connection
        # closes when that thread drops it.
        return
