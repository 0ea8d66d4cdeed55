"""The role of whoever writes an answer, quoted or in words of its own, as it is written."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Protocol

from desktop.core.answering.answer import Answer
from desktop.core.events import (
    CitationEvent,
    ErrorEvent,
    NoteCitationEvent,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
)
from desktop.sentences import is_sentence

if TYPE_CHECKING:
    from desktop.core.agent.tree_data import TreeData

Writing = (
    StatusEvent
    | TokenEvent
    | CitationEvent
    | NoteCitationEvent
    | RevisionEvent
    | ErrorEvent
    | Answer
)
"""What comes while an answer is written; the `Answer` that it was, once, is the last."""

WritingStream = AsyncGenerator[Writing, None]


class AnswerWriter(Protocol):
    """Writes the answer to a question from what was found, and from nothing else."""

    def write(self, tree_data: TreeData) -> WritingStream:
        """Write the answer and yield it as it grows.

        A citation comes before its mark "[1]" does. Nothing is streamed of an answer that
        says "not in the manuals": its sentence is not the writer's. An `ErrorEvent` tells
        what went wrong and what is done instead; the answer goes on.
        """


def pieces_of(text: str) -> list[str]:
    """Return a text in words, each with the white space before it."""
    return re.findall(r"\s*\S+|\s+$", text)


async def written(text: str) -> AsyncGenerator[TokenEvent, None]:
    """Yield a text word by word, white space kept; a cancelled answer stops between two.

    A sentence of ours is one piece.
    """
    for word in [text] if is_sentence(text) else pieces_of(text):
        yield TokenEvent(word)
        await asyncio.sleep(0)
