"""The analyst: reads the sources and drafts the answer, or says what is missing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop.core.language.untrusted_text import neutral
from desktop.core.research.agents.base import BaseReasoningAgent, format_context
from desktop.core.research.monitor import compared, monitor_draft, settled_by_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.research.handler import ResearchHandler
    from desktop.core.research.monitor import ComparedPair, Verdict
    from desktop.core.research.source_filter import TemporalContext

_SHARE_OF_CONTEXT = 0.55
_PAIRS_AT_ONCE = 12


class AnalystAgent(BaseReasoningAgent):
    """Drafts by the language model. In monitor mode it judges pairs of statements.

    comparisons: what the last monitor research came to.
    """

    cached = True

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "analyst", handler.settings.analyst_timeout)
        self.comparisons: tuple[ComparedPair, ...] = ()

    async def research(
        self,
        query: str,
        context: Sequence[Mapping[str, Any]],
        mode: str,
        temporal_context: TemporalContext | None = None,
    ) -> dict[str, Any]:
        """Draft an answer from numbered sources; see `AnalystReply`.

        Raises: as `ask`.
        """
        if mode == "monitor":
            return await self._monitored(context)
        return await self.ask(
            "AnalystAgentPrompt",
            {
                "question": query,
                "mode": mode,
                "temporal_context": str(temporal_context or ""),
                "sources": self._format_context(context),
            },
        )

    async def revise(
        self, draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Work a review into a draft; see `AnalystReply`.

        Raises: as `ask`.
        """
        return await self.ask(
            "AnalystRevisePrompt",
            {
                "draft_to_revise": draft,
                "review": review_text(review),
                "sources": self._format_context(context),
            },
        )

    def _format_context(self, context: Sequence[Mapping[str, Any]]) -> str:
        model = self.handler.language()
        tokens = 6_000 if model is None else int(model.context_tokens * _SHARE_OF_CONTEXT)
        return format_context(context, tokens)

    async def _monitored(self, context: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Compare, and ask the model about the pairs that are left open."""
        found = await asyncio.to_thread(
            compared,
            context,
            self.handler.sources,
            self.handler.settings,
            self.handler.comparison,
        )
        open_pairs = [each for each in found if each.verdict == "open"]
        verdicts: dict[int, Verdict] = {}
        for first in range(0, len(open_pairs), _PAIRS_AT_ONCE):
            batch = open_pairs[first : first + _PAIRS_AT_ONCE]
            judged = await self._judged([(p.site.text, p.official.told) for p in batch])
            turned = await self._judged([(p.official.told, p.site.text) for p in reversed(batch)])
            for position, verdict in judged.items():
                # a model that is not sure says something else when it is asked the other way round
                if turned.get(len(batch) - 1 - position) == verdict:
                    verdicts[first + position] = verdict
        self.comparisons = settled_by_model(found, verdicts)
        return {
            "status": "DRAFT_READY",
            "new_queries": [],
            "draft": monitor_draft(self.comparisons),
            "reasoning_chain": f"{len(found)} pairs compared, {len(open_pairs)} by the model.",
        }

    async def _judged(self, pairs: Sequence[tuple[str, str]]) -> dict[int, Verdict]:
        """Return what the model says of pairs, by position from 0."""
        told = "\n".join(
            f"{number}. A: “{neutral(one)}” B: “{neutral(other)}”"
            for number, (one, other) in enumerate(pairs, 1)
        )
        reply = await self.ask("MonitorAgentPrompt", {"pairs": told})
        return {
            each["pair"] - 1: each["verdict"]
            for each in reply["verdicts"]
            if each["pair"] <= len(pairs)
        }


def review_text(review: Mapping[str, Any]) -> str:
    """Return a review as a prompt tells it."""
    gaps = "\n".join(f"- {gap}" for gap in review.get("logical_gaps", ()))
    advice = "\n".join(f"- {each}" for each in review.get("suggestions", ()))
    parts = (
        str(review.get("critique", "")),
        gaps and f"Faults:\n{gaps}",
        advice and f"Do:\n{advice}",
    )
    return "\n".join(part for part in parts if part)
