"""The fields that an entry may be given: of the right types, and without secrets."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from desktop.core.trace.entry import OutcomeStatus, ReasoningEntry
from desktop.core.trace.redaction import redacted, redacted_values

_GIVEN = frozenset(each.name for each in fields(ReasoningEntry)) - {
    "entry_id",
    "interaction_id",
    "timestamp",
    "stage",
    "thought",
}


def checked_fields(given: dict[str, Any], also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return fields of an entry with the right types and without secrets.

    Raises: TypeError, ValueError.
    """
    unknown = given.keys() - _GIVEN - set(also)
    if unknown:
        raise TypeError(f"an entry has no {', '.join(sorted(unknown))}")
    checked: dict[str, Any] = {}
    for name, value in given.items():
        if name == "outcome":
            checked[name] = OutcomeStatus(value)
        elif name in ("evidence", "commitments", "corrections"):
            checked[name] = tuple(redacted(str(each)) for each in value)
        elif name == "attachments":
            checked[name] = tuple(redacted_values(dict(each)) for each in value)
        elif name == "metrics":
            checked[name] = {str(key): float(each) for key, each in value.items()}
        elif name == "parameters":
            checked[name] = redacted_values(dict(value))
        else:
            checked[name] = None if value is None else redacted(str(value))
    return checked
