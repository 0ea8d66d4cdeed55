"""The trace of one question: its entries in order, and what can be read off them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.trace.entry import OutcomeStatus, ReasoningEntry, ReasoningStage

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class ReasoningTrace:
    """One question of a session.

    outcome: of the whole question, pending while it runs. confidence: of its answer, 0 to 1,
    None before there is one. fulfilled: the commitments that were kept. turn_id: of the stored
    turn it belongs to, None for none.
    """

    interaction_id: str
    user_request: str
    started_at: str
    entries: list[ReasoningEntry] = field(default_factory=list)
    outcome: OutcomeStatus = OutcomeStatus.PENDING
    confidence: float | None = None
    fulfilled: list[str] = field(default_factory=list)
    turn_id: int | None = None

    @property
    def commitments(self) -> list[str]:
        """What was promised, in order, no repeats."""
        return _once(c for entry in self.entries for c in entry.commitments)

    @property
    def pending_commitments(self) -> list[str]:
        """What was promised and is not yet kept."""
        return [each for each in self.commitments if each not in self.fulfilled]

    @property
    def corrections(self) -> list[str]:
        """What the critic said to do otherwise."""
        return _once(c for entry in self.entries for c in entry.corrections)

    @property
    def attachments(self) -> list[dict[str, Any]]:
        """Pages, regions and files that were found or made, no repeats."""
        found: list[dict[str, Any]] = []
        for entry in self.entries:
            found += [each for each in entry.attachments if each not in found]
        return found

    def at_stage(self, stage: ReasoningStage) -> list[ReasoningEntry]:
        """Return the entries of one stage."""
        return [entry for entry in self.entries if entry.stage is stage]


def _once(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
