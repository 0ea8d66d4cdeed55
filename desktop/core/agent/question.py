"""What belongs to one run of the agent, and to no other."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from desktop.core.agent.commitments import Delivered
from desktop.core.events import CompleteEvent
from desktop.core.reports.contents import answered_turn

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from desktop.core.agent.decision import Decision
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.events import Event
    from desktop.core.jobs import CancelToken
    from desktop.core.reports.contents import AnsweredTurn


T = TypeVar("T")

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


class TimeIsUp(Exception):  # noqa: N818 - an outcome of the question
    """The question has used all its time."""


class Deadline:
    """A point in time after which no wait goes on."""

    def __init__(self, seconds: float) -> None:
        self._end = perf_counter() + seconds

    async def limit(self, step: Awaitable[T]) -> T:
        """Await one step of the question.

        Raises: TimeIsUp, if the time of the question is over before it ends.
        """
        limit = asyncio.timeout(max(0.0, self._end - perf_counter()))
        try:
            async with limit:
                return await step
        except TimeoutError as error:
            if limit.expired():  # else it is the step's own
                raise TimeIsUp from error
            raise


@dataclass(slots=True)
class Question:
    """A question while it is answered.

    ended: a tool has ended it. repeated: the tool whose last call was one it had run before.
    delivered: what its events have brought. own_words: the search that was made before a model
    was asked, if it found something.
    """

    tree_data: TreeData
    cancel: CancelToken
    deadline: Deadline
    calls: CallLog = field(default_factory=CallLog)
    delivered: Delivered = field(default_factory=Delivered)
    events: list[Event] = field(default_factory=list)
    ended: bool = False
    repeated: str = ""
    own_words: Decision | None = None

    def take(self, event: Event) -> None:
        """Remember what a person was told."""
        self.events.append(event)
        self.delivered.take(event)

    def answered(self) -> AnsweredTurn | None:
        """Return the answer that the events so far make."""
        ended = CompleteEvent("answered", 0.0, self.tree_data.num_iterations)
        return answered_turn(self.tree_data.user_prompt, [*self.events, ended])
