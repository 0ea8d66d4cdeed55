"""The decider of the Lite profile: fixed rules, no language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.decision import Decision
from desktop.core.agent.wording import reworded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData

SEARCH = "fast_vector_search"
RESPONSE = "text_response"
LONGEST_QUERY = 2_000
"""Characters of a pasted question that are searched for."""


class RuleDecider:
    """Search, search once more in other words if that failed, then answer."""

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        """Choose the next step; see `Decider.decide`."""
        if not tree_data.environment.is_empty():
            return Decision(
                tool=RESPONSE, reasoning="Pages were found; answer from them.", should_end=True
            )
        if SEARCH not in {tool.name for tool in available}:
            return _give_up("There is nothing that can be searched.")
        question = tree_data.user_prompt.strip()[:LONGEST_QUERY]
        failures = len(tree_data.errors.get(SEARCH, []))
        if failures == 0:
            return _search(question, "Look for the words and the meaning of the question.")
        wording = reworded(question)
        if failures == 1 and wording:
            return _search(wording, "The first search failed; try the words that matter.")
        return _give_up("Searching did not find anything.")


def _search(query: str, reasoning: str) -> Decision:
    return Decision(tool=SEARCH, inputs={"query": query}, reasoning=reasoning)


def _give_up(reasoning: str) -> Decision:
    return Decision(tool=RESPONSE, reasoning=reasoning, should_end=True, impossible=True)
