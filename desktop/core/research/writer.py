"""The writer: the reviewed draft as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.research.analyst import review_text
from desktop.core.research.base_agent import BaseReasoningAgent, source_names
from desktop.core.research.report import read_draft, write_draft
from desktop.core.research.sources import tier_of_item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.research.handler import ResearchHandler
    from desktop.core.research.sources import Confidence

_BEST, _GOOD = 1, 2
_MOSTLY = 0.5


class WriterAgent(BaseReasoningAgent):
    """Writes by the language model; without one it leaves the draft's words as they are."""

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "writer", handler.settings.writer_timeout)

    async def compose(
        self, draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]], mode: str
    ) -> dict[str, Any]:
        """Write the report; see `WriterReply`. In monitor mode the lists stay as they are.

        Raises: as `ask`.
        """
        if mode == "monitor" or self.handler.language() is None:
            self.last_prompt = {"prompt": "rules"}
            return composed_by_rules(draft, review, context, mode)
        return await self.ask(
            "WriterAgentPrompt",
            {
                "reviewed_draft": draft,
                "review": review_text(review),
                "mode": mode,
                "source_names": source_names(context),
            },
            level="low",
        )


def composed_by_rules(
    draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]], mode: str
) -> dict[str, Any]:
    """Return the draft as a report: its words, the names it cites, how sure it is."""
    sentences = read_draft(draft)
    cited = list(dict.fromkeys(n for each in sentences for n in each.cited))
    known = [number for number in cited if 1 <= number <= len(context)]
    tiers = [tier_of_item(context[number - 1]) for number in known]
    if mode == "monitor":  # what the site believes is not what the report relies on
        tiers = [tier for tier in tiers if tier <= _GOOD]
    return {
        "final_report": write_draft(sentences) or "Nothing was found.",
        "sources_used": list(dict.fromkeys(str(context[n - 1].get("name", "")) for n in known)),
        "confidence_level": confidence_of(review, tiers),
    }


def confidence_of(review: Mapping[str, Any], tiers: Sequence[int]) -> Confidence:
    """Return how sure a report is: by its review and by the tiers of what it cites."""
    if not tiers or review.get("status") == "REJECT":
        return "Low"
    good = sum(tier <= _GOOD for tier in tiers) / len(tiers)
    if review.get("status") == "PASS" and min(tiers) == _BEST and good == 1:
        return "High"
    return "Medium" if good >= _MOSTLY else "Low"
