"""The one thread that owns every model runtime, and the order in which it works.

Runtimes want their arrays used by the thread that made them, and two generations at once
hang; so whoever needs a model hands a function to this thread. Work waits in a queue by
priority, and within a priority first come, first served. A running step is never
interrupted: long work is handed over in small steps, or as an iterator (`stream`) that gives
way to more urgent work between its items.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import logging
import queue
import sys
import threading
from concurrent.futures import CancelledError, Future
from enum import IntEnum
from functools import cache
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from desktop.models.errors import ModelStopped
from desktop.models.generation import never
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.models.generation import Cancelled

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Priority(IntEnum):
    """Who goes first."""

    QUESTION = 0  # somebody waits for the answer
    INGESTION = 1  # in the background


_AFTER_ALL_WORK = len(Priority)
_LOOK_SECONDS = 0.05  # how often a stream that waits for its turn asks whether it is cancelled


class InferenceThread:
    """A thread with a priority queue. It starts with the first work; `close` ends it."""

    def __init__(self, name: str = "inference") -> None:
        self._name = name
        self._queue: queue.PriorityQueue[tuple[int, int, _Task | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._closers: list[Callable[[], None]] = []

    def submit(self, function: Callable[[], T], priority: Priority) -> Future[T]:
        """Queue a function; cancelling the future takes it out again. Raises: ModelStopped."""
        work = _Work(function)
        self._enqueue(work, priority)
        return work.future

    def run(self, function: Callable[[], T], priority: Priority) -> T:
        """Run it on the thread, at once if called there. Raises: ModelStopped, if closed."""
        if threading.current_thread() is self._thread:
            return function()
        try:
            return self.submit(function, priority).result()
        except CancelledError as error:
            raise ModelStopped("the {name} thread was closed", name=self._name) from error

    def stream(
        self,
        start: Callable[[], Iterator[T]],
        priority: Priority,
        cancelled: Cancelled = never,
    ) -> Iterator[T]:
        """Run an iterator on the thread; its items come to the caller as they are made.

        Between two items more urgent work goes first. The iterator is made, advanced
        and closed on the thread; if the caller stops early, it is closed after the
        running step. The thread does not wait for the caller. While the stream waits
        for its turn, `cancelled` ends it without an item; once it runs, that is the
        iterator's own business.

        Raises: what the iterator raises; ModelStopped, if the thread is closed before
            its end.
        """
        work = _Stream(start)
        self._enqueue(work, priority)
        return self._items(work, cancelled)

    def on_close(self, function: Callable[[], None]) -> None:
        """Have a function run as the thread's last work, the latest first. Raises: ModelStopped."""
        with self._lock:
            if self._closed:
                raise ModelStopped("the {name} thread is closed", name=self._name)
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

    def _enqueue(self, work: _Task, priority: Priority) -> None:
        with self._lock:
            if self._closed:
                raise ModelStopped("the {name} thread is closed", name=self._name)
            if self._thread is None:
                # A daemon: a program that dies without closing must not hang here.
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put((priority, next(self._numbers), work))

    def _items(self, work: _Stream, cancelled: Cancelled) -> Iterator[Any]:
        try:
            while not work.started.is_set():
                if cancelled():
                    return
                work.started.wait(_LOOK_SECONDS)
            while not isinstance(item := work.items.get(), BaseException):
                yield item
            if not isinstance(item, StopIteration):
                raise item
        finally:
            work.abandon()

    def _cancel_waiting(self) -> None:
        begun = []
        while True:
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                break
            if waiting[2] is not None and not waiting[2].cancel():
                begun.append(waiting)
        for waiting in begun:  # they end on the thread, with their next step
            self._queue.put(waiting)

    def _serve(self) -> None:
        while True:
            priority, number, task = self._queue.get()
            if task is None:
                break
            while task.step():
                if self._closed:
                    task.cancel()
                elif self._gives_way(priority):
                    self._queue.put((priority, number, task))
                    break
            del task  # or the last result would live until the next work comes
        for closer in reversed(self._closers):
            try:
                closer()
            except Exception:
                logger.exception("a model runtime did not close")
        _give_freed_memory_back()

    def _gives_way(self, priority: int) -> bool:
        with self._queue.mutex:
            return bool(self._queue.queue) and self._queue.queue[0][0] < priority


class MadeOnThread(Generic[T]):
    """A thing that is made on the thread when it is first needed, and closed with the thread.

    made: the thing, for what may be read without a turn on the thread; None before.
    """

    def __init__(self, make: Callable[[], T], thread: InferenceThread) -> None:
        """make: called once; what it returns may have a `close`."""
        self.made: T | None = None
        self._make = make
        self._thread = thread

    def get(self) -> T:
        """Return the thing. Call this on the thread alone."""
        if self.made is None:
            self.made = self._make()
            close = getattr(self.made, "close", None)
            if close is not None:
                self._thread.on_close(close)
        return self.made

    def call(self, priority: Priority, method: str, *values: Any) -> Any:
        """Call a method of the thing in one step of the thread. Raises: ModelStopped."""
        call = methodcaller(method, *values)
        return self._thread.run(lambda: call(self.get()), priority)


def _give_freed_memory_back() -> None:
    """Return to the system the memory that models had.

    glibc keeps what a thread has freed, some 100 MB for every library that was open;
    the C libraries of other systems have no such function, and no such habit.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class _Work:
    """A function and the future of its result."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function
        self.future: Future[Any] = Future()

    def step(self) -> bool:
        if self.future.set_running_or_notify_cancel():
            try:
                self.future.set_result(self.function())
            except BaseException as error:  # it belongs to whoever waits
                self.future.set_exception(error)
        return False

    def cancel(self) -> bool:
        self.future.cancel()
        self.future.set_running_or_notify_cancel()
        return True


class _Stream:
    """An iterator that advances on the thread, and the queue in which its items leave.

    What ends it comes after the last item: StopIteration, or what it raised.
    """

    def __init__(self, start: Callable[[], Iterator[Any]]) -> None:
        self.items: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._start = start
        self._iterator: Iterator[Any] | None = None
        self._abandoned = False
        self.started = threading.Event()

    def step(self) -> bool:
        self.started.set()
        try:
            if self._abandoned:
                self._close()
                return False
            if self._iterator is None:
                self._iterator = iter(self._start())
            self.items.put(next(self._iterator))
        except BaseException as error:  # it belongs to whoever reads the items
            self.items.put(error)
            return False
        return True

    def abandon(self) -> None:
        """Nobody reads the items any more."""
        self._abandoned = True

    def cancel(self) -> bool:
        self._abandoned = True
        if self._iterator is not None:
            return False
        self._close()
        return True

    def _close(self) -> None:
        self.started.set()
        try:
            close = getattr(self._iterator, "close", None)
            if close is not None:
                close()
        finally:
            self.items.put(ModelStopped(said("the thread that owns the models was closed")))


_Task: TypeAlias = _Work | _Stream
"""step: does some work and returns whether there is more. cancel: gives up; False if a further
step has to clean up on the thread."""


@cache
def leave_out_of_garbage(kind: type) -> None:  # once for each kind: a key of the cache
    """Leave all objects made so far, the whole program, out of later garbage collections.

    A runtime brings hundreds of thousands that stay: a later collection would hold up the
    interpreter for half a second, and one question in twenty took 8 to 15 ms longer. Not
    done for every load: what is garbage by then, such as a library that was closed, would
    never be freed. Young objects are collected first; going through all would hold up the
    first question by a twentieth of a second.
    """
    gc.collect(1)
    gc.freeze()
