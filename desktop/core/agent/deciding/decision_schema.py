"""The JSON schema that holds a model's decision to the tools there are, and their inputs."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.core.agent.tool import arguments_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.agent.tool import Tool, ToolArguments

LONGEST_REASONING = 200
"""Characters: a processor writes five tokens a second, and the reason is waited for."""
# Longer texts are never needed in a decision, and a small model may not find its end.
_LONGEST_TEXT = 400
_LONGEST_LIST = 20


class _Kind(NamedTuple):
    """What the schema depends on of a tool."""

    name: str
    end: bool
    arguments: type[ToolArguments]


def decision_schema(
    available: Sequence[Tool], ending: Sequence[Tool], tool_field: str, inputs_field: str
) -> dict[str, Any]:
    """Return a schema with one alternative per tool, each with the inputs that it takes.

    It is made once for the same tools, and not to be changed.

    ending: tools that may be chosen to say that it is impossible, available or not.
    tool_field, inputs_field: how the decision calls the tool's name and its inputs.
    """
    return _schema(_kinds(available), _kinds(ending), tool_field, inputs_field)


def _kinds(tools: Sequence[Tool]) -> tuple[_Kind, ...]:
    return tuple(_Kind(tool.name, tool.end, tool.arguments) for tool in tools)


@lru_cache(maxsize=128)
def _schema(
    available: tuple[_Kind, ...], ending: tuple[_Kind, ...], tool_field: str, inputs_field: str
) -> dict[str, Any]:
    names = {tool.name for tool in available}
    choices = [_choice(tool, tool_field, inputs_field, impossible=False) for tool in available]
    choices += [
        _choice(tool, tool_field, inputs_field, impossible=True)
        for tool in ending
        if tool.name not in names
    ]
    return {"anyOf": choices}


def _choice(tool: _Kind, tool_field: str, inputs_field: str, *, impossible: bool) -> dict[str, Any]:
    gives_up: dict[str, Any] = {"const": True} if impossible else {"type": "boolean"}
    # a small model likes to end with its first search, and nobody would have answered
    ends: dict[str, Any] = {"type": "boolean"} if tool.end else {"const": False}
    properties = {
        "reasoning": {"type": "string", "maxLength": LONGEST_REASONING},
        tool_field: {"const": tool.name},
        inputs_field: inputs_schema(tool.arguments),
        "should_end": ends,
        "impossible": gives_up,
    }
    return _object(properties)


def inputs_schema(arguments: type[ToolArguments]) -> dict[str, Any]:
    """Return what a tool's inputs must be: every property stands there, texts are bounded."""
    schema = arguments_schema(arguments)
    bounded = _bounded(schema, schema.get("$defs", {}))
    return _object(bounded.get("properties", {}))


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _bounded(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Copy a schema with its references resolved, without remarks, and with finite texts."""
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
