"""What a bench compares: a way of deciding together with a profile of models, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.core.settings import Settings
    from desktop.core.workspace import Workspace

DeciderName = Literal["auto", "dspy", "prompt", "rules"]
LITE, AUTOMATIC = "lite", "auto"

ROWS = (
    "hit@1",
    "hit@3",
    "hit@5",
    "mrr",
    "region_recall",
    "region_covered",
    "region_precision",
    "region_recall_when_first",
    "region_covered_when_first",
    "both_pages@5",
    "fact_recall",
    "grounded",
    "statements_grounded",
    "facts",
    "judged",
    "refused_right",
    "refused_wrong",
    "refusal_precision",
    "refusal_recall",
    "warnings_carried",
    "fallen_back",
    "steps",
    "seconds",
    "p50_ms",
    "p95_ms",
    "search_p50_ms",
    "search_p95_ms",
    "n",
)
"""The figures of a column, in the order they are shown."""


@dataclass(frozen=True, slots=True)
class Column:
    """decider: as in the settings. profile: an id of the catalogue, or "auto"."""

    decider: DeciderName
    profile: str

    @property
    def label(self) -> str:
        """What stands above it."""
        return f"{self.decider}, {self.profile}"

    def settings(self, own: Settings) -> Settings:
        """Return a person's settings with this decider and profile instead of theirs."""
        changed = own.model_copy(deep=True)
        changed.agent.decider = self.decider
        changed.models.profile = self.profile
        return changed

    def impossible_in(self, workspace: Workspace) -> str:
        """Return why it cannot be measured there, "" if it can.

        Without its model every decider falls back to rules: such a column would show the
        figures of another one under its own name.
        """
        if workspace.models.language() is not None:
            return ""
        if self.profile not in (LITE, AUTOMATIC):
            return f"no language model for the profile {self.profile} is installed"
        if self.decider in ("dspy", "prompt"):
            return f"without a language model {self.decider} is the same as rules"
        return ""


def side_by_side(reports: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, list[Any]]]:
    """Return a row per figure with its value in every report, without rows nobody has."""
    overall = [report["overall"] for report in reports.values()]
    return [(name, values) for name in ROWS if _known(values := [o.get(name) for o in overall])]


def _known(values: Iterable[Any]) -> bool:
    return any(value is not None for value in values)
