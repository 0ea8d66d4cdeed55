"""`groundwork bench`: measures search and refusals on questions with known pages."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from desktop.cli.opening import opened_workspace
from desktop.cli.options import BenchLibrary, chosen_library
from desktop.cli.refusal import Refused

MEASURES = ("hit@1", "hit@3", "hit@5", "mrr", "region_hit", "region_iou", "p50_ms", "p95_ms", "n")


FILE_WIDTH = 120
"""Columns of the table when it goes into a file or a pipe."""


class Profile(StrEnum):
    """What answers; `lite` needs no language model."""

    lite = "lite"


def bench(
    context: typer.Context,
    gold: Annotated[
        Path,
        typer.Argument(
            metavar="GOLD", exists=True, dir_okay=False, help="JSON file of questions with pages."
        ),
    ],
    manuals: Annotated[
        Path,
        typer.Option(
            "--manuals", metavar="DIR", exists=True, file_okay=False, help="Where their PDFs are."
        ),
    ],
    profile: Annotated[
        Profile, typer.Option("--profile", help="What answers the questions.")
    ] = Profile.lite,
    as_json: Annotated[bool, typer.Option("--json", help="Print all measures as JSON.")] = False,
    library: BenchLibrary = None,
) -> None:
    """Measure on your own questions how well the pages are found."""
    from desktop.core.evaluation.bench import run_bench
    from desktop.core.evaluation.gold import GoldFileError

    with ExitStack() as stack:
        folder = chosen_library(context, library) or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="groundwork-bench-"))
        )
        workspace = stack.enter_context(opened_workspace(folder))
        try:
            report = run_bench(workspace, gold, manuals, _say)
        except GoldFileError as error:
            raise Refused(f"The questions cannot be used: {error}") from error
    report = {"profile": profile.value, **report}
    if as_json:
        sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    else:
        _print_table(report)


def _say(message: str) -> None:
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def _print_table(report: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", *MEASURES, title="Pages found")
    table.add_row("overall", *_cells(report["overall"]), style="bold", end_section=True)
    for kind, measures in report["by_kind"].items():
        table.add_row(kind, *_cells(measures))
    table.add_section()
    for document, measures in report.get("by_document", {}).items():
        table.add_row(document, *_cells(measures))
    console = Console(width=None if sys.stdout.isatty() else FILE_WIDTH)
    console.print(table)
    overall = report["overall"]
    refusals = (
        f"Refused: {overall.get('refused_right')} rightly, {overall.get('refused_wrong')} wrongly"
    )
    console.print(refusals, markup=False)
    for failure in report.get("failures", []):
        console.print(f"not found: {failure}", markup=False, highlight=False, soft_wrap=True)


def _cells(measures: Mapping[str, Any]) -> list[str]:
    return [_cell(measures.get(name)) for name in MEASURES]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) and value < 10 else f"{value:.0f}"
