"""The figures of a bench as tables for people, and what changed since an earlier one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from desktop.core.evaluation.bench import compare, same_column, two_digits
from desktop.core.evaluation.figures import side_by_side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MEASURES = ("hit@1", "hit@5", "mrr", "region_recall", "fact_recall", "p50_ms", "p95_ms", "n")
FILE_WIDTH = 120
"""Width of the table, in columns, when it goes to a file or a pipe."""


def print_tables(reports: Sequence[Mapping[str, Any]]) -> None:
    """Print the measures side by side, and a single column also by kind and manual."""
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
    """Say in one line which question failed and what was found instead."""
    asked = f"{failure['id']}: {failure['question']}"
    if not failure["gold"]:
        return f"should have been refused: {asked}"
    found = ", ".join(f"{document} {page + 1}" for document, page in failure["found"])
    return f"not found: {asked} (found {found or 'nothing'})"


def _side_by_side(reports: Sequence[Mapping[str, Any]]) -> Table:
    labelled = {_label(report): report for report in reports}
    table = Table("", *labelled, title="Answers")
    for name, values in side_by_side(labelled):
        table.add_row(name, *(two_digits(value) for value in values))
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
    return [two_digits(measures.get(name)) for name in MEASURES]


def print_comparison(
    old: list[dict[str, Any]], reports: Sequence[Mapping[str, Any]], *, beside: bool = False
) -> None:
    """Print every measure then and now, and the questions that changed; on stderr beside JSON."""
    stream = sys.stderr if beside else sys.stdout
    console = Console(file=stream, width=None if stream.isatty() else FILE_WIDTH)
    for report in reports:
        label = _label(report)
        before = same_column(old, report)
        if before is None:
            console.print(f"{label}: not in the old report", markup=False)
            continue
        found = compare(before, report)
        table = Table(label, "then", "now", "difference", title="Since the old report")
        for change in found.measures:
            moved = "" if not change.difference else f"{change.difference:+.3g}"
            table.add_row(change.name, _exact_cell(change.old), _exact_cell(change.new), moved)
        console.print(table)
        for way in ("better", "worse"):
            for question in found.questions:
                if what := getattr(question, way):
                    line = f"{way}: {question.id}: {question.question} ({', '.join(what)})"
                    console.print(line, markup=False, highlight=False, soft_wrap=True)
        if not before.get("questions"):
            console.print("The old report does not say how each question went.", markup=False)
        for title, ids in (("new", found.added), ("no longer asked", found.gone)):
            if ids and before.get("questions"):
                console.print(f"{title}: {', '.join(ids)}", markup=False, soft_wrap=True)


def _exact_cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
