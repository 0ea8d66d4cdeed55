"""The tool protocol: what the agent can do, and what a tool may yield while it does it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from desktop.core.agent.result import Error, Result
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    ConfidenceEvent,
    ErrorEvent,
    NearestPageEvent,
    NoteCitationEvent,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
)

if TYPE_CHECKING:
    from desktop.core.agent.tree_data import TreeData

ToolOutput = (
    Result
    | Error
    | StatusEvent
    | TokenEvent
    | CitationEvent
    | NoteCitationEvent
    | RevisionEvent
    | WarningBlockEvent
    | NearestPageEvent
    | ConfidenceEvent
    | ClarificationEvent
    | ErrorEvent
)
ToolStream = AsyncGenerator[ToolOutput, None]


class ToolArguments(BaseModel):
    """Base of a tool's inputs: they may come from a model, so unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Tool(Protocol):
    """One capability. A file of `agent/tools` with a `create_tool` function adds one.

    name, description: what a decision reads. end: running it ends the question.
    arguments: the model that checks its inputs before it is called.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    end: ClassVar[bool]
    arguments: ClassVar[type[ToolArguments]]

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """Whether the tool can do anything useful now."""

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Whether the tool should run now without being chosen, and with which inputs."""

    def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Run; an async generator that never blocks the loop.

        What can go wrong in a way another choice may mend is yielded as an `Error`.
        """


class ChosenTool:
    """Base of a tool that runs only when it is chosen."""

    async def run_if_true(self, tree_data: TreeData) -> tuple[bool, dict[str, Any]]:
        """Never runs unasked."""
        return False, {}


@cache
def arguments_schema(arguments: type[ToolArguments]) -> dict[str, Any]:
    """Return the JSON schema of a tool's inputs, made once; not to be changed."""
    return arguments.model_json_schema()
