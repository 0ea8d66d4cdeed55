"""Which calls a question has made, so that none is made twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.agent.decision import Decision


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
