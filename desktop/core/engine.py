"""The engine: one asyncio loop on its own thread that runs the agent's event streams.

The window and the commands start a stream here and get its events through callbacks on
the engine thread; nothing else in the application touches the loop.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from queue import Empty, SimpleQueue

from desktop.core.events import Event
from desktop.core.jobs import CancelToken
from desktop.core.problems import failure_place

logger = logging.getLogger(__name__)

StreamFactory = Callable[[CancelToken], AsyncGenerator[Event, None]]
BLOCKING_THREADS = 4
"""Threads for the blocking calls (searches) of the questions that run at the same time."""


class EngineClosed(RuntimeError):  # noqa: N818 - named after the state
    """A stream was started after `Engine.close`."""


class RunHandle:
    """One running stream: stop it, or wait for its end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._finished = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._interruptible = False
        self.token = CancelToken()

    def cancel(self) -> None:
        """Ask the stream to stop now; it still yields its last event. Any thread."""
        self.token.cancel()
        with suppress(RuntimeError):  # the loop is closed: nothing runs any more
            self._loop.call_soon_threadsafe(self._interrupt)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the stream has ended; returns False if `timeout` seconds passed first."""
        return self._finished.wait(timeout)

    def _interrupt(self) -> None:
        # A task cancelled before its first step would never run its body, and a second
        # cancel would break the farewell of the first: in both cases the token is enough.
        if self._task is not None and self._interruptible:
            self._interruptible = False
            self._task.cancel()


_LOOK_SECONDS = 0.1
"""How often a follower looks whether it is cancelled."""


def follow(
    start: Callable[[Callable[[Event], None], Callable[[], None]], RunHandle], cancel: CancelToken
) -> Iterator[Event]:
    """Yield the events of a run in this thread; cancelling it lets it say its last event.

    start: is given what to call with each event and at the end, and returns the run.
    """
    queue: SimpleQueue[Event | None] = SimpleQueue()
    run = start(queue.put, lambda: queue.put(None))
    stopped = False
    try:
        while True:
            if cancel.cancelled and not stopped:
                stopped = True
                run.cancel()
            with suppress(Empty):
                event = queue.get(timeout=_LOOK_SECONDS)
                if event is None:
                    stopped = True
                    return
                yield event
    finally:
        if not stopped:  # nobody listens any more
            run.cancel()


class Engine:
    """Owns the loop, its thread and the threads for blocking calls."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(
            ThreadPoolExecutor(BLOCKING_THREADS, thread_name_prefix="groundwork-question")
        )
        self._runs: set[RunHandle] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="groundwork-engine", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether a question is being answered."""
        return bool(self._runs)

    def start(
        self,
        stream_factory: StreamFactory,
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
    ) -> RunHandle:
        """Run a stream; `on_event` and then `on_done` are called on the engine thread.

        Raises: EngineClosed, if the engine was closed.
        """
        handle = RunHandle(self._loop)
        with self._lock:
            if self._closed:
                raise EngineClosed("the engine is closed")
            self._runs.add(handle)
        self._loop.call_soon_threadsafe(self._begin, handle, stream_factory, on_event, on_done)
        return handle

    def close(self) -> None:
        """Cancel every run, wait for their ends and join the threads. Idempotent."""
        with self._lock:
            already_closed, self._closed = self._closed, True
            runs = list(self._runs)
        if already_closed:
            return
        for run in runs:
            run.cancel()
        for run in runs:
            run.wait()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def _begin(
        self,
        handle: RunHandle,
        stream_factory: StreamFactory,
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
    ) -> None:
        run = self._drive(handle, stream_factory, on_event, on_done)
        handle._task = self._loop.create_task(run)

    async def _drive(
        self,
        handle: RunHandle,
        stream_factory: StreamFactory,
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
    ) -> None:
        handle._interruptible = True
        try:
            # closed here, so that its finally blocks run now and not at some collection
            async with aclosing(stream_factory(handle.token)) as stream:
                async for event in stream:
                    on_event(event)
        except asyncio.CancelledError:
            logger.info("a stream was cancelled before its last event")
        except Exception as error:
            # a bug in a stream or a callback must not end the loop for the other questions
            logger.error("a stream failed: %s", failure_place(error))
        finally:
            handle._interruptible = False
            with self._lock:
                self._runs.discard(handle)
            try:
                on_done()
            except Exception as error:
                logger.error("on_done failed: %s", failure_place(error))
            handle._finished.set()
