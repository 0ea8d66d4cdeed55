"""Deep research as the next question of a conversation: understood with it, and kept in it."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from desktop.core.conversations.followup import resolved

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from desktop.core.events import Event, ResearchMode
    from desktop.core.jobs import CancelToken
    from desktop.core.research.deep_research import DeepResearch
    from desktop.core.research.temporal import TemporalContext


class ResearchingAgent:
    """Satisfies `Asks`: every question is researched in one mode."""

    def __init__(
        self, research: DeepResearch, mode: ResearchMode, temporal: TemporalContext | None = None
    ) -> None:
        self._research = research
        self._mode = mode
        self._temporal = temporal

    async def run(
        self,
        prompt: str,
        *,
        document_ids: frozenset[int] = frozenset(),
        cancel: CancelToken | None = None,
        conversation_history: Sequence[Mapping[str, str]] = (),
        conversation_id: int = 0,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of a research; see `Asks.run`."""
        stream = self._research.events(
            resolved(prompt, conversation_history),
            self._mode,
            document_ids=document_ids,
            temporal_context=self._temporal,
            cancel=cancel,
            conversation_id=conversation_id,
        )
        async with aclosing(stream) as events:
            async for event in events:
                yield event
