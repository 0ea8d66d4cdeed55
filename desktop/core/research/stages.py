"""Under which stage of the reasoning trace each stage of a research is shown.

A file of its own: the window reads it at its start, without what a research needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.trace.reasoning_trace import ReasoningStage

if TYPE_CHECKING:
    from desktop.core.events import ResearchStage

REASONING_STAGES: dict[ResearchStage, ReasoningStage] = {
    "gather": ReasoningStage.EXECUTION,
    "filter": ReasoningStage.PLANNING,
    "analyst": ReasoningStage.EXECUTION,
    "search": ReasoningStage.EXECUTION,
    "critic": ReasoningStage.VERIFICATION,
    "writer": ReasoningStage.FINALIZATION,
}
