"""An ordinary question that asks to verify something, with the proposal to research it."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from desktop.core.events import CompleteEvent, ResearchProposalEvent
from desktop.core.research.proposal import research_proposal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core.conversations.asking import Asks
    from desktop.core.events import Event


class ProposingAgent:
    """Runs questions as another agent does, and adds the proposal before the last event."""

    def __init__(self, agent: Asks) -> None:
        self._agent = agent

    async def run(self, prompt: str, **options: Any) -> AsyncGenerator[Event, None]:
        """Yield the events of a question; see `Asks.run`."""
        proposal = research_proposal(prompt)
        async with aclosing(self._agent.run(prompt, **options)) as events:
            async for event in events:
                answered = isinstance(event, CompleteEvent) and event.outcome != "cancelled"
                if answered and proposal is not None:
                    yield ResearchProposalEvent(prompt, proposal.mode, proposal.reason)
                yield event
