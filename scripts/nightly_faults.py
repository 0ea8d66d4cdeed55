"""What takes hours: kills at random moments, mutated PDF files, and a soak, with their figures.

    python -m scripts.nightly_faults WORK [--kills 200] [--files 10000] [--minutes 10] [--seed N]

Writes a line of JSON for each part into WORK/figures.jsonl. Ends with 1 if anything was lost, a
file did more than fail with a reason, or memory or handles grew. A seed makes a night again.
"""

from __future__ import annotations

import argparse
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

from tests.faults.fuzzing import Fuzzed, fuzz
from tests.faults.kills import kills
from tests.faults.soak import soak

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def main() -> int:
    """Run the parts that are asked for."""
    arguments = _arguments()
    logging.disable(logging.WARNING)  # a line for every file that fails as it should
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    bad = False
    for name in ("kills", "fuzz", "soak"):
        shutil.rmtree(work / name, ignore_errors=True)
    for part in _parts(arguments, work):
        began = time.monotonic()
        figures = {**part(), "seed": arguments.seed, "seconds": round(time.monotonic() - began)}
        bad |= bool(figures.get("lost") or figures.get("wrong"))
        with (work / "figures.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(figures) + "\n")
        sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    return 1 if bad else 0


def _parts(arguments: argparse.Namespace, work: Path) -> Iterator[Callable[[], dict[str, Any]]]:
    seed = arguments.seed
    if arguments.kills:
        yield partial(killing, arguments.kills, work, seed)
    if arguments.files:
        yield partial(fuzzing, arguments.files, work, seed)
    if arguments.minutes:
        yield partial(soaking, arguments.minutes, work)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kills, mutated files, soak.")
    parser.add_argument("work", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    return parser.parse_args()


def _tell(text: str, number: int, every: int) -> None:
    if number % every == 0:
        sys.stderr.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
