"""The one thread that changes a library file."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from desktop.core.store.connection import named_errors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import apsw

T = TypeVar("T")


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
