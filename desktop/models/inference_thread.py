"""The one thread that owns every model runtime, and the order in which it works.

Runtimes want their arrays used by the thread that made them, and two generations at once
hang; so whoever needs a model hands a function to this thread. Work waits in a queue by
priority, and within a priority first come, first served. A running step is never
interrupted: long work is handed over in small steps.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from concurrent.futures import CancelledError, Future
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.models.errors import ModelStopped

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Priority(IntEnum):
    """Who goes first."""

    QUESTION = 0  # somebody waits for the answer
    VISIBLE_PAGE = 1  # somebody looks at the page
    INGESTION = 2  # in the background


_AFTER_ALL_WORK = len(Priority)


class InferenceThread:
    """A thread with a priority queue. It starts with the first work; `close` ends it."""

    def __init__(self, name: str = "inference") -> None:
        self._name = name
        self._queue: queue.PriorityQueue[tuple[int, int, _Work | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._closers: list[Callable[[], None]] = []

    def submit(self, function: Callable[[], T], priority: Priority) -> Future[T]:
        """Queue a function; cancelling the future takes it out while it still waits.

        Raises: ModelStopped, if the thread is closed.
        """
        work = _Work(function)
        with self._lock:
            if self._closed:
                raise ModelStopped(f"the {self._name} thread is closed")
            if self._thread is None:
                # A daemon: a program that dies without closing must not hang here.
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put((priority, next(self._numbers), work))
        return work.future

    def run(self, function: Callable[[], T], priority: Priority) -> T:
        """Run a function on the thread and wait for what it returns or raises.

        A call from the thread itself runs at once.

        Raises: ModelStopped, if the thread is closed before the function's turn.
        """
        if threading.current_thread() is self._thread:
            return function()
        try:
            return self.submit(function, priority).result()
        except CancelledError as error:
            raise ModelStopped(f"the {self._name} thread was closed") from error

    def on_close(self, function: Callable[[], None]) -> None:
        """Have a function run on the thread as its last work, the latest registered first.

        Raises: ModelStopped, if the thread is closed.
        """
        with self._lock:
            if self._closed:
                raise ModelStopped(f"the {self._name} thread is closed")
            self._closers.append(function)

    def close(self) -> None:
        """Finish the running step, cancel what waits, and wait for the thread to end."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._cancel_waiting()
                self._queue.put((_AFTER_ALL_WORK, next(self._numbers), None))
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _cancel_waiting(self) -> None:
        while True:
            try:
                _, _, work = self._queue.get_nowait()
            except queue.Empty:
                return
            if work is not None:
                work.future.cancel()
                work.future.set_running_or_notify_cancel()

    def _serve(self) -> None:
        while True:
            _, _, work = self._queue.get()
            if work is None:
                break
            work.run()
            del work  # or the last result would live until the next work comes
        for closer in reversed(self._closers):
            try:
                closer()
            except Exception:
                logger.exception("a model runtime did not close")


class _Work:
    """A function and the future of its result."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function
        self.future: Future[Any] = Future()

    def run(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.function())
        except BaseException as error:  # it belongs to whoever waits
            self.future.set_exception(error)
