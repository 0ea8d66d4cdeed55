"""What a session has learned about calls: one that failed before is made as it succeeded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from desktop.core.agent.decision import Decision
    from desktop.core.agent.question_trace import QuestionTrace
    from desktop.core.trace.reasoning_trace import ReasoningEntry

_LEARNED = "It failed like this earlier in this conversation; now as it succeeded then."


def as_it_succeeded(decision: Decision, trace: QuestionTrace) -> Decision:
    """Return the decision, with other inputs if those failed in an earlier question.

    Only where the same tool then succeeded in the same question.
    """
    for earlier in reversed(trace.earlier()):
        inputs = _inputs_instead(decision, earlier.at_stage(ReasoningStage.EXECUTION))
        if inputs is not None:
            reasoning = f"{decision.reasoning} {_LEARNED}".strip()
            return decision.model_copy(update={"inputs": inputs, "reasoning": reasoning})
    return decision


def _inputs_instead(decision: Decision, steps: Sequence[ReasoningEntry]) -> dict[str, Any] | None:
    failed = False
    for step in steps:
        if step.action != decision.tool:
            continue
        if step.parameters == decision.inputs:
            failed = step.outcome is OutcomeStatus.FAILED
        elif failed and step.outcome is OutcomeStatus.SUCCESS:
            return dict(step.parameters)
    return None
