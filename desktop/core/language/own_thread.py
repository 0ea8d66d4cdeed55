"""Blocking work on threads of its own, awaited without blocking the loop of asyncio."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator

T = TypeVar("T")


async def on_own_thread(
    start: Callable[[Callable[[], bool]], Iterator[T]], name: str = "groundwork-generation"
) -> AsyncGenerator[T, None]:
    """Run a generator on a thread of its own and yield its items as they are made.

    The thread is not one of the loop's few for blocking calls, because it may wait minutes
    for its turn on the inference thread. `start` is called on it, with a function that
    returns True once nobody reads the items any more; the generator then ends by itself.

    Raises: what the generator raises.
    """
    loop = asyncio.get_running_loop()
    items: asyncio.Queue[T | BaseException] = asyncio.Queue()
    abandoned = threading.Event()

    def pass_on(item: T | BaseException) -> None:
        with suppress(RuntimeError):  # the loop is closed, nobody reads
            loop.call_soon_threadsafe(items.put_nowait, item)

    def work() -> None:
        try:
            for item in start(abandoned.is_set):
                pass_on(item)
        except BaseException as error:  # it belongs to whoever reads the items
            pass_on(error)
        else:
            pass_on(StopIteration())

    threading.Thread(target=work, name=name, daemon=True).start()
    try:
        while not isinstance(item := await items.get(), BaseException):
            yield item
        if not isinstance(item, StopIteration):
            raise item
    finally:
        abandoned.set()


class LimitedCalls:
    """Waits a limited time for each blocking call.

    A call cannot be stopped: one that takes longer runs on by itself, and until it ends
    no other is begun, so that a source that hangs is waited for only once.
    """

    def __init__(self, seconds: float, name: str) -> None:
        self.seconds = seconds
        self._name = name
        self._late: set[Future[object]] = set()

    async def run(self, work: Callable[[], T]) -> T:
        """Return what a call returns.

        Raises: TimeoutError, at once while an earlier call still goes on. What the call raises.
        """
        self._late = {call for call in self._late if not call.done()}
        if self._late:
            raise TimeoutError
        call: Future[T] = Future()
        call.set_running_or_notify_cancel()

        def settle() -> None:
            try:
                call.set_result(work())
            except BaseException as error:  # it belongs to whoever waits
                call.set_exception(error)

        threading.Thread(target=settle, name=self._name, daemon=True).start()
        try:
            async with asyncio.timeout(self.seconds):
                return await asyncio.wrap_future(call)
        except TimeoutError:
            self._late.add(cast("Future[object]", call))
            raise
