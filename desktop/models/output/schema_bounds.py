"""Narrowing a JSON schema so that a model which rambles still comes to an end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LONGEST_STRING = 2000  # characters

_SCHEMA = ("items", "additionalProperties")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "$defs", "definitions")


def bounded(schema: Mapping[str, Any], longest: int = LONGEST_STRING) -> dict[str, Any]:
    """Copy a schema with a `maxLength` on strings that have none, and objects closed.

    What satisfies the copy satisfies the schema. An object that lists its properties and
    does not speak of others gets no others; where `allOf` joins objects that would
    contradict, and they are left open.

    Args:
        schema: a JSON schema; it is not changed.
        longest: the `maxLength` to put, characters.
    """
    return _bounded(schema, longest, close='"allOf"' not in json.dumps(dict(schema)))


def _bounded(schema: Mapping[str, Any], longest: int, close: bool) -> dict[str, Any]:
    def inner(value: Any) -> Any:
        return _bounded(value, longest, close) if isinstance(value, Mapping) else value

    copy = dict(schema)
    for key in _SCHEMA:
        if key in copy:
            copy[key] = inner(copy[key])
    for key in _LISTS:
        if isinstance(copy.get(key), list | tuple):
            copy[key] = [inner(member) for member in copy[key]]
    for key in _NAMED:
        if isinstance(copy.get(key), Mapping):
            copy[key] = {name: inner(member) for name, member in copy[key].items()}
    if _may_be(copy, "string") and not {"maxLength", "enum", "const"} & copy.keys():
        copy["maxLength"] = max(longest, _shortest(copy))
    if close and "properties" in copy and "patternProperties" not in copy:
        copy.setdefault("additionalProperties", False)
    return copy


def _may_be(schema: Mapping[str, Any], kind: str) -> bool:
    named = schema.get("type")
    return named == kind or (isinstance(named, list | tuple) and kind in named)


def _shortest(schema: Mapping[str, Any]) -> int:
    length = schema.get("minLength", 0)
    return length if isinstance(length, int) else 0
