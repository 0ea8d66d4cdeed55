"""The tools as a decision's prompt tells of them: all of them, in the same words every time.

A model keeps what it has read of a prompt as far as the next one begins alike. So the tools
stand at its head, those that are not available now too, and only their names at its end.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from desktop.core.agent.tool import arguments_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.agent.tool import Tool, ToolArguments


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
    schema = arguments_schema(arguments)
    return [
        f"  {name} ({_kind(field)}): {field.get('description', '')}".rstrip(": ")
        for name, field in schema.get("properties", {}).items()
    ]


def _kind(field: Mapping[str, Any]) -> str:
    """Return what a value is; the schema of the decision holds the model to the rest."""
    kinds = [each.get("type", "value") for each in field.get("anyOf", (field,))]
    return " or ".join(kinds)
