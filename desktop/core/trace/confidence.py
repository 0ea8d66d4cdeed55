"""How sure an answer is, seen from how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.sentences import counted
from desktop.core.trace.entry import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from desktop.core.trace.reasoning_trace import ReasoningTrace

# Each takes so much of what is left. They only order answers: nothing was fitted, because the
# answers of a bench are hardly ever corrected.
_FAILED_STEP = 0.97
_CORRECTED = 0.9
_LEFT = 0.6
_MOST = 3


def confidence_of(trace: ReasoningTrace | None, answer: float) -> tuple[float, str]:
    """Return the confidence of an answer and what lowered it, "" if nothing did.

    answer: how likely the pages answer the question, 0 to 1, as the writer says it.
    """
    if trace is None:
        return answer, ""
    failed = sum(
        entry.outcome is OutcomeStatus.FAILED for entry in trace.at_stage(ReasoningStage.EXECUTION)
    )
    reviews = trace.at_stage(ReasoningStage.VERIFICATION)
    left = int(reviews[-1].metrics.get("left", 0)) if reviews else 0
    corrected = max(0, int(reviews[-1].metrics.get("findings", 0)) - left) if reviews else 0
    parts = (
        (failed, _FAILED_STEP, counted(failed, "1 failed step", "{n} failed steps")),
        (corrected, _CORRECTED, counted(corrected, "1 correction", "{n} corrections")),
        (left, _LEFT, counted(left, "1 doubt left", "{n} doubt left")),
    )
    reasons = []
    for count, factor, reason in parts:
        if count:
            answer *= factor ** min(count, _MOST)
            reasons.append(reason)
    return round(answer, 4), ", ".join(reasons)
