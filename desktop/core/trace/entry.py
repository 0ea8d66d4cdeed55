"""One step of a reasoning trace: what was thought and done, what was found, what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any


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


_EMPTY: tuple[Any, ...] = (None, (), {}, "")


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value
