"""What belongs to one run of the agent, and to no other."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.agent.commitments import Delivered

if TYPE_CHECKING:
    from desktop.core.agent.clock import Deadline
    from desktop.core.agent.decision import Decision
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.jobs import CancelToken


_HOW_MANY = "limit"
"""The same search with room for more results finds nothing else first: it is the same call."""


class CallLog:
    """Calls by tool and inputs; the order of keys, white space and a limit do not matter."""

    def __init__(self) -> None:
        self._made: set[str] = set()

    def __contains__(self, decision: Decision) -> bool:
        return _signature(decision) in self._made

    @staticmethod
    def same(one: Decision, other: Decision) -> bool:
        """Whether two decisions make the same call."""
        return _signature(one) == _signature(other)

    def add(self, decision: Decision) -> None:
        """Remember a call."""
        self._made.add(_signature(decision))


def _signature(decision: Decision) -> str:
    inputs = {
        key: " ".join(value.split()) if isinstance(value, str) else value
        for key, value in decision.inputs.items()
        if key != _HOW_MANY
    }
    return json.dumps([decision.tool, inputs], sort_keys=True, default=str)


@dataclass(slots=True)
class Question:
    """A question while it is answered.

    ended: a tool has ended it. repeated: the tool whose last call was one it had run before.
    delivered: what its events have brought.
    """

    tree_data: TreeData
    cancel: CancelToken
    deadline: Deadline
    calls: CallLog = field(default_factory=CallLog)
    delivered: Delivered = field(default_factory=Delivered)
    ended: bool = False
    repeated: str = ""
