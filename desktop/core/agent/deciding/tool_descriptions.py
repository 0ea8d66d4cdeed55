"""The tools as a decision is told of them, and the JSON schema that holds its choice to them.

A model keeps what it has read of a prompt as far as the next one begins alike. So all tools
stand at its head in the same words every time, those that are not available now too, and only
their names at its end.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.agent.tool import Tool, ToolArguments

LONGEST_REASONING = 200
"""Characters: a processor writes five tokens a second, and the reason is waited for."""
# Longer texts are never needed in a decision, and a small model may not find its end.
_LONGEST_TEXT = 400
_LONGEST_LIST = 20


def tool_guide(tools: Sequence[Tool]) -> str:
    """Return name, purpose and inputs of every tool, by name whatever their order."""
    return _guide(
        tuple(
            (tool.name, tool.description, tool.arguments)
            for tool in sorted(tools, key=lambda tool: tool.name)
        )
    )


@lru_cache(maxsize=16)
def _guide(tools: tuple[tuple[str, str, type[ToolArguments]], ...]) -> str:
    return "\n".join(
        line
        for name, description, arguments in tools
        for line in (f"{name}: {description}", *_inputs(arguments))
    )


def _inputs(arguments: type[ToolArguments]) -> list[str]:
    fields = arguments.model_json_schema().get("properties", {})
    return [
        f"  {name} ({_kind(field)}): {field.get('description', '')}".rstrip(": ")
        for name, field in fields.items()
    ]


def _kind(field: Mapping[str, Any]) -> str:
    """Return what a value is; the schema of the decision holds the model to the rest."""
    kinds = [each.get("type", "value") for each in field.get("anyOf", (field,))]
    return " or ".join(kinds)


class _Tool(NamedTuple):
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
    return _schema(_read_of(available), _read_of(ending), tool_field, inputs_field)


def _read_of(tools: Sequence[Tool]) -> tuple[_Tool, ...]:
    return tuple(_Tool(tool.name, tool.end, tool.arguments) for tool in tools)


@lru_cache(maxsize=128)
def _schema(
    available: tuple[_Tool, ...], ending: tuple[_Tool, ...], tool_field: str, inputs_field: str
) -> dict[str, Any]:
    names = {tool.name for tool in available}
    choices = [_choice(tool, tool_field, inputs_field, impossible=False) for tool in available]
    choices += [
        _choice(tool, tool_field, inputs_field, impossible=True)
        for tool in ending
        if tool.name not in names
    ]
    return {"anyOf": choices}


def _choice(tool: _Tool, tool_field: str, inputs_field: str, *, impossible: bool) -> dict[str, Any]:
    gives_up: dict[str, Any] = {"const": True} if impossible else {"type": "boolean"}
    # a small model likes to end with its first search, and nobody would have answered
    ends: dict[str, Any] = {"type": "boolean"} if tool.end else {"const": False}
    properties = {
        "reasoning": {"type": "string", "maxLength": LONGEST_REASONING},
        tool_field: {"const": tool.name},
        inputs_field: _inputs_schema(tool.arguments),
        "should_end": ends,
        "impossible": gives_up,
    }
    return _object(properties)


def _inputs_schema(arguments: type[ToolArguments]) -> dict[str, Any]:
    """Return what a tool's inputs must be: every property stands there, texts are bounded."""
    schema = arguments.model_json_schema()
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
