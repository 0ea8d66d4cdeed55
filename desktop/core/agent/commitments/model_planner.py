"""The planner with a language model: asked only where the words leave it open."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from desktop.core.agent.commitments.planning import mentions_delivery, planned_by_rules
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.language.program import LanguageProgram
from desktop.core.sentences import said
from desktop.models.errors import ModelError, ModelStopped

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.agent.commitments.planning import Plan
    from desktop.core.agent.tree_data import TreeData
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

_TOKENS = 80
_BY_MODEL = said("the language model read it so")


class ModelPlanner:
    """Satisfies `Planner`: rules, and a model's word where a delivery is named but not plain.

    Most questions name nothing to be delivered: for them the model is not asked.
    """

    def __init__(self, language_model: Callable[[], LanguageModel | None]) -> None:
        self._language_model = language_model

    async def plan(self, tree_data: TreeData) -> Plan:
        """Return the plan; see `Planner.plan`."""
        plan = planned_by_rules(tree_data.user_prompt)
        if plan.evidence or not mentions_delivery(tree_data.user_prompt):
            return plan
        model = self._language_model()
        if model is None:
            return plan
        try:
            module = await asyncio.to_thread(_module)
            program = LanguageProgram(
                model, max_tokens=_TOKENS, on_part=tree_data.trace.spent.listener("plan")
            )
            prediction = await program.arun(module, user_prompt=tree_data.user_prompt)
        except ModelStopped:
            raise
        except (AnswerNotUnderstood, ModelError, ValidationError) as error:
            logger.info("the model's plan is not used: %s", type(error).__name__)
            return plan
        wanted = tuple(dict.fromkeys(prediction.deliveries))
        evidence = (_BY_MODEL,) if wanted else ()
        return replace(plan, commitments=(*plan.commitments, *wanted), evidence=evidence)


def _module() -> Any:
    dspy = load_dspy()
    from desktop.core.agent.signatures import CommitmentSignature

    return dspy.Predict(CommitmentSignature)
