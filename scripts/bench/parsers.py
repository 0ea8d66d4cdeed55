"""How much sooner a manual's layout is read by several parsers side by side.

    python -m scripts.bench parsers MANUAL [--processes 1 2] [--rounds 5]

The manual is taken into a new library each time, in turns, with so many pages at a time; timed is
the layout pass, from the end of the text pass to its own. Tables and figures are recognised, as by
default; vectors are made afterwards and not timed.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.app import open_workspace
from desktop.core import power
from desktop.core.evaluation.figures import Figure
from desktop.core.jobs import CancelToken
from desktop.core.library.values import PassProgress
from desktop.core.settings.sections import Settings

if TYPE_CHECKING:
    import argparse

BASELINE = "one parser"
SCALING = 1.8
"""Of two parsers on two free cores."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("manual", type=Path, help="a PDF to take in")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Take the manual in with each number of parsers, in turns."""
    found: dict[int, list[float]] = {count: [] for count in options.processes}
    pages = 0
    for _ in range(options.rounds):
        for count, rates in found.items():
            pages, seconds = _layout(options.manual, count)
            rates.append(pages / seconds)
    one = statistics.median(found[min(found)])
    figures = [
        Figure(
            name=f"{count} side by side",
            value=statistics.median(rates) / one,
            baseline=1.0,
            limit=SCALING if count == 2 else None,
            more_is_better=True,
        )
        for count, rates in found.items()
        if count != min(found)
    ]
    spread = "; ".join(
        f"{count}: {statistics.median(rates):.2f} ({min(rates):.2f} to {max(rates):.2f})"
        for count, rates in found.items()
    )
    return figures, [
        f"{options.manual.name}, {pages} pages, {options.rounds} rounds; pages/s with {spread}",
        f"{os.cpu_count()} cores",
    ]


def _layout(manual: Path, count: int) -> tuple[int, float]:
    """Return the pages of the manual, and the seconds of its layout pass."""
    power.pages_at_once = lambda: count
    cancel = CancelToken()
    with tempfile.TemporaryDirectory() as folder:
        workspace = open_workspace(Path(folder) / "library", settings=Settings())
        try:
            workspace.ingestion.enqueue([manual])
            began, pages = 0.0, 0
            for event in workspace.ingestion.run(cancel):
                if not isinstance(event, PassProgress) or event.done != event.total:
                    continue
                if event.pass_name == "text":
                    began = time.perf_counter()
                if event.pass_name == "layout":
                    pages, ended = event.total, time.perf_counter()
                    cancel.cancel()
            return pages, ended - began
        finally:
            workspace.close()
