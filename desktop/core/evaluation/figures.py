"""What a bench says, in one format on the screen, in a file and on a page, and what it compares.

A column is a way of deciding together with a profile of models.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.settings.sections import Settings
    from desktop.core.workspace import Workspace


class Figure(BaseModel):
    """One measured number, beside what it is compared with in the same run.

    unit: "ms", "pages/s" and so on, "" for a share or a count. baseline: the same thing
    done the bare way. limit: what it should reach, at least or at most as
    `more_is_better` says.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    value: float
    unit: str = ""
    baseline: float | None = None
    limit: float | None = None
    more_is_better: bool = False

    @property
    def met(self) -> bool:
        """Whether the limit is kept; a figure without one has nothing to miss."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.more_is_better else self.value <= self.limit


class BenchResult(BaseModel):
    """Everything that one run of a bench found.

    baseline: what the baseline figures are, in words. machine: what it ran on, and how
    busy it was. details: whatever explains a figure, a line each.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bench: str
    about: str
    baseline: str
    figures: tuple[Figure, ...]
    measured_at: str = ""
    machine: str = ""
    details: tuple[str, ...] = ()

    @property
    def met(self) -> bool:
        """Whether no figure missed its limit."""
        return all(figure.met for figure in self.figures)


def result(
    bench: str,
    about: str,
    baseline: str,
    figures: list[Figure],
    details: list[str] | tuple[str, ...] = (),
) -> BenchResult:
    """Return a result that was measured here and now."""
    return BenchResult(
        bench=bench,
        about=about,
        baseline=baseline,
        figures=tuple(figures),
        measured_at=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        machine=this_machine(),
        details=tuple(details),
    )


def this_machine() -> str:
    """Say what is measuring: system, processor, cores, and the load of the last minute."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}"


def as_text(found: BenchResult) -> str:
    """Write a result as a table for a terminal."""
    lines = [f"{found.bench}: {found.about}", f"baseline: {found.baseline}"]
    width = max((len(figure.name) for figure in found.figures), default=0)
    for figure in found.figures:
        limit = "" if figure.limit is None else f"  {limit_text(figure)}"
        missed = "" if figure.met else "  MISSED"
        baseline = "" if figure.baseline is None else f"  (baseline {number(figure.baseline)})"
        value = f"{number(figure.value):>10} {figure.unit}".rstrip()
        lines.append(f"  {figure.name:<{width}}  {value}{baseline}{limit}{missed}")
    return "\n".join([*lines, *(f"  {detail}" for detail in found.details)])


def limit_text(figure: Figure) -> str:
    """Say what a figure should reach, "" if nothing."""
    if figure.limit is None:
        return ""
    return f"{'at least' if figure.more_is_better else 'at most'} {number(figure.limit)}"


def number(value: float) -> str:
    """Write a number with about three significant digits."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


DeciderName = Literal["auto", "dspy", "prompt", "rules"]
LITE, AUTOMATIC = "lite", "auto"

ROWS = (
    "hit@1 hit@3 hit@5 mrr region_recall region_covered region_precision"
    " region_recall_when_first region_covered_when_first both_pages@5 fact_recall grounded"
    " statements_grounded facts judged refused_right refused_wrong refusal_precision"
    " refusal_recall warnings_carried fallen_back steps seconds p50_ms p95_ms search_p50_ms"
    " search_p95_ms n"
).split()
"""The figures of a column, in the order they are shown."""


@dataclass(frozen=True, slots=True)
class Column:
    """decider: as in the settings. profile: an id of the catalogue, or "auto"."""

    decider: DeciderName
    profile: str

    @property
    def label(self) -> str:
        """The heading above it."""
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
    """Return a row per figure with its value in every report, without rows that none has."""
    overall = [report["overall"] for report in reports.values()]
    rows = ((name, [values.get(name) for values in overall]) for name in ROWS)
    return [(name, values) for name, values in rows if values.count(None) < len(values)]
