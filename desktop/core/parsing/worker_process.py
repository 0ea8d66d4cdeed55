"""One parser process: started, sent requests, watched, killed, and kept small."""

from __future__ import annotations

import ctypes
import logging
import math
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections import deque
from typing import TYPE_CHECKING

import msgspec
import psutil

from desktop import tripwire
from desktop.core.jobs import Cancelled
from desktop.core.parsing import messages
from desktop.core.parsing.messages import BrokenFrame, FrameDecoder, write_frame
from desktop.process_environment import own_command, own_environment
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Libraries reserve several times the address space they use (onnxruntime's threads,
# allocator arenas), so this only stops a single absurd allocation. The supervisor
# watches the memory really used.
_RESERVED_GIB = 8.0
_NICENESS = 10
_PR_SET_PDEATHSIG = 1


def limit_resources(memory_gib: float) -> None:
    """Bound this process: address space, core dumps, priority, and life with its parent."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(_NICENESS)  # the window goes first
    if sys.platform == "linux":  # macOS accepts the limit and ignores it
        _limit_address_space(int((memory_gib + _RESERVED_GIB) * 2**30))
        _die_with_parent()


def worker_environment() -> dict[str, str]:
    """Return the environment for a worker: numeric libraries leave one core for the window."""
    threads = str(max(1, (os.cpu_count() or 2) - 1))
    counts = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
        threads,
    )
    return {**own_environment(), **counts}


def _limit_address_space(limit: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _die_with_parent() -> None:
    """Have the kernel end this process when the thread that started it ends.

    Closing stdin does the same as soon as Python runs; this also reaches a worker that
    hangs inside MuPDF.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


_log = logging.getLogger(__name__)
_worker_log = logging.getLogger("desktop.parser_worker")

_READ_BYTES = 1 << 20
_WATCH_SECONDS = 0.05
_PATIENCE, _MOST_PATIENCE = 3.0, 60.0
"""How many times as long, and how many seconds more, a worker gets that is given no processor."""
_ENOUGH = 0.8
"""Share of its seconds after which it had them: reading a file takes some of them, too."""
_LONGEST_LOG_LINE = 500
_GIB = 2**30


class WorkerLost(Exception):  # noqa: N818 - named after the state
    """The worker had to be killed or ended by itself; kind: time, memory, died."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class WorkerProcess:
    """A running worker. Not thread-safe: one thread owns it.

    On Linux the kernel ends the worker with the thread that made it.
    """

    def __init__(self, memory_gib: float, command: Sequence[str] | None = None) -> None:
        """Start the process; it is ready to receive requests at once.

        Raises: WorkerLost, if it cannot be started.
        """
        self._memory_bytes = int(memory_gib * _GIB)
        self._decoder: FrameDecoder[messages.Reply] = FrameDecoder(
            msgspec.msgpack.Decoder(messages.Reply)
        )
        self._replies: deque[messages.Reply] = deque()
        try:
            self._process = subprocess.Popen(
                command or own_command("--parser-worker", "desktop.parser_worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=worker_environment(),
            )
        except OSError as error:
            raise WorkerLost(
                "died", said("the PDF reader cannot be started: {error}", error=error)
            ) from error
        self._stdin = _descriptor(self._process.stdin)
        self._stdout = _descriptor(self._process.stdout)
        self._stderr = _descriptor(self._process.stderr)
        for descriptor in (self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._watched = psutil.Process(self._process.pid)
        self._next_look = 0.0

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def used_share(self) -> float:
        """Return how much of its memory limit the worker uses; 0 if it has just ended."""
        try:
            return float(self._watched.memory_info().rss) / self._memory_bytes
        except psutil.Error:
            return 0.0

    def send(self, request: messages.Request) -> None:
        """Send one request.

        Raises: WorkerLost.
        """
        try:
            write_frame(self._stdin, msgspec.msgpack.encode(request))
        except OSError as error:
            raise self._died() from error

    def receive(self, seconds: float, is_closing: Callable[[], bool]) -> messages.Reply:
        """Return the next reply, waiting at most `seconds` for it.

        On a busy machine it gets its full seconds all the same: while the worker has
        not been given that much processor time, up to three times as long, a minute
        more at most.

        Raises: WorkerLost, if it takes longer, uses too much memory, or ends;
            Cancelled, as soon as `is_closing` says so.
        """
        began, worked = time.monotonic(), self._processor_seconds()
        longest = min(_PATIENCE * seconds, seconds + _MOST_PATIENCE)
        while not self._replies:
            if is_closing():
                raise Cancelled
            self._look_at_memory()
            waited = time.monotonic() - began
            had_its_time = self._processor_seconds() - worked >= _ENOUGH * seconds
            if waited >= longest or (waited >= seconds and had_its_time):
                raise WorkerLost(
                    "time", said("took longer than {seconds} s", seconds=f"{seconds:g}")
                )
            self._wait_for_output(_WATCH_SECONDS)
        return self._replies.popleft()

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._log_stderr()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _wait_for_output(self, seconds: float) -> None:
        readable, _, _ = select.select([self._stdout, self._stderr], [], [], seconds)
        if self._stderr in readable:
            self._log_stderr()
        if self._stdout not in readable:
            return
        data = os.read(self._stdout, _READ_BYTES)
        if not data:
            raise self._died()
        try:
            self._replies.extend(self._decoder.feed(data))
        except BrokenFrame as error:
            raise WorkerLost(
                "died", said("the PDF reader sent nonsense: {error}", error=error)
            ) from error

    def _processor_seconds(self) -> float:
        try:
            times = self._watched.cpu_times()
        except psutil.Error:
            return math.inf  # it has just ended; reading its output says so
        return times.user + times.system

    def _look_at_memory(self) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _WATCH_SECONDS
        try:
            used = self._watched.memory_info().rss
        except psutil.Error:
            return  # it has just ended; reading its output says so
        if used > self._memory_bytes:
            raise WorkerLost(
                "memory", said("used more than {size} GiB", size=f"{self._memory_bytes / _GIB:g}")
            )

    def _died(self) -> WorkerLost:
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return WorkerLost("died", said("the PDF reader stopped answering"))
        _log.warning("parser worker %d ended with code %d", self.pid, code)
        return WorkerLost("died", said("the PDF reader crashed"))

    def _log_stderr(self) -> None:
        try:
            data = os.read(self._stderr, _READ_BYTES)
        except BlockingIOError:
            return
        for line in data.decode("utf-8", "replace").splitlines():
            tripwire.record_line(line)
            _worker_log.info("%d: %s", self.pid, line[:_LONGEST_LOG_LINE])


def _descriptor(stream: object) -> int:
    assert hasattr(stream, "fileno")
    return int(stream.fileno())
