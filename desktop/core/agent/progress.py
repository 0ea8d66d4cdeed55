"""What a model does while a question waits for it, as status events: nothing happens in silence."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop.core.events import StatusEvent
from desktop.models.generation import ModelLoading, PromptProgress, TextPart
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from desktop.models.generation import GenerationPart
    from desktop.sentences import Sentence

T = TypeVar("T")
_STEP = 10
"""Per cent between two sentences."""

WRITING = said("Writing the answer")
DECIDING = said("Deciding what to do next")
CHECKING = said("Checking the answer")
SHORTENING = said("Shortening what was found")


class WorkStatus:
    """Turns the progress of one generation into status events, each at most once."""

    def __init__(self, model_id: str, doing: Sentence) -> None:
        """Keep the model's name. model_id: name and revision, joined by "@". doing: its work."""
        self._name = model_id.partition("@")[0]
        self._doing = doing
        self._said = ""
        self._step = -1

    def of(self, part: GenerationPart) -> StatusEvent | None:
        """Return what to say about a part of the generation, None if that has been said."""
        match part:
            case ModelLoading(fraction):
                share = f"{fraction:.0%}"
                return self._once(
                    "loading",
                    fraction,
                    said("Loading {name} {share}", name=self._name, share=share),
                )
            case PromptProgress(done, total):
                reading = said(
                    "Reading {done} of {total} tokens", done=f"{done:,}", total=f"{total:,}"
                )
                return self._once("reading", done / total if total else 1.0, reading)
            case TextPart():
                return self._once("writing", 0.0, self._doing)
            case _:
                return None

    def _once(self, what: str, fraction: float, sentence: Sentence) -> StatusEvent | None:
        step = int(fraction * 100) // _STEP
        if (what, step) == (self._said, self._step):
            return None
        self._said, self._step = what, step
        return StatusEvent(sentence)


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """What a step that was waited for returned."""

    value: T


class Progress:
    """Carries the progress of models from their threads to whoever waits for a step."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[StatusEvent | None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def listener(
        self, model_id: str, doing: Sentence, also: Callable[[GenerationPart], None]
    ) -> Callable[[GenerationPart], None]:
        """Return what hears the parts of a generation, on any thread. also: hears them too."""
        status = WorkStatus(model_id, doing)

        def take(part: GenerationPart) -> None:
            also(part)
            event = status.of(part)
            told, loop = self._told, self._loop
            if event is not None and told is not None and loop is not None:
                with suppress(RuntimeError):  # the loop is closed, nobody waits
                    loop.call_soon_threadsafe(told.put_nowait, event)

        return take

    async def during(self, step: Awaitable[T]) -> AsyncGenerator[StatusEvent | Done[T], None]:
        """Wait for a step, yield what is reported, its result last. Raises: what it raises."""
        told: asyncio.Queue[StatusEvent | None] = asyncio.Queue()
        self._told, self._loop = told, asyncio.get_running_loop()
        task = asyncio.ensure_future(step)
        task.add_done_callback(lambda _task: told.put_nowait(None))
        try:
            while (event := await told.get()) is not None:
                yield event
            yield Done(await task)
        finally:
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration, Exception):
                    await task
