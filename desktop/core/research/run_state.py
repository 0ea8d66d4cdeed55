"""Where one research stands: what the loop knows, and what would be reported now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from desktop.core.events import ResearchMode
    from desktop.core.research.monitor import ComparedPair
    from desktop.core.research.report import CheckedReport
    from desktop.core.research.temporal import TemporalContext

FinalStatus = Literal[
    "converged", "not_converged", "timed_out", "failed", "cancelled", "no_valid_sources"
]
NOT_REVIEWED: dict[str, Any] = {
    "status": "WARN",
    "critique": "The draft was not reviewed.",
    "suggestions": [],
    "mode_compliance": "符合",
    "logical_gaps": [],
}


@dataclass
class RunState:
    """context: the filtered sources, numbered from 1. iteration: from 1, 0 before the first one.

    status: None while it runs. reason: why it ended early, a sentence, "" if it did not.
    """

    query: str
    mode: ResearchMode
    temporal: TemporalContext
    context: list[dict[str, Any]] = field(default_factory=list)
    iteration: int = 0
    draft: str = ""
    review: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    checked: CheckedReport | None = None
    comparisons: tuple[ComparedPair, ...] = ()
    searched: list[str] = field(default_factory=list)
    status: FinalStatus | None = None
    reason: str = ""

    @property
    def partial(self) -> bool:
        """Whether it ended before it was done."""
        return self.status in ("timed_out", "failed", "cancelled")
