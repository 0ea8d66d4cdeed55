"""What the critic could not mend in the answer of a question, for the checks at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.critic.values import Finding

_KEY = "doubts"


def keep_doubts(environment: Environment, left: Sequence[Finding]) -> None:
    """Keep what is still wrong with the answer."""
    environment.hidden_environment[_KEY] = tuple(left)


def steps_missing(environment: Environment) -> bool:
    """Whether the answer leaves out a step of a procedure."""
    doubts: Sequence[Finding] = environment.hidden_environment.get(_KEY, ())
    return any(finding.kind == "missing_step" for finding in doubts)
