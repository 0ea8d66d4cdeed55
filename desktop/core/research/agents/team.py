"""Who does the work: agents with the language model, or rules where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.research.agents.analyst import AnalystAgent
from desktop.core.research.agents.critic import CriticAgent, RuleCritic
from desktop.core.research.agents.rule_analyst import RuleAnalyst
from desktop.core.research.agents.writer import RuleWriter, WriterAgent

if TYPE_CHECKING:
    from desktop.core.research.handler import ResearchHandler


@dataclass(frozen=True, slots=True)
class Team:
    """with_model: whether a language model does it."""

    analyst: AnalystAgent | RuleAnalyst
    critic: CriticAgent | RuleCritic
    writer: WriterAgent | RuleWriter
    with_model: bool


def make_team(handler: ResearchHandler) -> Team:
    """Return the agents of one research."""
    if handler.language() is None:
        return Team(RuleAnalyst(handler), RuleCritic(handler), RuleWriter(), False)
    return Team(AnalystAgent(handler), CriticAgent(handler), WriterAgent(handler), True)
