"""What a bench says: one format for all of them, on the screen, in a file and on a page."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict


class Figure(BaseModel):
    """One measured number, beside what it is compared with in the same run.

    unit: "ms", "pages/s" and so on, "" of a share or a count. baseline: the same thing done the
    bare way. limit: what it should reach, at least or at most as `more_is_better` says.
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

    baseline: what the baseline figures are, in words. machine: what it ran on, and how busy that
    was. details: whatever explains a figure, a line each.
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
    """Say what measures: system, processor, cores, and the load of the last minute."""
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
    """Write a number with about three digits that say something."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
