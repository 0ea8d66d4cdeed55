"""The environment: everything the tools of one question have retrieved, and its evidence.

Shape, as decisions and answers read it:

    environment[tool name][result name] = [{"metadata": {...}, "objects": [{...}, ...]}, ...]

Every object carries a `_REF_ID`. An object that was retrieved before is not stored
again: its entry is `{"_REF_ID": <of the first>, "repeated": True}`. Answers need the evidence
itself, which lies in the hidden environment.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from desktop.core.agent.tool_output import Result

StoredObject = dict[str, Any]
Entry = dict[str, Any]

_CHARACTERS_PER_TOKEN = 4
_LEFT_OUT = "({} more objects are not shown)"
_RANKING_KEYS = frozenset({"score", "found_by"})
"""Keys that depend on the search and not on what was found."""
NOT_FOR_MODELS = _RANKING_KEYS | {"regions", "region", "document_id"}
"""Keys that say where something lies and not what it says: a model would read them in vain."""


class Environment:
    """Objects by tool and result name, and a hidden store that no model is shown."""

    def __init__(self) -> None:
        self.environment: dict[str, dict[str, list[Entry]]] = {}
        self.hidden_environment: dict[str, Any] = {}
        self._reference_of: dict[str, str] = {}
        self._objects: dict[str, StoredObject] = {}
        self._shown: set[str] = set()
        self._added: Counter[str] = Counter()

    def add(self, tool_name: str, result: Result) -> tuple[StoredObject, ...]:
        """Store a result; returns its objects in full, each with its `_REF_ID`."""
        entries = self.environment.setdefault(tool_name, {}).setdefault(result.name, [])
        stored: list[StoredObject] = []
        complete: list[StoredObject] = []
        key = f"{tool_name}_{result.name}"
        for index, found in enumerate(result.objects):
            reference = f"{key}_{self._added[key]}_{index}"
            identity = _json({key: v for key, v in found.items() if key not in _RANKING_KEYS})
            first = self._reference_of.setdefault(identity, reference)
            complete.append({"_REF_ID": first, **found})
            self._objects.setdefault(first, complete[-1])
            repeated = {"_REF_ID": first, "repeated": True}
            stored.append(repeated if first in self._shown else complete[-1])
            self._shown.add(first)
        self._added[key] += 1
        entries.append({"metadata": dict(result.metadata), "objects": stored})
        return tuple(complete)

    def find(self, tool_name: str, name: str) -> list[Entry]:
        """Return the entries of one of a tool's results, oldest first; [] if there are none."""
        return self.environment.get(tool_name, {}).get(name, [])

    def is_empty(self) -> bool:
        """Whether no object has been retrieved."""
        return not any(entry["objects"] for _, _, entry in self._entries())

    def estimate_tokens(self, count_tokens: Callable[[str], int] | None = None) -> int:
        """Return the tokens of all of it in a prompt. count_tokens: the model's own, may block."""
        lines = [line for heading, objects in self._blocks() for line in (heading, *objects)]
        return sum(map(_tokens, lines)) if count_tokens is None else count_tokens("\n".join(lines))

    def clear(self) -> None:
        """Forget what models are shown; the hidden store and the references stay.

        What is found again is shown again, under the reference that it had.
        """
        self.environment.clear()
        self._shown.clear()

    def keep(self, references: Collection[str]) -> None:
        """Forget what models are shown except for these objects, each shown once."""
        self._shown.clear()
        for _, _, entry in self._entries():
            kept: list[StoredObject] = []
            for found in entry["objects"]:
                reference = found["_REF_ID"]
                if reference in references and reference not in self._shown:
                    kept.append(self._objects[reference])
                    self._shown.add(reference)
            entry["objects"] = kept

    def objects(self) -> list[tuple[int, int, StoredObject]]:
        """Return what models are shown: number of the result, place in it, object; no repeats."""
        return [
            (number, place, found)
            for number, (_, _, entry) in enumerate(self._entries())
            for place, found in enumerate(entry["objects"])
            if "repeated" not in found
        ]

    def object_of(self, reference: str) -> StoredObject | None:
        """Return the object of a `_REF_ID`, even after `clear`; None if there is none."""
        return self._objects.get(reference)

    def to_dict(self) -> dict[str, Any]:
        """Return what models are shown, as plain values, for a file."""
        return {"environment": self.environment, "objects": self._objects}

    def to_llm_context(self, max_tokens: int = 10_000) -> str:
        """Return the objects as JSON lines under their tool and name, none of them cut.

        Keys that no model needs (`NOT_FOR_MODELS`) are left out of every object.
        What does not fit is left out, and a last line says how many objects that are.
        """
        kept: list[str] = []
        left, left_out = max_tokens - _tokens(_LEFT_OUT.format(10_000)), 0
        for heading, objects in self._blocks():
            cost = _tokens(heading)
            fitting = []
            for line in objects:
                cost += _tokens(line)
                if cost > left:
                    break
                fitting.append(line)
            left_out += len(objects) - len(fitting)
            if fitting:
                left -= _tokens(heading) + sum(map(_tokens, fitting))
                kept += [heading, *fitting]
        if left_out:
            kept.append(_LEFT_OUT.format(left_out))
        return "\n".join(kept)

    def _entries(self) -> list[tuple[str, str, Entry]]:
        return [
            (tool, name, entry)
            for tool, results in self.environment.items()
            for name, entries in results.items()
            for entry in entries
        ]

    def _blocks(self) -> list[tuple[str, list[str]]]:
        """Return the heading and the objects of every entry, each one line."""
        return [
            (f"<{tool}.{name}> {_json(entry['metadata'])}", [_line(o) for o in entry["objects"]])
            for tool, name, entry in self._entries()
        ]


def _line(found: StoredObject) -> str:
    """Return an object as models read it. A printed page number makes the index needless."""
    hidden = NOT_FOR_MODELS | {"page"} if found.get("label") else NOT_FOR_MODELS
    return _json({key: value for key, value in found.items() if key not in hidden})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=False, default=str)


def _tokens(text: str) -> int:
    """Return a count that tends to overstate: 4 characters a token, plus the line break."""
    return -(-(len(text) + 1) // _CHARACTERS_PER_TOKEN)
