"""Decisions through `VSMChainOfThought(DecisionSignature)`: the default with a model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop.core.agent.compiled_programs import CompiledPrograms
from desktop.core.agent.deciding.decision_schema import decision_schema
from desktop.core.agent.deciding.tool_guide import tool_guide
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.program import LanguageProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData
    from desktop.models.roles import LanguageModel

DECISION_TOKENS = 600
_SHARE_OF_CONTEXT = 0.5
_MOST_TOKENS = 10_000
"""Of the environment: what was found first answers, and more takes long to read."""


class DSPyAsking:
    """Satisfies `Asking`. ending: the tools that may say that it is impossible.

    programs: what an optimiser found for the model. tools: all that may ever be available;
    the prompt tells of them in every decision. Without them, of those available.
    """

    def __init__(
        self,
        ending: Sequence[Tool],
        programs: CompiledPrograms | None = None,
        tools: Sequence[Tool] = (),
    ) -> None:
        self._ending = ending
        self._tools = tools
        self._programs = programs or CompiledPrograms()

    async def ask(
        self, model: LanguageModel, tree_data: TreeData, available: Sequence[Tool]
    ) -> dict[str, Any]:
        """Return the fields of a decision; see `Asking.ask`."""
        module = await asyncio.to_thread(self._module, model, tree_data)
        schema = decision_schema(available, self._ending, "tool_name", "tool_inputs")
        prediction = await LanguageProgram(
            model, max_tokens=DECISION_TOKENS, on_part=tree_data.trace.spent.listener("decision")
        ).arun(
            module,
            tools=tool_guide(self._tools or available),
            available_tools=[tool.name for tool in available],
            config={"response_format": _named(schema)},
        )
        return {
            "tool": prediction.tool_name,
            "inputs": prediction.tool_inputs,
            "reasoning": prediction.reasoning,
            "should_end": prediction.should_end,
            "impossible": prediction.impossible,
        }

    def _module(self, model: LanguageModel, tree_data: TreeData) -> Any:
        """Make what asks; blocks, for the model's tokenizer and the file of programs."""
        module = decision_module(tree_data, _environment_tokens(model, tree_data))
        self._programs.apply(module, "decision", model.model_id)
        return module


def decision_module(tree_data: TreeData, environment_tokens: int) -> Any:
    """Make what asks for a decision; the import of DSPy takes half a second the first time."""
    load_dspy()
    from desktop.core.agent.chain_of_thought import VSMChainOfThought
    from desktop.core.agent.signatures import DecisionSignature

    return VSMChainOfThought(
        DecisionSignature,
        tree_data,
        environment=True,
        tasks_completed=True,
        environment_tokens=environment_tokens,
        standing=("tools",),
    )


def _environment_tokens(model: LanguageModel, tree_data: TreeData) -> int:
    """Return how many estimated tokens of the environment fit, by the model's own tokenizer.

    A tokenizer that makes more of a text than is estimated gets less of it to read.
    """
    room = min(_MOST_TOKENS, int(model.context_tokens * _SHARE_OF_CONTEXT))
    if tree_data.environment.is_empty():
        return room
    counted = model.count_tokens(tree_data.environment.to_llm_context(room))
    return room if counted <= room else room * room // counted


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "Decision", "schema": schema}}
