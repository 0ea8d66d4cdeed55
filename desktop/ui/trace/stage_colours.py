"""The colour of each stage; the words beside it say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.trace.entry import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from desktop.ui.tokens import Colours

OUTCOME_ICONS = {
    OutcomeStatus.PENDING: "clock",
    OutcomeStatus.SUCCESS: "circle-check",
    OutcomeStatus.PARTIAL: "triangle-alert",
    OutcomeStatus.FAILED: "circle-x",
    OutcomeStatus.SKIPPED: "square",
}


def stage_colour(stage: ReasoningStage, c: Colours) -> str:
    """Return the colour of a stage in the scheme that is shown."""
    match stage:
        case ReasoningStage.PLANNING:
            return c.accent
        case ReasoningStage.EXECUTION:
            return c.good
        case ReasoningStage.VERIFICATION:
            return c.site
        case ReasoningStage.CORRECTION:
            return c.attention
        case ReasoningStage.FINALIZATION:
            return c.text


def outcome_colour(outcome: OutcomeStatus, c: Colours) -> str:
    """Return the colour of the sign that says what came of a step."""
    match outcome:
        case OutcomeStatus.SUCCESS:
            return c.good
        case OutcomeStatus.PARTIAL:
            return c.attention
        case OutcomeStatus.FAILED:
            return c.bad
        case OutcomeStatus.PENDING | OutcomeStatus.SKIPPED:
            return c.muted
