"""What the deciders that ask a language model share: one repair, and rules when it fails."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from desktop.core.agent.decision import DECISION, Decider, Decision, DecisionRejected
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.problems import explain
from desktop.models.errors import ModelError, ModelStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)


class Asking(Protocol):
    """One way of asking a language model for a decision."""

    async def ask(
        self, model: LanguageModel, tree_data: TreeData, available: Sequence[Tool]
    ) -> dict[str, Any]:
        """Return the decision's fields, as the model wrote them.

        Raises: AnswerNotUnderstood, ModelError, Cancelled.
        """


class ModelDecider:
    """Asks the model of the profile; without one, or if it fails twice, rules decide.

    A decision outside the schema is asked for once more, with what was wrong. If that fails
    too, the next decision is told; the second time in a row the rules take that step.
    """

    def __init__(
        self,
        language_model: Callable[[], LanguageModel | None],
        asking: Asking,
        rules: Decider,
    ) -> None:
        self._language_model = language_model
        self._asking = asking
        self._rules = rules

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        """Choose the next step; see `Decider.decide`.

        Raises: DecisionRejected, if the model or its choice cannot be used; Cancelled.
        """
        model = self._language_model()
        by_rules = tree_data.rules_decide or tree_data.without_model
        if model is None or by_rules or not available:
            return await self._rules.decide(tree_data, available)
        tree_data.model_asked = True
        try:
            decision = await self._repaired(model, tree_data, available)
        except (AnswerNotUnderstood, ValidationError) as error:
            tree_data.rules_decide = bool(tree_data.errors.get(DECISION))
            raise DecisionRejected(_complaint(error)) from error
        except ModelStopped:
            raise
        except ModelError as error:
            problem = explain(error)
            tree_data.without_model = True
            raise DecisionRejected(f"{problem.title}.", problem.advice) from error
        tree_data.clear_errors(DECISION)
        return decision

    async def _repaired(
        self, model: LanguageModel, tree_data: TreeData, available: Sequence[Tool]
    ) -> Decision:
        """Ask, and ask once more with what was wrong."""
        try:
            return await self._asked(model, tree_data, available)
        except (AnswerNotUnderstood, ValidationError) as error:
            logger.info("a decision is repaired: %s", type(error).__name__)
            complaint = _complaint(error)
        tree_data.add_error(DECISION, complaint)
        try:
            return await self._asked(model, tree_data, available)
        finally:
            tree_data.errors[DECISION].remove(complaint)
            if not tree_data.errors[DECISION]:
                tree_data.clear_errors(DECISION)

    async def _asked(
        self, model: LanguageModel, tree_data: TreeData, available: Sequence[Tool]
    ) -> Decision:
        fields = await self._asking.ask(model, tree_data, available)
        decision = Decision.model_validate(fields)
        tools = {tool.name: tool for tool in available}
        if decision.tool not in tools and not decision.impossible:
            raise AnswerNotUnderstood(f"there is no tool called {decision.tool!r} now")
        if decision.tool in tools:
            tools[decision.tool].arguments.model_validate(decision.inputs)
        return decision


def _complaint(error: AnswerNotUnderstood | ValidationError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(place) for place in first["loc"])
        return f"The decision was not valid: {where}: {first['msg']}."
    return f"The decision was not valid: {error}."
