"""A question back, when what was asked means several things that the manuals tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from desktop.core.agent.answering.written_words import written
from desktop.core.agent.result import Error
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.events import ClarificationEvent

if TYPE_CHECKING:
    from desktop.core.agent.tool import ToolStream
    from desktop.core.agent.toolbox import Services
    from desktop.core.agent.tree_data import TreeData

Option = Annotated[str, Field(min_length=1, max_length=160)]


class ClarificationArguments(ToolArguments):
    """The question back and what can be meant."""

    question: str = Field(min_length=1, max_length=400, description="One short question.")
    options: list[Option] = Field(
        min_length=2,
        max_length=6,
        description="What can be meant; each is what the user would ask next.",
    )


class AskClarification(ChosenTool):
    """Asks the user which of some options is meant; the chosen one is the next question."""

    name: ClassVar[str] = "ask_clarification"
    description: ClassVar[str] = (
        "Ask the user which of two to six things is meant. Only when the question cannot be "
        "answered without knowing, such as which of two products it is about. Ends the question."
    )
    end: ClassVar[bool] = True
    arguments: ClassVar[type[ToolArguments]] = ClarificationArguments

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """Whether something was looked up, and there is a step left to answer.

        Before that nobody knows what could be meant: a small model asks a person their own
        question back instead of searching.
        """
        looked = bool(tree_data.tasks_completed)
        return looked and tree_data.num_iterations < tree_data.max_iterations

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield the question as text, so that it is part of the conversation, then the options."""
        arguments = ClarificationArguments.model_validate(inputs)
        options = tuple(dict.fromkeys(" ".join(each.split()) for each in arguments.options))
        question = " ".join(arguments.question.split())
        if not question or not all(options) or len(options) < 2:
            yield Error("The options are the same.", suggestion="Answer, or offer different ones.")
            return
        if question.casefold() == " ".join(tree_data.user_prompt.split()).casefold():
            yield Error("That is the user's own question.", suggestion="Answer it.")
            return
        async for token in written(question):
            yield token
        tree_data.outcome = "clarification"
        yield ClarificationEvent(question, options)


def create_tool(services: Services) -> AskClarification:
    """Make the tool of this module."""
    return AskClarification()
