"""Runs the frozen program as a person would use it, far from the sources it was built from."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.bundle.variant import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 600.0
_KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "DISPLAY", "OMP_NUM_THREADS")


class SmokeTestFailed(Exception):  # noqa: N818 - named after the state
    """The program does not do what it is for; the message says what it did."""


def test_frozen(executable: Path) -> dict[str, Any]:
    """Start the program with an empty home; returns what it reports.

    Raises: SmokeTestFailed.
    """
    before = _listing(executable.parent)
    report = run([str(executable)], "--runtimes")
    if _listing(executable.parent) != before:
        raise SmokeTestFailed("it changed its own folder, which an update replaces")
    if not report["frozen"]:
        raise SmokeTestFailed("it does not know that it is frozen")
    unlisted = {"pymupdf", "dspy", "numpy", "pyside6-essentials", "Qt"} - set(report["parts"])
    if unlisted:
        raise SmokeTestFailed(f"About does not list {sorted(unlisted)}")
    workers = report["workers"]
    if not any(worker.startswith(str(executable)) for worker in workers):
        raise SmokeTestFailed(f"its PDF reader is not itself: {workers}")
    return report


def start_times(programs: Sequence[Sequence[str]], times: int = 3) -> list[dict[str, float]]:
    """Start programs in turn; returns for each the median milliseconds of every act.

    Raises: SmokeTestFailed.
    """
    measured: list[list[dict[str, float]]] = [[] for _ in programs]
    for _ in range(times):
        for program, runs in zip(programs, measured, strict=True):
            runs.append(run(program, "--only-start")["milliseconds"])
    return [
        {act: statistics.median(each[act] for each in runs) for act in runs[0]} for runs in measured
    ]


def run(program: Sequence[str], *options: str) -> dict[str, Any]:
    """Run a program's smoke test as a new user with nothing of Python in the environment.

    Raises: SmokeTestFailed.
    """
    with tempfile.TemporaryDirectory(prefix="groundwork-home-") as home:
        ended = subprocess.run(
            [*program, "smoke-test", *options],
            cwd=home,
            env={key: os.environ[key] for key in _KEPT if key in os.environ} | {"HOME": home},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        strays = _strays(Path(home))
    try:
        report: dict[str, Any] = json.loads(ended.stdout)
    except ValueError as error:
        raise SmokeTestFailed(
            f"it ended with {ended.returncode}:\n{ended.stdout}\n{ended.stderr}"
        ) from error
    if ended.returncode or report["failure"]:
        raise SmokeTestFailed(f"{report['failure']} ({ended.returncode})\n{ended.stderr[-4000:]}")
    if str(ROOT) in ended.stderr:
        raise SmokeTestFailed(f"it uses the sources it was built from:\n{ended.stderr[-4000:]}")
    if strays:
        raise SmokeTestFailed(f"it left files in the home folder: {strays}")
    return report


def _listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file of a program with its size and its time of change."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def _strays(home: Path) -> list[str]:
    """Files that do not belong there; the list of fonts is the system's own."""
    allowed = (home / ".cache" / "fontconfig", home / "Library" / "Caches" / "org.groundwork")
    found = [path for path in home.rglob("*") if path.is_file()]
    return [
        str(path.relative_to(home))
        for path in found
        if not any(path.is_relative_to(each) for each in allowed)
    ]
