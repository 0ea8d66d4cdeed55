"""The environment: everything the tools of one question have retrieved.

Shape, as decisions and answers read it:

    environment[tool name][result name] = [{"metadata": {...}, "objects": [{...}, ...]}, ...]

Every object carries a `_REF_ID`. An object that was retrieved before is not stored
again: its entry is `{"_REF_ID": <of the first>, "repeated": True}`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from desktop.core.agent.result import Result

StoredObject = dict[str, Any]
Entry = dict[str, Any]

_CHARACTERS_PER_TOKEN = 4
_RANKING_KEYS = frozenset({"score", "found_by"})
"""Keys that depend on the search and not on what was found."""


class Environment:
    """Objects by tool and result name, and a hidden store that no model is shown."""

    def __init__(self) -> None:
        self.environment: dict[str, dict[str, list[Entry]]] = {}
        self.hidden_environment: dict[str, Any] = {}
        self._reference_of: dict[str, str] = {}

    def add(self, tool_name: str, result: Result) -> tuple[StoredObject, ...]:
        """Store a result; returns its objects in full, each with its `_REF_ID`."""
        entries = self.environment.setdefault(tool_name, {}).setdefault(result.name, [])
        stored: list[StoredObject] = []
        complete: list[StoredObject] = []
        for index, found in enumerate(result.objects):
            reference = f"{tool_name}_{result.name}_{len(entries)}_{index}"
            first = self._reference_of.setdefault(_identity(found), reference)
            complete.append({"_REF_ID": first, **found})
            repeated = {"_REF_ID": first, "repeated": True}
            stored.append(complete[-1] if first == reference else repeated)
        entries.append({"metadata": dict(result.metadata), "objects": stored})
        return tuple(complete)

    @overload
    def find(self, tool_name: str) -> dict[str, list[Entry]] | None: ...

    @overload
    def find(self, tool_name: str, name: str) -> list[Entry] | None: ...

    def find(
        self, tool_name: str, name: str | None = None
    ) -> dict[str, list[Entry]] | list[Entry] | None:
        """Return a tool's results by name, or the entries of one name; None if there are none."""
        results = self.environment.get(tool_name)
        if not results:
            return None
        return results if name is None else results.get(name)

    def is_empty(self) -> bool:
        """Whether no object has been retrieved."""
        return not any(entry["objects"] for _, _, entry in self._entries())

    def estimate_tokens(self) -> int:
        """Return about how many tokens the whole environment takes in a prompt."""
        return sum(_tokens(line) for line in self._lines())

    def to_llm_context(self, max_tokens: int = 10_000) -> str:
        """Return the objects as JSON lines under their tool and name, cut at whole lines."""
        kept: list[str] = []
        left = max_tokens
        for line in self._lines():
            left -= _tokens(line)
            if left < 0:
                break
            kept.append(line)
        return "\n".join(kept)

    def _entries(self) -> list[tuple[str, str, Entry]]:
        return [
            (tool, name, entry)
            for tool, results in self.environment.items()
            for name, entries in results.items()
            for entry in entries
        ]

    def _lines(self) -> list[str]:
        lines: list[str] = []
        for tool, name, entry in self._entries():
            lines.append(f"<{tool}.{name}> {_json(entry['metadata'])}")
            lines.extend(_json(found) for found in entry["objects"])
        return lines


def _identity(found: StoredObject) -> str:
    return _json({key: value for key, value in found.items() if key not in _RANKING_KEYS})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=False, default=str)


def _tokens(text: str) -> int:
    """Return a count that rather overstates: 4 characters a token, plus the line break."""
    return -(-(len(text) + 1) // _CHARACTERS_PER_TOKEN)
