"""The critic: judges a draft. What rules find wrong, no model can call right."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop.core.research.agents.base import VIOLATES, BaseReasoningAgent, format_context
from desktop.core.research.review import objections, reviewed
from desktop.core.structure.units import row_with_headings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.research.handler import ResearchHandler

_SHARE_OF_CONTEXT = 0.5
_WORSE = {"PASS": 0, "WARN": 1, "REJECT": 2}


class CriticAgent(BaseReasoningAgent):
    """Judges by the language model and by rules; the worse verdict counts."""

    cached = True

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "critic", handler.settings.critic_timeout)

    async def review(
        self,
        draft: str,
        query: str,
        mode: str,
        context: Sequence[Mapping[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Judge a draft; see `CriticReply`. context: lets it check values against the sources.

        Raises: as `ask`.
        """
        by_model = await self.ask(
            "CriticAgentPrompt",
            {
                "question": query,
                "mode": mode,
                "draft_to_judge": draft,
                "sources": self._format_context(context or ()),
            },
        )
        if context is None:
            return by_model
        by_rules = await asyncio.to_thread(
            review_by_rules, self.handler, draft, query, mode, context
        )
        return joined(by_model, by_rules)

    def _format_context(self, context: Sequence[Mapping[str, Any]]) -> str:
        model = self.handler.language()
        tokens = 6_000 if model is None else int(model.context_tokens * _SHARE_OF_CONTEXT)
        return format_context(context, tokens)


class RuleCritic:
    """Judges by rules alone. Satisfies the same as `CriticAgent`."""

    agent_name = "critic"

    def __init__(self, handler: ResearchHandler) -> None:
        self.handler = handler
        self.last_prompt: dict[str, Any] = {}

    async def review(
        self,
        draft: str,
        query: str,
        mode: str,
        context: Sequence[Mapping[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Judge a draft; see `CriticReply`."""
        self.last_prompt = {"prompt": "rules", "draft": draft, "mode": mode}
        return await asyncio.to_thread(
            review_by_rules, self.handler, draft, query, mode, context or ()
        )


def review_by_rules(
    handler: ResearchHandler,
    draft: str,
    query: str,
    mode: str,
    context: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the review that rules give; blocks."""
    found = objections(
        draft, context, mode, handler.comparison, query, whole_texts(handler, context)
    )
    return reviewed(found, draft).model_dump()


def whole_texts(handler: ResearchHandler, context: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return all that each source says, by its number: more than a prompt has room for."""
    found = {}
    for number, item in enumerate(context, 1):
        source = handler.sources.of(item)
        if source is not None:
            passage = source.passage(number)
            rows = [unit for unit in passage.units if unit.kind == "row"]
            told = [row_with_headings(unit.text, unit.context) for unit in rows]
            contexts = dict.fromkeys(unit.context for unit in passage.units)
            found[number] = "\n".join((*passage.lines, *told, *contexts))
    return found


def joined(by_model: dict[str, Any], by_rules: dict[str, Any]) -> dict[str, Any]:
    """Return both reviews as one; the worse verdict counts."""
    worse = max(by_model["status"], by_rules["status"], key=lambda status: _WORSE[status])
    violates = VIOLATES in (by_model["mode_compliance"], by_rules["mode_compliance"])
    return {
        **by_model,
        "status": worse,
        "critique": "\n".join(
            part for part in (by_model["critique"], by_rules["critique"]) if part
        ),
        "suggestions": [*by_rules["suggestions"], *by_model["suggestions"]][:20],
        "logical_gaps": [*by_rules["logical_gaps"], *by_model["logical_gaps"]][:40],
        "mode_compliance": VIOLATES if violates else by_model["mode_compliance"],
    }
