"""The time of one question: milliseconds for the trace and the limit for every wait."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


def now() -> float:
    """Return a monotonic time in seconds."""
    return time.perf_counter()


def milliseconds_since(start: float) -> float:
    """Return the milliseconds since `start`, to hundredths."""
    return round((now() - start) * 1000, 2)


class TimeIsUp(Exception):  # noqa: N818 - an outcome of the question
    """The question has used all its time."""


class Deadline:
    """A point in time after which no wait goes on."""

    def __init__(self, seconds: float) -> None:
        self._end = now() + seconds

    async def limit(self, step: Awaitable[T]) -> T:
        """Await one step of the question.

        Raises: TimeIsUp, if the time of the question is over before it ends.
        """
        limit = asyncio.timeout(max(0.0, self._end - now()))
        try:
            async with limit:
                return await step
        except TimeoutError as error:
            if limit.expired():  # else it is the step's own
                raise TimeIsUp from error
            raise
