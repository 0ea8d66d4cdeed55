"""The bridges between work on other threads and the widgets.

A `Bridge` owns one kind of work (the question, the ingestion, ...). It starts a plain
generator `Job` on a thread of its own, or an engine stream through `follow`, and turns
either into queued signals on the UI thread. Starting again supersedes the run before:
that one is cancelled and nothing it still says reaches the widgets.

`Errands` are small edits of the library, one after the other: never dropped, closing waits
for them. A `TaskThread` reads for a viewer, one thing after the other, until it is closed.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from desktop.core.errors import LibraryError
from desktop.core.jobs import Cancelled, CancelToken

logger = logging.getLogger(__name__)


class StreamHandle(Protocol):
    """What an engine gives for a running stream."""

    def cancel(self) -> None:
        """Ask the stream to stop."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for its end."""


StartStream = Callable[[Callable[[Any], None], Callable[[], None]], StreamHandle]
"""Starts a stream with (on_event, on_done), both called on another thread."""


class _JobRun:
    """A job on its thread, with the surface of a stream handle."""

    def __init__(
        self,
        job: Callable[[CancelToken], Iterator[Any]],
        name: str,
        on_event: Callable[[Any], None],
        on_done: Callable[[BaseException | None], None],
    ) -> None:
        self._token = CancelToken()
        self._job, self._on_event, self._on_done = job, on_event, on_done
        # daemon: a crash elsewhere must not keep the process; `Bridge.close` always joins.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        self._token.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        failure: BaseException | None = None
        try:
            for event in self._job(self._token):
                self._on_event(event)
        except Cancelled:
            pass
        except Exception as error:
            # Whatever a job raises must reach a person; the receiver of `finished` shows it.
            logger.exception("job %s failed", self._thread.name)
            failure = error
        self._on_done(failure)


class Bridge(QObject):
    """Runs one piece of work at a time and reports on the UI thread.

    Signals: received(object) for each event of the current run; finished(object) at its end,
    with the exception that ended it or None.

    resumes: closing it loses nothing, since the next window goes on with the work by itself.
    """

    received = Signal(object)
    finished = Signal(object)
    _posted = Signal(int, object)
    _ended = Signal(int, object)

    def __init__(self, name: str, parent: QObject | None = None, *, resumes: bool = False) -> None:
        super().__init__(parent)
        self.resumes = resumes
        self._name = name
        self._number = 0
        self._current: StreamHandle | None = None
        self._superseded: list[StreamHandle] = []
        self._closed = False
        queued = Qt.ConnectionType.QueuedConnection
        self._posted.connect(self._deliver, queued)
        self._ended.connect(self._finish, queued)

    @property
    def running(self) -> bool:
        """Whether the current run has not yet reported its end."""
        return self._current is not None

    def start(self, job: Callable[[CancelToken], Iterator[Any]]) -> None:
        """Run `job` on a new thread, superseding the run before."""
        number = self._next()

        def done(failure: BaseException | None) -> None:
            self._ended.emit(number, failure)

        self._current = _JobRun(
            job, self._name, lambda event: self._posted.emit(number, event), done
        )

    def follow(self, start_stream: StartStream) -> None:
        """Start a stream that reports through callbacks, superseding the run before."""
        number = self._next()
        self._current = start_stream(
            lambda event: self._posted.emit(number, event),
            lambda: self._ended.emit(number, None),
        )

    def cancel(self) -> None:
        """Ask the current run to stop; its last events still arrive."""
        if self._current is not None:
            self._current.cancel()

    def close(self, timeout: float | None = None) -> bool:
        """Cancel everything, join it and stay silent from now on; False if it overran."""
        self._closed = True
        self._number += 1
        runs = [*self._superseded, *([self._current] if self._current else [])]
        self._current = None
        for run in runs:
            run.cancel()
        self._superseded = [run for run in runs if not run.wait(timeout)]
        return not self._superseded

    def _next(self) -> int:
        if self._closed:
            raise RuntimeError(f"bridge {self._name} is closed")
        if self._current is not None:
            self._current.cancel()
            self._superseded.append(self._current)
            self._current = None
        self._superseded = [run for run in self._superseded if not run.wait(0)]
        self._number += 1
        return self._number

    def _deliver(self, number: int, event: object) -> None:
        if number == self._number:
            self.received.emit(event)

    def _finish(self, number: int, failure: object) -> None:
        if number != self._number or self._current is None:
            return
        # Its thread is returning from the emit right now; the next start or close joins it.
        self._superseded.append(self._current)
        self._current = None
        self.finished.emit(failure)


class Errands(QObject):
    """failed(exception): an errand raised; the others go on."""

    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: queue.SimpleQueue[tuple[Callable[[], Any], Callable[[Any], object] | None]]
        self._waiting = queue.SimpleQueue()
        self._bridge = Bridge("groundwork-errands", self)
        self._bridge.received.connect(lambda call: call())
        self._bridge.finished.connect(lambda _: self._start())

    def run(self, work: Callable[[], Any], then: Callable[[Any], object] | None = None) -> None:
        """Do `work` soon; `then` gets its result on the UI thread."""
        self._waiting.put((work, then))
        self._start()

    def close(self) -> None:
        """Finish what was asked for and join the thread."""
        self._bridge.close()
        for _ in self._drain(CancelToken()):
            pass

    def _start(self) -> None:
        if not self._bridge.running and not self._waiting.empty():
            self._bridge.start(self._drain)

    def _drain(self, _cancel: CancelToken) -> Iterator[Callable[[], object]]:
        """Do what waits; yield what is to be called on the UI thread for it."""
        while True:
            try:
                work, then = self._waiting.get_nowait()
            except queue.Empty:
                return
            try:
                result = work()
            except Exception as error:  # handed to the window, which explains it
                yield partial(self.failed.emit, error)
            else:
                if then is not None:
                    yield partial(then, result)


T = TypeVar("T")


class TaskThread(QObject):
    """Runs one task after the other; the answers come as calls on the UI thread.

    The thread is there from the first task on.
    """

    _answered = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = False
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._work, name=name)

    def submit(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Run `work` on the thread, then `then(result)` or `failed(error)` on the UI thread.

        Only errors of the library and of files count as failures; anything else is a
        bug and is logged with its traceback.
        """
        if self._closed:
            return

        def run() -> None:
            try:
                result = work()
            except (LibraryError, OSError, ValueError) as error:
                problem: Exception = error
                logger.warning("%s: %s", self._thread.name, problem)
                if failed is not None:
                    self.answer(lambda: failed(problem))
            else:
                self.answer(lambda: then(result))

        self._tasks.put(run)
        if self._thread.ident is None:
            self._thread.start()

    def answer(self, call: Callable[[], None]) -> None:
        """Have `call` called on the UI thread; for tasks that report more than one thing."""
        self._answered.emit(call)

    def shutdown(self) -> None:
        """End the thread after its current task; later answers are dropped."""
        self._closed = True
        if self._thread.ident is not None:
            self._tasks.put(None)
            self._thread.join()

    def _answer(self, call: Callable[[], None]) -> None:
        if not self._closed:
            call()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            if self._closed:
                continue
            try:
                task()
            except Exception:  # a bug in one task must not end all later ones
                logger.exception("%s: task failed", self._thread.name)
