"""The bridges between work on other threads and the widgets.

A `Bridge` owns one kind of work (the question, the ingestion, ...). It starts a plain
generator `Job` on a thread of its own, or an engine stream through `follow`, and turns
either into queued signals on the UI thread. Starting again supersedes the run before:
that one is cancelled and nothing it still says reaches the widgets.

A `WindowPart` is what a controller of the window is.

`Errands` are done one after the other: small edits of the library, which closing waits for, or
what is read for a viewer, until that is closed.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Qt, Signal

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.problems import failure_place
from desktop.ui.layout_memory import LayoutMemory

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace

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

    def __init__(
        self,
        name: str,
        parent: QObject | None = None,
        take: Callable[[Any], object] | None = None,
        over: Callable[[BaseException | None], object] | None = None,
        *,
        resumes: bool = False,
    ) -> None:
        """take, over: what `received` and `finished` call."""
        super().__init__(parent)
        if take is not None:
            self.received.connect(take)
        if over is not None:
            self.finished.connect(over)
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
            lambda event: self._posted.emit(number, event), lambda: self._ended.emit(number, None)
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
    """Does one thing after the other on a thread of its own; answers come on the UI thread.

    failed(exception): an errand raised that had nobody else to tell; the others go on.

    resumes: what still waits when it is closed is left undone, unless it `keeps` something.
    """

    failed = Signal(object)
    _answered = Signal(object)

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        name: str = "groundwork-errands",
        resumes: bool = False,
    ) -> None:
        super().__init__(parent)
        self.resumes = resumes
        self._waiting: queue.SimpleQueue[tuple[Callable[[], None], bool] | None]
        self._waiting = queue.SimpleQueue()
        self._unanswered = 0
        self._closed = False
        self._answered.connect(self._take, Qt.ConnectionType.QueuedConnection)
        # from the first errand on; daemon: a crash elsewhere must not keep the process
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    @property
    def running(self) -> bool:
        """Whether an errand is not done, or its answer not given."""
        return self._unanswered > 0 and not self._closed

    def run(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], object] = lambda _: None,
        failed: Callable[[Exception], object] | None = None,
        *,
        keeps: bool = False,
    ) -> None:
        """Do `work` soon; `then` gets its result on the UI thread, `failed` what it raised.

        keeps: something of a person's is written, so that closing waits for it.
        """
        if self._closed and not self.resumes:
            raise RuntimeError("errands are closed")
        if self._closed:
            return
        self._unanswered += 1
        errand = partial(self._do, work, then, failed or self.failed.emit)
        self._waiting.put((errand, keeps or not self.resumes))
        if self._thread.ident is None:
            self._thread.start()

    def close(self) -> None:
        """Finish what was asked for and join the thread; no answer comes any more."""
        self._closed = True
        if self._thread.ident is not None:
            self._waiting.put(None)
            self._thread.join()

    def answer(self, call: Callable[[], object]) -> None:
        """Have `call` called on the UI thread."""
        self._answered.emit(call)

    def _work(self) -> None:
        while (waiting := self._waiting.get()) is not None:
            errand, keeps = waiting
            if keeps or not self._closed:
                errand()

    def _do(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        try:
            result = work()
        except Exception as error:  # handed to the window, which explains it
            logger.warning("%s: %s", self._thread.name, failure_place(error))
            self.answer(partial(self._end, failed, error))
        else:
            self.answer(partial(self._end, then, result))

    def _take(self, call: Callable[[], object]) -> None:
        if not self._closed:
            call()

    def _end(self, then: Callable[[Any], object], result: object) -> None:
        self._unanswered -= 1
        then(result)


class WindowPart(QObject):
    """Carries out one kind of thing that a person can do in the window."""

    def __init__(
        self, parent: QObject, tell_failure: Callable[[BaseException], object] | None = None
    ) -> None:
        """tell_failure: says what went wrong with an errand."""
        super().__init__(parent)
        self._workspace: Workspace | None = None
        self._bridges: list[Bridge] = []
        self._errands = Errands(self)
        if tell_failure is not None:
            self._errands.failed.connect(tell_failure)

    @property
    def workspace(self) -> Workspace:
        """The open library, for what cannot happen before there is one."""
        assert self._workspace is not None
        return self._workspace

    @property
    def memory(self) -> LayoutMemory:
        """What is remembered of the open library's window."""
        return LayoutMemory(self.workspace.library.folder.root)

    def bridge(
        self,
        name: str,
        take: Callable[[Any], object] | None = None,
        over: Callable[[BaseException | None], object] | None = None,
    ) -> Bridge:
        """Return a bridge that is closed with this part."""
        self._bridges.append(Bridge(f"groundwork-{name}", self, take, over))
        return self._bridges[-1]

    def open_workspace(self, workspace: Workspace) -> None:
        """Work with this library from now on."""
        self._workspace = workspace

    def close(self) -> None:
        """Stop or finish the work and join its threads."""
        for bridge in self._bridges:
            bridge.close()
        self._errands.close()
        self._workspace = None  # what is still on its way finds nobody
