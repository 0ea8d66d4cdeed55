"""The colour of each stage; the words beside it say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from desktop.ui.tokens import Colours

OUTCOME_ICONS = {
    OutcomeStatus.PENDING: "clock",
    OutcomeStatus.SUCCESS: "circle-check",
    OutcomeStatus.PARTIAL: "triangle-alert",
    OutcomeStatus.FAILED: "circle-x",
    OutcomeStatus.SKIPPED: "square",
}
OUTCOME_TINTS = {
    OutcomeStatus.PENDING: "muted",
    OutcomeStatus.SUCCESS: "good",
    OutcomeStatus.PARTIAL: "attention",
    OutcomeStatus.FAILED: "bad",
    OutcomeStatus.SKIPPED: "muted",
}
"""Tokens of the signs that say what came of a step."""


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
