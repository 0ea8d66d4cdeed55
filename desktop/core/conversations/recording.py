"""Writes a question down while it runs: its events go to the library in small batches."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from desktop.core.conversations import rows
from desktop.core.conversations.values import HISTORY_TURNS, messages
from desktop.core.errors import LibraryError
from desktop.core.events import (
    ClarificationEvent,
    CompleteEvent,
    ErrorEvent,
    Event,
    RevisedText,
    TokenEvent,
)
from desktop.core.problems import explain, failure_place
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Sequence
    from concurrent.futures import Future

    import apsw

    from desktop.core.conversations.values import TurnOutcome
    from desktop.core.store.database import Database

logger = logging.getLogger(__name__)

BATCH_SECONDS = 0.25
"""Events are gathered this long before they are written: each write waits for the disk."""


class Recording:
    """The turn of one running question; only `wait` blocks. failure: what cannot be stored."""

    def __init__(
        self,
        database: Database,
        conversation_id: int,
        prompt: str,
        stamp: str,
        document_ids: Sequence[int],
    ) -> None:
        """Queue the question itself. Raises: LibraryNotWritable."""
        self._database = database
        self._pending: list[Event] = []
        self._text = RevisedText()
        self._asked_back = ""
        self._outcome: TurnOutcome = "interrupted"
        self._closed = False

        def begin(connection: apsw.Connection) -> tuple[int, list[tuple[str, str]]]:
            """Return the turn's id, and questions and answers of the turns before."""
            # what came before is in the library now: one thread writes, in order
            said = rows.last_said(connection, conversation_id, HISTORY_TURNS)
            turn_id = rows.insert_turn(connection, conversation_id, prompt, stamp, document_ids)
            return turn_id, said

        self.failure: BaseException | None = None
        self._begun = database.submit(begin)
        self._begun.add_done_callback(self._note)
        self._last: Future[Any] = self._begun

    async def history(self) -> list[dict[str, str]]:
        """Return what was said before this question, as messages; [] if that is not known."""
        try:
            _, before = await asyncio.shield(asyncio.wrap_future(self._begun))
        except LibraryError:  # noted: the question is asked all the same
            return []
        return messages(before)

    def take(self, event: Event) -> None:
        """Keep an event for the next `flush`; the last one of a question is queued at once."""
        self._pending.append(event)
        self._text.take(event)
        if isinstance(event, ClarificationEvent):
            self._asked_back = "\n".join([event.question, *(f"- {each}" for each in event.options)])
        if isinstance(event, CompleteEvent):
            self._outcome = event.outcome
            self.close()

    def flush(self) -> None:
        """Queue what was taken since the last time."""
        batch, self._pending = self._pending, []
        if batch:
            self._submit(batch)

    def close(self) -> None:
        """Queue the rest and the outcome: "interrupted" if the last event never came."""
        if not self._closed:
            self._closed = True
            batch, self._pending = self._pending, []
            self._submit(batch, self._outcome)

    def wait(self) -> None:
        """Wait until everything queued is on the disk. Raises: what writing failed with."""
        self._last.result()

    def _submit(self, batch: Sequence[Event], outcome: TurnOutcome = "") -> None:
        answer = self._asked_back or self._text.text

        def write(connection: apsw.Connection) -> None:
            turn_id, _ = self._begun.result()  # queued before us: it is over by now
            lines = "".join(rows.event_to_store(event) + "\n" for event in _joined(batch))
            rows.append_events(connection, turn_id, lines, answer)
            if outcome:
                rows.finish_turn(connection, turn_id, outcome)

        self._last = self._database.submit(write)
        self._last.add_done_callback(self._note)

    def _note(self, write: Future[Any]) -> None:
        failure = write.exception()
        if failure is not None and self.failure is None:
            self.failure = failure
            logger.error("a question was not stored: %s", failure_place(failure))


async def recorded(
    stream: AsyncGenerator[Event, None], recording: Recording
) -> AsyncGenerator[Event, None]:
    """Yield the events of `stream` while `recording` stores them in small batches.

    One is added if storing has failed: an error before the last event, which says so.
    """
    loop = asyncio.get_running_loop()
    waiting: asyncio.TimerHandle | None = None
    try:
        async with aclosing(stream) as events:
            async for event in events:
                recording.take(event)
                if waiting is None or waiting.when() < loop.time():
                    waiting = loop.call_later(BATCH_SECONDS, recording.flush)
                if isinstance(event, CompleteEvent) and recording.failure is not None:
                    problem = explain(recording.failure)
                    title = said("This question was not stored: {title}.", title=problem.title)
                    yield ErrorEvent(title, recoverable=True, suggestion=problem.advice)
                yield event
    finally:
        if waiting is not None:
            waiting.cancel()
        recording.close()


def _joined(events: Iterable[Event]) -> list[Event]:
    """Return the events with neighbouring pieces of the answer joined."""
    joined: list[Event] = []
    for event in events:
        last = joined[-1] if joined else None
        if isinstance(event, TokenEvent) and isinstance(last, TokenEvent):
            joined[-1] = TokenEvent(last.content + event.content)
        else:
            joined.append(event)
    return joined
