"""Which calls a question has made, so that none is made twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.agent.decision import Decision


class CallLog:
    """Calls by tool and inputs; the order of keys and outer white space do not matter."""

    def __init__(self) -> None:
        self._made: set[str] = set()

    def __contains__(self, decision: Decision) -> bool:
        return _signature(decision) in self._made

    def add(self, decision: Decision) -> None:
        """Remember a call."""
        self._made.add(_signature(decision))


def _signature(decision: Decision) -> str:
    inputs = {
        key: value.strip() if isinstance(value, str) else value
        for key, value in decision.inputs.items()
    }
    return json.dumps([decision.tool, inputs], sort_keys=True, default=str)
