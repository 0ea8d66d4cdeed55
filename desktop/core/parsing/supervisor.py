"""The thread that owns the parser process: hands it one call at a time, restarts it."""

from __future__ import annotations

import logging
import queue
import threading
from typing import TYPE_CHECKING

from desktop.core.errors import ParserLimit
from desktop.core.jobs import Cancelled
from desktop.core.parsing import messages
from desktop.core.parsing.calls import START_SECONDS, Call, seconds_after
from desktop.core.parsing.worker_process import WorkerLost, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.settings.sections import ParserSettings

_log = logging.getLogger(__name__)

_JOIN_SECONDS = 10.0

# PyMuPDF's layout keeps 2 to 4 MB of each page. A new worker takes 2 s and has forgotten what
# it learnt of the document, so that is chosen where another one begins, if it can wait so long.
_TIRED, _EXHAUSTED = 0.25, 0.8


class Supervisor:
    """Accepts calls from any thread and answers them in order of urgency.

    A worker that is lost takes only the call it was busy with along; the next call gets
    a new one.
    """

    def __init__(self, settings: ParserSettings, command: Sequence[str] | None = None) -> None:
        self._settings = settings
        self._command = command
        self._waiting: queue.PriorityQueue[Call] = queue.PriorityQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._worker: WorkerProcess | None = None
        self._closing = threading.Event()
        self._last_path: bytes | None = None

    @property
    def worker_pid(self) -> int | None:
        """The process id of the worker, None while there is none."""
        worker = self._worker
        return worker.pid if worker is not None else None

    def submit(self, urgency: int, request: messages.Request | None) -> Call:
        """Queue a request (None: only see to it that a worker runs).

        Raises: Cancelled, after `close`.
        """
        call = Call(urgency, request)
        with self._lock:
            if self._closing.is_set():
                raise Cancelled
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="parser-supervisor", daemon=True
                )
                self._thread.start()
            self._waiting.put(call)
        return call

    def close(self) -> None:
        """End the worker, cut the running call off, and wait for the thread."""
        with self._lock:
            if self._closing.is_set():
                return
            self._closing.set()
            thread = self._thread
        if thread is not None:
            self._waiting.put(Call(-1, None))  # wakes the thread
            thread.join(_JOIN_SECONDS)

    def _run(self) -> None:
        while True:
            call = self._waiting.get()
            if self._closing.is_set():
                call.replies.put(Cancelled())
                break
            if not call.cancelled:
                self._serve(call)
        self._drop_worker()
        self._refuse_the_rest()

    def _serve(self, call: Call) -> None:
        try:
            self._relieve(call.request)
            worker = self._ready_worker()
            if call.request is not None:
                self._exchange(worker, call, call.request)
        except WorkerLost as lost:
            _log.warning("parser worker lost: %s", lost)
            self._drop_worker()
            call.replies.put(ParserLimit(str(lost), lost.kind))
        except Cancelled as cancelled:
            self._drop_worker()
            call.replies.put(cancelled)
        else:
            call.replies.put(None)

    def _exchange(self, worker: WorkerProcess, call: Call, request: messages.Request) -> None:
        worker.send(request)
        reply: messages.Reply | None = None
        while True:
            reply = worker.receive(seconds_after(reply, self._settings), self._closing.is_set)
            match reply:
                case messages.Done():
                    return
                case messages.Failed():
                    call.replies.put(reply.error())
                    return
                case _:
                    call.replies.put(reply)

    def _relieve(self, request: messages.Request | None) -> None:
        """End a worker that has grown, before the limit makes some page look guilty of it."""
        path = getattr(request, "path", None)
        share = _EXHAUSTED if path == self._last_path else _TIRED
        if self._worker is not None and self._worker.used_share() > share:
            _log.info("parser worker replaced: %.0f %% of its memory", share * 100)
            self._drop_worker()
        self._last_path = path

    def _ready_worker(self) -> WorkerProcess:
        if self._worker is not None and not self._worker.alive:
            self._drop_worker()  # ended between calls, nobody's fault
        if self._worker is None:
            try:
                self._start_worker()
            except WorkerLost as lost:
                raise WorkerLost("start", f"the PDF reader does not start: {lost}") from lost
        assert self._worker is not None
        return self._worker

    def _start_worker(self) -> None:
        self._worker = worker = WorkerProcess(self._settings.memory_gib, self._command)
        worker.send(messages.Configure(self._settings.model_dump_json()))
        worker.receive(START_SECONDS, self._closing.is_set)

    def _drop_worker(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _refuse_the_rest(self) -> None:
        while True:
            try:
                call = self._waiting.get_nowait()
            except queue.Empty:
                return
            call.replies.put(Cancelled())
