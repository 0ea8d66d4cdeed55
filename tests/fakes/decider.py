"""A scripted decider: makes the decisions a test laid out, and keeps what it was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.decision import Decision
    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData


class FakeDecider:
    def __init__(self, *decisions: Decision) -> None:
        self._decisions = list(decisions)
        self.available: list[list[str]] = []
        self.errors: list[list[str]] = []

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        self.available.append([tool.name for tool in available])
        self.errors.append([error["message"] for error in tree_data.get_errors()])
        return self._decisions.pop(0) if len(self._decisions) > 1 else self._decisions[0]
