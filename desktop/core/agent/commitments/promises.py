"""From the plan of a question to its end: what was promised, and whether it was delivered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from desktop.core.agent.answering.unanswered import parts_not_found
from desktop.core.agent.commitments.delivery import what_is_missing
from desktop.core.agent.commitments.planning import RulePlanner
from desktop.core.agent.critic.doubts import steps_missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.agent.commitments.delivery import Delivered
    from desktop.core.agent.commitments.kinds import Commitment
    from desktop.core.agent.commitments.planning import Planner
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.events import Outcome


class Promises:
    """Plans what a question has to deliver and checks it at the end."""

    def __init__(
        self,
        planner: Planner | None = None,
        has_figure: Callable[[int, int], bool] = lambda _document_id, _page: False,
    ) -> None:
        """has_figure: whether a page has one, by document and page index; blocking."""
        self._planner = planner or RulePlanner()
        self._has_figure = has_figure

    async def plan(self, tree_data: TreeData) -> None:
        """Write down what has to be delivered."""
        plan = await self._planner.plan(tree_data)
        tree_data.commitments = plan.commitments
        tree_data.trace.planned(plan.thought, plan.commitments, plan.evidence)

    async def conclude(
        self, tree_data: TreeData, delivered: Delivered, outcome: Outcome
    ) -> tuple[Outcome, tuple[str, ...]]:
        """Return the outcome of the question and what is missing, a sentence each.

        An answer that lacks something else that was asked for is partial.
        """
        promised = cast("tuple[Commitment, ...]", tree_data.commitments)
        missing: tuple[str, ...] = ()
        kept: tuple[Commitment, ...] = ()
        if outcome == "answered":
            kept = await asyncio.to_thread(
                delivered.kept,
                promised,
                steps_missing=steps_missing(tree_data.environment),
                has_figure=self._has_figure,
            )
            missing = what_is_missing(promised, kept) + parts_not_found(tree_data.unanswered)
            outcome = "partial" if missing else "answered"
        tree_data.trace.finished(outcome, kept, missing, self._confidence(delivered, missing))
        return outcome, missing

    def _confidence(self, delivered: Delivered, missing: tuple[str, ...]) -> float | None:
        if delivered.confidence is None or not missing:
            return delivered.confidence
        return round(delivered.confidence * _NOT_DELIVERED ** len(missing), 4)


# What was delivered may be right all the same.
_NOT_DELIVERED = 0.9
