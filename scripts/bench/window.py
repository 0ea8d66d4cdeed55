"""Measure how quick the window is, in one run and beside what Qt itself needs.

Needs no display. First paint, which is the frame, and that of the contents against that of an
empty QMainWindow (1.3 times as late for the frame); the library usable after the contents (1.5 s);
drawing pages against bare QPdfDocument.render, with the ingestion waiting and (named so) beside it;
turning to drawn pages (16 ms); memory while a hundred pages are scrolled through; and the longest
stall of the event loop while the manual is ingested, pages are turned and questions are asked
(50 ms), apart from it the longest of opening the library and the manual, beside the longest of an
empty window that runs at the same time: what is as long there is the machine's. Whatever held the
loop is told with the line it was in. QT_SCALE_FACTOR=2 in the environment measures as on a fine
screen.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from desktop.core.evaluation.figures import Figure
from scripts.bench import window_session, window_starts

if TYPE_CHECKING:
    import argparse

BASELINE = "an empty QMainWindow, and bare QPdfDocument.render of the same pages"
LIMITS = window_starts.TARGETS | window_session.TARGETS
BESIDE = {
    "first_paint_ms": "empty_paint_ms",
    "content_paint_ms": "empty_paint_ms",
    "first_draw_ms": "bare_render_ms",
    "ingesting_first_draw_ms": "ingesting_bare_render_ms",
    "longest_stall_ms": "longest_stall_of_empty_ms",
    "longest_stall_opening_ms": "longest_stall_of_empty_ms",
    "page_cache_bytes": "page_cache_limit_bytes",
}
"""Which measured value is the baseline of another one."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("manual", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to ingest")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Start it several times, then use it while a manual is taken in."""
    with tempfile.TemporaryDirectory(prefix="groundwork-window-") as home:
        os.environ["GROUNDWORK_HOME"] = home
        measured: dict[str, Any] = window_starts.measure(Path(home))
        measured |= window_session.measure(Path(home), options.manual, options.seconds)
    details = [line for value in measured.values() if isinstance(value, list) for line in value]
    return [
        _figure(name, value, measured)
        for name, value in measured.items()
        if not isinstance(value, list) and name not in BESIDE.values()
    ], details


def _figure(name: str, value: float, measured: dict[str, Any]) -> Figure:
    words, unit = name, ""
    for ending, called in (("_ms", "ms"), ("_mib", "MiB"), ("_bytes", "bytes"), ("_seconds", "s")):
        if name.endswith(ending):
            words, unit = name.removesuffix(ending), called
    return Figure(
        name=words.replace("_", " "),
        value=value,
        unit=unit,
        baseline=measured[BESIDE[name]] if name in BESIDE else None,
        limit=LIMITS.get(name),
    )
