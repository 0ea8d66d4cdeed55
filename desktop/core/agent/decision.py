"""A decision, and the role that makes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.sentences import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData


DECISION = "decision"
"""Under this name the errors of decisions stand in `TreeData.errors`."""


OTHER_MODEL = said("Choose another model on the Models page, or raise the limits in the settings.")
"""What helps where a language model is too slow or fails."""


class Decision(BaseModel):
    """Which tool to run next and why. It may come from a model, so nothing extra is let in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tool: str = Field(description="Exactly one name of the available tools.")
    inputs: dict[str, Any] = Field(default_factory=dict, description="Inputs of that tool.")
    reasoning: str = Field(default="", description="Why this tool.")
    should_end: bool = Field(default=False, description="This step completes the request.")
    impossible: bool = Field(default=False, description="The request cannot be fulfilled.")


class DecisionRejected(Exception):  # noqa: N818 - named after the state
    """What was decided cannot be used; the next decision is told why.

    advice: what a person can do about it, "" if nothing.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice


class Decider(Protocol):
    """Chooses the next step of a question."""

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        """Choose one of `available`, knowing everything in `tree_data`.

        A decision that is `impossible` may name a tool that ends the question even if it
        is not available, so that the answer can say why.

        Raises: DecisionRejected; the question goes on with another decision.
        """
