"""A question within a conversation: it knows what was said before, and is written down."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Protocol

from desktop.core.conversations.recording import recorded
from desktop.core.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from desktop.core.conversations.recording import Recording
    from desktop.core.conversations.store import Conversations
    from desktop.core.events import Event
    from desktop.core.jobs import CancelToken


LONGEST_WAIT_SECONDS = 1.0
"""For what is still being written; then what is in the library already has to do."""


class Asks(Protocol):
    """Runs a question, as the orchestrator does."""

    def run(
        self,
        prompt: str,
        *,
        document_ids: frozenset[int] = frozenset(),
        cancel: CancelToken | None = None,
        conversation_history: Sequence[Mapping[str, str]] = (),
        conversation_id: int = 0,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of a question; the last one is a `CompleteEvent`."""


async def ask_within(
    conversations: Conversations,
    conversation_id: int,
    agent: Asks,
    prompt: str,
    document_ids: frozenset[int],
    cancel: CancelToken,
    *,
    by_itself: bool = False,
) -> AsyncGenerator[Event, None]:
    """Ask `prompt` as the next question of a conversation and yield its events.

    by_itself: what was said before is not part of it. A read-only library tells what was said
    before, and keeps nothing of this question.
    """
    recording = None
    if not conversations.read_only:
        recording = conversations.begin_turn(conversation_id, prompt, document_ids)
    try:
        history: list[dict[str, str]] = []
        if not cancel.cancelled and not by_itself:
            history = await _history(conversations, conversation_id, recording, cancel)
        stream = agent.run(
            prompt,
            document_ids=document_ids,
            cancel=cancel,
            conversation_history=history,
            conversation_id=conversation_id,
        )
        if recording is not None:
            stream = recorded(stream, recording)
        async with aclosing(stream) as events:
            async for event in events:
                yield event
    finally:
        if recording is not None:
            recording.close()


async def _history(
    conversations: Conversations,
    conversation_id: int,
    recording: Recording | None,
    cancel: CancelToken,
) -> list[dict[str, str]]:
    try:
        if recording is not None:
            return await asyncio.wait_for(recording.history(), LONGEST_WAIT_SECONDS)
        return await asyncio.to_thread(_known_history, conversations, conversation_id)
    except TimeoutError:
        return await asyncio.to_thread(_known_history, conversations, conversation_id)
    except asyncio.CancelledError:
        if not cancel.cancelled:
            raise
        return []  # the agent says goodbye by itself: it looks at `cancel` first


def _known_history(conversations: Conversations, conversation_id: int) -> list[dict[str, str]]:
    try:
        return conversations.history(conversation_id)
    except LibraryError:
        return []
