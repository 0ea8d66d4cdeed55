"""What takes hours: kills at random moments, mutated PDF files, and a soak, with their figures.

Writes a line of JSON for each part into WORK/figures.jsonl. Nothing may be lost, no file may do
more than fail with a reason. A seed makes a night again.
"""

from __future__ import annotations

import json
import logging
import random
import shutil
import sys
import time
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.figures import Figure
from tests.faults.fuzzing import Fuzzed, fuzz
from tests.faults.kills import kills
from tests.faults.soak import soak

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

BASELINE = "nothing lost and nothing wrong"
_TELL_EVERY = 250


def killing(count: int, work: Path, seed: int) -> dict[str, Any]:
    """Return what was killed and what of it was lost; the first loss ends it."""
    done: Counter[str] = Counter()
    reported, lost = 0, ""
    try:
        for kill in kills(count, work / "kills", seed):
            done[kill.kind] += 1
            reported += kill.reported
            _tell(f"{done.total()} kills", done.total(), every=20)
    except AssertionError as error:
        lost = f"kill {done.total()}: {error}"
    return {"part": "kills", "killed": dict(done), "reported": reported, "lost": lost}


def fuzzing(count: int, work: Path, seed: int) -> dict[str, Any]:
    """Return what became of so many mutated files."""

    def told(outcome: Fuzzed) -> None:
        _tell(f"{outcome.files} files, {len(outcome.wrong)} wrong", outcome.files, _TELL_EVERY)

    outcome = fuzz(count, work / "fuzz", seed, told)
    return {
        "part": "fuzzing",
        "files": outcome.files,
        "states": dict(outcome.states),
        "reasons": dict(outcome.reasons),
        "parser_replaced": outcome.restarts,
        "slowest_seconds": round(outcome.slowest, 1),
        "wrong": outcome.wrong,
    }


def soaking(minutes: float, work: Path) -> dict[str, Any]:
    """Return how memory and handles went."""
    return {"part": "soak", **asdict(soak(work / "soak", minutes * 60))}


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Run the parts that are asked for."""
    logging.disable(logging.WARNING)  # a line for every file that fails as it should
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    found: list[Figure] = []
    details = []
    for name in ("kills", "fuzz", "soak"):
        shutil.rmtree(work / name, ignore_errors=True)
    for part in _parts(options, work):
        began = time.monotonic()
        figures = {**part(), "seed": options.seed, "seconds": round(time.monotonic() - began)}
        with (work / "figures.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(figures) + "\n")
        details.append(json.dumps(figures))
        found += _figures(figures)
    return found, details


def _figures(part: dict[str, Any]) -> list[Figure]:
    """Return the numbers of a part, and how much went wrong in it."""
    name = part["part"]
    figures = [
        Figure(name=f"{name}, {key.replace('_', ' ')}", value=value)
        for key, value in part.items()
        if isinstance(value, int | float) and key not in ("seed", "seconds")
    ]
    figures.append(Figure(name=f"{name}, took", value=part["seconds"], unit="s"))
    if "killed" in part:
        figures.append(Figure(name="kills", value=sum(part["killed"].values())))
    if "lost" in part:
        figures.append(Figure(name="kills, lost", value=bool(part["lost"]), limit=0))
    if "wrong" in part:
        figures.append(Figure(name=f"{name}, wrong", value=len(part["wrong"]), limit=0))
    return figures


def _parts(arguments: argparse.Namespace, work: Path) -> Iterator[Callable[[], dict[str, Any]]]:
    seed = arguments.seed
    if arguments.kills:
        yield partial(killing, arguments.kills, work, seed)
    if arguments.files:
        yield partial(fuzzing, arguments.files, work, seed)
    if arguments.minutes:
        yield partial(soaking, arguments.minutes, work)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("work", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))


def _tell(text: str, number: int, every: int) -> None:
    if number % every == 0:
        sys.stderr.write(text + "\n")
