"""An entry as the library keeps it: one line of JSON without empty fields, with short names.

The names of fields were a third of what an entry takes. A name that is not ours and looks like
a short one, or begins with the mark, is stored behind the mark. What earlier versions wrote,
with whole names, is read as well.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

# Its fields at once: what pydantic loads later, by itself, fails in Qt's import hook if Qt
# was loaded in between (pydantic 2.14 with PySide6 6.11).
import pydantic.fields

from desktop.core.trace.entry import ReasoningEntry

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARK = "~"
_SHORT = {
    "entry_id": "i",
    "timestamp": "t",
    "stage": "s",
    "thought": "h",
    "action": "a",
    "parameters": "p",
    "evidence": "v",
    "outcome": "o",
    "error": "e",
    "commitments": "c",
    "attachments": "f",
    "corrections": "r",
    "metrics": "m",
}
_SHORT_IN_ATTACHMENTS = {
    "type": "t",
    "document_id": "i",
    "document": "d",
    "page": "p",
    "label": "l",
    "regions": "r",
    "path": "f",
}
_SHORT_IN_METRICS = {
    "milliseconds": "m",
    "tokens_in": "i",
    "tokens_out": "o",
    "score": "s",
    "hits": "h",
}


class UnreadableEntry(ValueError):  # noqa: N818 - named after the state
    """A stored entry is not one of this version of the program."""


def to_stored(entry: ReasoningEntry) -> str:
    """Return the entry as one line of JSON, without its question."""
    values = entry.to_dict()
    del values["interaction_id"]
    if "attachments" in values:
        values["attachments"] = [
            _shortened(each, _SHORT_IN_ATTACHMENTS) for each in values["attachments"]
        ]
    if "metrics" in values:
        whole = {name: _plain_number(value) for name, value in values["metrics"].items()}
        values["metrics"] = _shortened(whole, _SHORT_IN_METRICS)
    return json.dumps(
        _shortened(values, _SHORT), ensure_ascii=False, separators=(",", ":"), default=str
    )


def from_stored(text: str, interaction_id: str) -> ReasoningEntry:
    """Return the entry of a question that `to_stored` wrote; it is checked before it is believed.

    Raises: UnreadableEntry.
    """
    try:
        values = json.loads(text)
        if "entry_id" not in values:
            values = _with_whole_names(values)
        return _reader().validate_python(
            {"interaction_id": interaction_id, **values}, extra="forbid"
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise UnreadableEntry(f"not an entry of a trace: {text[:80]!r}") from error


def _with_whole_names(stored: dict[str, Any]) -> dict[str, Any]:
    values = _lengthened(stored, _SHORT)
    if "attachments" in values:
        values["attachments"] = [
            _lengthened(each, _SHORT_IN_ATTACHMENTS) for each in values["attachments"]
        ]
    if "metrics" in values:
        values["metrics"] = _lengthened(values["metrics"], _SHORT_IN_METRICS)
    return values


def _shortened(values: Mapping[str, Any], short: Mapping[str, str]) -> dict[str, Any]:
    taken = short.values()
    return {
        short.get(name) or (_MARK + name if name in taken or name[:1] == _MARK else name): value
        for name, value in values.items()
    }


def _lengthened(values: Mapping[str, Any], short: Mapping[str, str]) -> dict[str, Any]:
    whole = {brief: name for name, brief in short.items()}
    return {
        name[1:] if name[:1] == _MARK else whole.get(name, name): value
        for name, value in values.items()
    }


def _plain_number(value: float) -> float:
    """Return 10 for 10.0."""
    return int(value) if float(value).is_integer() else value


@cache
def _reader() -> pydantic.TypeAdapter[ReasoningEntry]:
    return pydantic.TypeAdapter(ReasoningEntry)
