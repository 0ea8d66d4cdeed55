"""What changed since an earlier bench, for people."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from desktop.cli.bench_tables import FILE_WIDTH
from desktop.core.evaluation.bench_comparison import compare, same_column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def print_comparison(
    old: list[dict[str, Any]], reports: Sequence[Mapping[str, Any]], *, beside: bool = False
) -> None:
    """Print every measure then and now, and the questions that changed either way.

    beside: on stderr, because stdout carries JSON.
    """
    stream = sys.stderr if beside else sys.stdout
    console = Console(file=stream, width=None if stream.isatty() else FILE_WIDTH)
    for report in reports:
        label = f"{report['decider']}, {report['profile']}"
        before = same_column(old, report)
        if before is None:
            console.print(f"{label}: not in the old report", markup=False)
            continue
        found = compare(before, report)
        table = Table(label, "then", "now", "difference", title="Since the old report")
        for change in found.measures:
            moved = "" if not change.difference else f"{change.difference:+.3g}"
            table.add_row(change.name, _cell(change.old), _cell(change.new), moved)
        console.print(table)
        for title, words in (("better", "better"), ("worse", "worse")):
            changed = [(each, getattr(each, words)) for each in found.questions]
            for question, what in changed:
                if what:
                    line = f"{title}: {question.id}: {question.question} ({', '.join(what)})"
                    console.print(line, markup=False, highlight=False, soft_wrap=True)
        if not before.get("questions"):
            console.print("The old report does not say how each question went.", markup=False)
        for title, ids in (("new", found.added), ("no longer asked", found.gone)):
            if ids and before.get("questions"):
                console.print(f"{title}: {', '.join(ids)}", markup=False, soft_wrap=True)


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
