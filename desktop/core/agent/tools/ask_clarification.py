"""A clarifying question, for what means several things that the manuals tell apart."""

from __future__ import annotations

import asyncio
import pkgutil
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from desktop.core.agent import tools
from desktop.core.agent.gathering import kept_evidence
from desktop.core.agent.tool import ToolArguments
from desktop.core.agent.tool_output import Error, written
from desktop.core.answering.ambiguity import ambiguity_of
from desktop.core.errors import LibraryError
from desktop.core.events import ClarificationEvent
from desktop.sentences import said

if TYPE_CHECKING:
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData

_TOOL_NAMES = frozenset(module.name for module in pkgutil.iter_modules(tools.__path__))
Option = Annotated[str, Field(min_length=1, max_length=160)]


class ClarificationArguments(ToolArguments):
    """The question back and what can be meant."""

    question: str = Field(min_length=1, max_length=400, description="One short question.")
    options: list[Option] = Field(
        min_length=2,
        max_length=6,
        description="What can be meant; each is what the user would ask next.",
    )


class AskClarification:
    """Asks the user which of some options is meant; the chosen one is the next question.

    It asks by itself where the pages that were found answer for two products, revisions or
    things of one name; then an option continues the same question, asked of its manuals.
    """

    name: ClassVar[str] = "ask_clarification"
    description: ClassVar[str] = (
        "Ask the user which of two to six things is meant. Only when the question cannot be "
        "answered without knowing, such as which of two products it is about. Ends the question."
    )
    end: ClassVar[bool] = True
    arguments: ClassVar[type[ToolArguments]] = ClarificationArguments

    def __init__(self, services: Services) -> None:
        self._shelf = services.shelf

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """Whether something was looked up, and there is a step left to answer.

        Before that nobody knows what could be meant: a small model asks a person their own
        question back instead of searching.
        """
        looked = bool(tree_data.tasks_completed) and not (
            tree_data.shown is not None and tree_data.shown.sure
        )
        return looked and tree_data.num_iterations < tree_data.max_iterations

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Run when the evidence is split; once per conversation for the same question."""
        found = await self._ambiguity(tree_data)
        history = tree_data.conversation_history
        if found is None or any(found.question in turn.get("content", "") for turn in history):
            return False, {}
        return True, {"question": found.question, "options": list(found.options)}

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield the question as text, so that it is part of the conversation, then the options."""
        arguments = ClarificationArguments.model_validate(inputs)
        options = tuple(dict.fromkeys(" ".join(each.split()) for each in arguments.options))
        question = " ".join(arguments.question.split())
        if not question or not all(options) or len(options) < 2:
            yield Error(
                said("The options are the same."),
                suggestion=said("Answer, or offer different ones."),
            )
            return
        if _TOOL_NAMES & {each.casefold().replace(" ", "_") for each in options}:
            yield Error(
                said("The options are actions, not meanings."), suggestion=said("Choose an action.")
            )
            return
        if question.casefold() == " ".join(tree_data.user_prompt.split()).casefold():
            yield Error(said("That is the user's own question."), suggestion=said("Answer it."))
            return
        async for token in written(question):
            yield token
        tree_data.outcome = "clarification"
        found = await self._ambiguity(tree_data)
        asked_by_itself = found is not None and found.options == options
        yield found if found and asked_by_itself else ClarificationEvent(question, options)

    async def _ambiguity(self, tree_data: TreeData) -> ClarificationEvent | None:
        evidence = kept_evidence(tree_data.environment)
        if not evidence or len(tree_data.document_ids) == 1:
            return None
        prompt, documents = tree_data.user_prompt, self._shelf.documents
        try:
            found = await asyncio.to_thread(lambda: ambiguity_of(prompt, evidence, documents()))
        except LibraryError:  # it is answered as it was asked
            return None
        return None if found is None else found.event


create_tool = AskClarification
