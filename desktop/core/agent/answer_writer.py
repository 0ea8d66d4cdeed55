"""The role of whatever writes an answer, quoted or in its own words, as it is written."""

from __future__ import annotations

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
    WarningBlockEvent,
)

if TYPE_CHECKING:
    from desktop.core.agent.tree_data import TreeData

Writing = (
    StatusEvent
    | TokenEvent
    | CitationEvent
    | NoteCitationEvent
    | RevisionEvent
    | WarningBlockEvent
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
