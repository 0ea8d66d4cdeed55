"""A decision, the role that makes one, and how the tools and its JSON schema are told to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from desktop.sentences import KeepsSentences, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    reasoning: Annotated[str, KeepsSentences()] = Field(default="", description="Why this tool.")
    should_end: bool = Field(default=False, description="This step completes the request.")
    impossible: bool = Field(default=False, description="The request cannot be fulfilled.")


class DecisionRejected(Exception):  # noqa: N818 - named after the state
    """What was decided cannot be used; the next decision is told why. advice: to a person."""

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


LONGEST_REASONING = 200
"""Characters: a processor writes five tokens a second, and the reason is waited for."""
# Longer texts are never needed in a decision, and a small model may not find its end.
_LONGEST_TEXT = 400
_LONGEST_LIST = 20


def tool_guide(tools: Sequence[Tool]) -> str:
    """Return the name, purpose and inputs of every tool, sorted by name."""
    lines = []
    for tool in sorted(tools, key=lambda tool: tool.name):
        lines.append(f"{tool.name}: {tool.description}")
        for name, field in tool.arguments.model_json_schema().get("properties", {}).items():
            # the schema of the decision holds the model to the rest
            kinds = (each.get("type", "value") for each in field.get("anyOf", (field,)))
            told = f"  {name} ({' or '.join(kinds)}): {field.get('description', '')}"
            lines.append(told.rstrip(": "))
    return "\n".join(lines)


def decision_schema(
    available: Sequence[Tool], ending: Sequence[Tool], tool_field: str, inputs_field: str
) -> dict[str, Any]:
    """Return a schema with one alternative per tool, each with the inputs that it takes.

    ending: tools that may be chosen to say that it is impossible, available or not.
    tool_field, inputs_field: how the decision calls the tool's name and its inputs.
    """
    names = {tool.name for tool in available}
    choices = [(tool, False) for tool in available]
    choices += [(tool, True) for tool in ending if tool.name not in names]
    alternatives = []
    for tool, impossible in choices:
        schema = tool.arguments.model_json_schema()
        inputs = _bounded(schema, schema.get("$defs", {})).get("properties", {})
        alternatives.append(
            _object(
                {
                    "reasoning": {"type": "string", "maxLength": LONGEST_REASONING},
                    tool_field: {"const": tool.name},
                    inputs_field: _object(inputs),
                    # a small model likes to end with its first search, unanswered
                    "should_end": {"type": "boolean"} if tool.end else {"const": False},
                    "impossible": {"const": True} if impossible else {"type": "boolean"},
                }
            )
        )
    return {"anyOf": alternatives}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _bounded(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Copy a schema with its references resolved, without remarks, and with bounded texts."""
    if isinstance(schema, list):
        return [_bounded(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if reference := schema.get("$ref"):
        return _bounded(definitions[reference.rsplit("/", 1)[-1]], definitions)
    left_out = ("$defs", "title", "description", "default")
    copy: dict[str, Any] = {
        key: {name: _bounded(each, definitions) for name, each in value.items()}
        if key == "properties"
        else _bounded(value, definitions)
        for key, value in schema.items()
        if key not in left_out
    }
    if copy.get("type") == "string" and "enum" not in copy:
        copy["maxLength"] = min(copy.get("maxLength", _LONGEST_TEXT), _LONGEST_TEXT)
    if copy.get("type") == "array":
        copy["maxItems"] = min(copy.get("maxItems", _LONGEST_LIST), _LONGEST_LIST)
    return copy
