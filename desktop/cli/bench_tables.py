"""The figures of a bench as tables for people."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from desktop.core.evaluation.columns import side_by_side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MEASURES = ("hit@1", "hit@5", "mrr", "region_recall", "fact_recall", "p50_ms", "p95_ms", "n")
FILE_WIDTH = 120
"""Columns of the table when it goes into a file or a pipe."""


def print_tables(reports: Sequence[Mapping[str, Any]]) -> None:
    """Print what was measured: side by side, and a single column by kind and manual as well."""
    console = Console(width=None if sys.stdout.isatty() else FILE_WIDTH)
    if len(reports) == 1:
        console.print(_by_group(reports[0]))
    console.print(_side_by_side(reports))
    for report in reports:
        label = f"{_label(report)}: " if len(reports) > 1 else ""
        overall = report["overall"]
        refused = f"{overall.get('refused_right')} rightly, {overall.get('refused_wrong')} wrongly"
        console.print(f"{label}Refused: {refused}", markup=False)
        for failure in report.get("failures", []):
            console.print(
                f"{label}{_failed(failure)}", markup=False, highlight=False, soft_wrap=True
            )


def _failed(failure: Mapping[str, Any]) -> str:
    """Say in a line which question failed and what was found instead."""
    asked = f"{failure['id']}: {failure['question']}"
    if not failure["gold"]:
        return f"should have been refused: {asked}"
    found = ", ".join(f"{document} {page + 1}" for document, page in failure["found"])
    return f"not found: {asked} (found {found or 'nothing'})"


def _side_by_side(reports: Sequence[Mapping[str, Any]]) -> Table:
    labelled = {_label(report): report for report in reports}
    table = Table("", *labelled, title="Answers")
    for name, values in side_by_side(labelled):
        table.add_row(name, *(_cell(value) for value in values))
    return table


def _by_group(report: Mapping[str, Any]) -> Table:
    table = Table("", *MEASURES, title="Pages found")
    table.add_row("overall", *_cells(report["overall"]), style="bold", end_section=True)
    for kind, measures in report["by_kind"].items():
        table.add_row(kind, *_cells(measures))
    table.add_section()
    for document, measures in report.get("by_document", {}).items():
        table.add_row(document, *_cells(measures))
    return table


def _label(report: Mapping[str, Any]) -> str:
    return f"{report['decider']}, {report['profile']}"


def _cells(measures: Mapping[str, Any]) -> list[str]:
    return [_cell(measures.get(name)) for name in MEASURES]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) and value < 10 else f"{value:.0f}"
