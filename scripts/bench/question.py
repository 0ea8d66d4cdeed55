"""Where the milliseconds of one question go, warm and cold, beside another checkout of Groundwork.

    python -m scripts.bench question LIBRARY --labels scripts/labels/questions --beside CHECKOUT

Warm: labelled questions on the manuals of a library are asked one after the other in one process;
what the processor worked for each stage is the median. Cold: `groundwork ask` in a new process, to
the first byte of the answer. Both checkouts take turns. Processor milliseconds count all threads:
on a busy machine they say more than the clock. The library is opened to be read only.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.figures import Figure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from desktop.core.workspace import Workspace

BASELINE = "the checkout named by --beside, in turns"
COLD_LIMIT_S, WARM_LIMIT_MS, WARM_LATE_LIMIT_MS = 1.5, 250.0, 500.0
STAGES = {
    "finding pages": ("desktop.core.retrieval.search", "Searcher", "retrieve"),
    "cutting pages into units": ("desktop.core.reader.reader", "", "_placed"),
    "words of units": ("desktop.core.reader.reader", "", "observe_words"),
    "text model reads units": ("desktop.models.adapters.e5", "E5", "embed_tokens"),
    "nearness of tokens": ("desktop.core.reader.reader", "", "observe_vectors"),
    "read together": ("desktop.core.reader.reader", "Reader", "rerank"),
    "text model reads the question": ("desktop.models.adapters.e5", "E5", "embed_queries"),
    "choosing and quoting": ("desktop.core.answering.extractive", "ExtractiveAnswerer", "answer"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("library", type=Path, help="a library whose manuals have labels")
    parser.add_argument("--labels", type=Path, default=Path("scripts/labels/questions"))
    parser.add_argument("--beside", type=Path, required=True, help="the other checkout")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--starts", type=int, default=5, help="cold starts of each")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Ask in both checkouts, and compare which pages and units they answer with."""
    here, other = Path.cwd(), options.beside.resolve()
    asked = _asked(options.library, options.labels, options.questions)
    starts = _starts((here, other), options.library, asked[0], options.starts)
    warm = [_warm(root, options.library, asked) for root in (here, other)]
    answers = [each.pop("answers") for each in warm]
    differ = sum(one != two for one, two in zip(*answers, strict=True))
    limits = {"by the clock": WARM_LIMIT_MS, "by the clock, 95th percentile": WARM_LATE_LIMIT_MS}
    figures = [
        Figure(
            name=f"cold, {name}",
            value=statistics.median(mine),
            unit="s",
            baseline=statistics.median(theirs),
            limit=COLD_LIMIT_S if "clock" in name else None,
        )
        for name, (mine, theirs) in starts.items()
    ]
    figures += [
        Figure(
            name=f"warm, {name}",
            value=value,
            unit="" if name == "texts read" else "ms",
            baseline=warm[1].get(name),
            limit=limits.get(name),
        )
        for name, value in warm[0].items()
    ]
    spread = "; ".join(
        f"{name} {min(mine):.2f} to {max(mine):.2f} s, there {min(theirs):.2f} to {max(theirs):.2f}"
        for name, (mine, theirs) in starts.items()
    )
    return figures, [
        f"{options.starts} cold starts each: {spread}",
        f"{len(asked)} warm questions; finding pages holds a reading of the question",
        f"{differ} of {len(asked)} questions find or quote something else than there, or differ in"
        " how sure they are",
    ]


def _asked(library: Path, labels: Path, most: int) -> list[str]:
    from desktop.core.library.library import Library
    from desktop.core.store.database import Database

    with Database.open(library, read_only=True) as database:
        names = [each.name for each in Library(database, library).documents()]
    files = [labels / f"{Path(name).stem}.jsonl" for name in names]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    random.Random(24).shuffle(lines)
    return [str(json.loads(line)["question"]) for line in lines[:most]]


