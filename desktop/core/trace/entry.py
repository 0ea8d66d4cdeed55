"""One step of a reasoning trace: what was thought and done, what was found, what came of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any

# Its fields at once: what pydantic loads later, by itself, fails in Qt's import hook if Qt
# was loaded in between (pydantic 2.14 with PySide6 6.11).
import pydantic.fields


class ReasoningStage(StrEnum):
    """Who wrote the entry.

    PLANNING: the planner and the decider. EXECUTION: a tool. VERIFICATION: the critic, looking
    at an answer. CORRECTION: the critic, saying what to do otherwise. FINALIZATION: the checks
    at the end.
    """

    PLANNING = "planning"
    EXECUTION = "execution"
    VERIFICATION = "verification"
    CORRECTION = "correction"
    FINALIZATION = "finalization"


class OutcomeStatus(StrEnum):
    """What came of a step. SKIPPED: another step made it needless or impossible."""

    PENDING = "pending"
    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ReasoningEntry:
    """A step; every text is without secrets.

    timestamp: ISO 8601 in UTC, when it began. action: the tool or agent that was called, None
    for a thought alone. parameters: its inputs. attachments: what was found or made, each
    {"type": "page" | "region" | "file", ...}: a page has document_id, document, page (from 0)
    and label, a region also regions (boxes in PDF points, top-left origin), a file its path.
    metrics: milliseconds, tokens_in, tokens_out, score (of the best hit), hits.
    """

    entry_id: str
    interaction_id: str
    timestamp: str
    stage: ReasoningStage
    thought: str
    action: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    outcome: OutcomeStatus = OutcomeStatus.PENDING
    error: str | None = None
    commitments: tuple[str, ...] = ()
    attachments: tuple[dict[str, Any], ...] = ()
    corrections: tuple[str, ...] = ()
    metrics: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, without the fields that are empty."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {key: _plain(value) for key, value in values.items() if value not in _EMPTY}


class UnreadableEntry(ValueError):  # noqa: N818 - named after the state
    """A stored entry is not one of this version of the program."""


def to_json(entry: ReasoningEntry) -> str:
    """Return the entry as one line of JSON: without empty fields, and without its question."""
    values = {key: value for key, value in entry.to_dict().items() if key != "interaction_id"}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str)


def entry_from_json(text: str, interaction_id: str) -> ReasoningEntry:
    """Return the entry of a question that `to_json` wrote; it is checked before it is believed.

    Raises: UnreadableEntry.
    """
    try:
        values = {"interaction_id": interaction_id, **json.loads(text)}
        return _reader().validate_python(values, extra="forbid")
    except (ValueError, TypeError) as error:
        raise UnreadableEntry(f"not an entry of a trace: {text[:80]!r}") from error


_EMPTY: tuple[Any, ...] = (None, (), {}, "")


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


@cache
def _reader() -> pydantic.TypeAdapter[ReasoningEntry]:
    return pydantic.TypeAdapter(ReasoningEntry)
