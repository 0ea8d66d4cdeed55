"""Measure how quick the window is, in one run and beside what Qt itself needs.

Usage: bench_window.py MANUAL.pdf [--seconds 60] [--json]. Needs no display.

Reported, with the targets of this project: first paint against that of an empty
QMainWindow (at most 400 ms more) and the library usable after it (1.5 s); drawing pages
against bare QPdfDocument.render, with the ingestion waiting and (named so) beside it; turning
to drawn pages (16 ms); memory while a hundred pages are scrolled through; and the longest
stall of the event loop while the manual is ingested, pages are turned and questions are asked
(50 ms), apart from it the longest of opening the library and the manual, beside the longest
of an empty window that runs at the same time: what is as long there is the machine's.
Whatever held the loop is shown with the line it was in. QT_SCALE_FACTOR=2 in the environment
measures as on a fine screen.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts import bench_library, bench_session, bench_starts

if TYPE_CHECKING:
    from collections.abc import Sequence

TARGETS = bench_starts.TARGETS | bench_session.TARGETS | bench_library.TARGETS


def main(arguments: Sequence[str]) -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("manual", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to ingest")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="groundwork-window-") as home:
        os.environ["GROUNDWORK_HOME"] = home
        measured = bench_starts.measure(Path(home))
        measured |= bench_session.measure(Path(home), chosen.manual, chosen.seconds)
    measured |= bench_library.measure()
    print(json.dumps(measured, indent=1) if chosen.json else _table(measured))
    return 0


def _table(measured: dict[str, Any]) -> str:
    lines = []
    for name, value in measured.items():
        if isinstance(value, list):
            lines += [f"{name}:", *(f"  {each}" for each in value)]
            continue
        target = TARGETS.get(name)
        verdict = "" if target is None else f"  (at most {target:g}: {_verdict(value, target)})"
        lines.append(f"{name:28} {value:10.2f}{verdict}")
    return "\n".join(lines)


def _verdict(value: float, target: float) -> str:
    return "met" if value <= target else "MISSED"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