def _environment(root: Path) -> dict[str, str]:
    """Compiled modules are written: where that is forbidden every start would compile them."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(root)}


def _starts(
    roots: tuple[Path, Path], library: Path, question: str, count: int
) -> dict[str, tuple[list[float], list[float]]]:
    """Return seconds of new processes to the first byte and to the end, for each checkout."""
    found = defaultdict[str, tuple[list[float], list[float]]](lambda: ([], []))
    command = [sys.executable, "-m", "desktop", "ask", question, "-l", str(library.resolve())]
    for turn in range(-2, 2 * count):  # the first of each finds nothing compiled or read yet
        place = turn % 2
        root = roots[place]
        before, began = os.times(), time.monotonic()
        with subprocess.Popen(
            command,
            cwd=root,
            env=_environment(root),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as child:
            assert child.stdout is not None
            os.read(child.stdout.fileno(), 1)
            first = time.monotonic() - began, _worked(child.pid)
            child.stdout.read()
        after = os.times()
        worked = after.children_user + after.children_system
        worked -= before.children_user + before.children_system
        if turn >= 0:
            found["first byte, by the clock"][place].append(first[0])
            found["first byte, processor"][place].append(first[1])
            found["to the end, processor"][place].append(worked)
    return found


def _worked(process_id: int) -> float:
    """Return the seconds that all threads of a process have worked."""
    import psutil

    times = psutil.Process(process_id).cpu_times()
    return float(times.user + times.system)


def _warm(root: Path, library: Path, asked: list[str]) -> dict[str, Any]:
    """Ask in a process of a checkout; returns medians, and what was answered."""
    done = subprocess.run(
        [sys.executable, "-P", __file__, str(library.resolve())],  # -P: or its folder comes first
        input=json.dumps(asked),
        cwd=root,
        env=_environment(root),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def ask_all(library: Path, asked: list[str]) -> dict[str, Any]:
    """Ask in this process, whose `desktop` is the one that is measured."""
    from desktop.app import open_workspace
    from desktop.core.settings.sections import Settings

    spent: dict[str, float] = defaultdict(float)
    for name, (module, owner, function) in STAGES.items():
        place: Any = import_module(module)
        place = getattr(place, owner) if owner else place
        setattr(place, function, _counted(getattr(place, function), name, spent))
    rows: dict[str, list[float]] = defaultdict(list)
    answers = []
    workspace = open_workspace(library, read_only=True, settings=Settings(), soon_asked=True)
    try:
        for number, question in enumerate(["What is the torque?", *asked]):
            spent.clear()
            worked, began = time.process_time(), time.monotonic()
            events = _events(workspace, question)
            if number:  # the first one loads the model
                rows["whole question"].append(1000 * (time.process_time() - worked))
                rows["by the clock"].append(1000 * (time.monotonic() - began))
                for name in STAGES:
                    rows[name].append(1000 * spent[name])
                rows["texts read"].append(spent["texts"])
                answers.append(_told(events))
    finally:
        workspace.close()
    found: dict[str, Any] = {name: statistics.median(values) for name, values in rows.items()}
    for name in ("whole question", "by the clock"):
        found[f"{name}, 95th percentile"] = statistics.quantiles(rows[name], n=20)[-1]
    return {**found, "answers": answers}


def _events(workspace: Workspace, question: str) -> list[dict[str, Any]]:
    from desktop.cli.options import events_until_done
    from desktop.core.events import to_json

    run = events_until_done(lambda put, done: workspace.ask(question, frozenset(), put, done))
    return [json.loads(to_json(event)) for event in run]


def _counted(
    function: Callable[..., Any], name: str, spent: dict[str, float]
) -> Callable[..., Any]:
    def counted(*given: Any, **named: Any) -> Any:
        began = time.process_time()
        try:
            return function(*given, **named)
        finally:
            spent[name] += time.process_time() - began
            if name == "text model reads units":
                spent["texts"] += len(given[1])

    return counted


def _told(events: list[dict[str, Any]]) -> list[Any]:
    """Return what was found and answered: pages in their order, words, boxes, and how sure."""
    kept = ("result", "token", "citation", "confidence", "nearest_page", "revision")
    return [
        {name: value for name, value in event.items() if name != "milliseconds"}
        for event in events
        if event["type"] in kept
    ]


if __name__ == "__main__":
    print(json.dumps(ask_all(Path(sys.argv[1]), json.load(sys.stdin))))
