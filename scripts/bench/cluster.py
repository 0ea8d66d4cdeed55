"""Building a pack with one and two workers of a local Ray, beside the single process.

The manuals are made of a few pages of the samples each, every one another file. All are read by
the real parser and the built-in text model, in turn; figures are medians. Needs Ray: `make
test-cluster` makes an environment that has it. No model for pictures of pages takes part.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from desktop.app.models import open_pack_tools
from desktop.core.evaluation.figures import Figure
from desktop.core.jobs import CancelToken
from desktop.core.manual_packs.building import build_pack, one_after_the_other
from desktop.core.manual_packs.cluster import RayWorkers
from desktop.core.manual_packs.manifest import PackFolder, read_manifest
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

BASELINE = "the single process, without Ray"
MANUALS, PAGES_OF_EACH = 100_000, 200
"""What a large company has, for the sum on paper."""
_LOOK_SECONDS = 0.5


def add_options(parser: argparse.ArgumentParser) -> None:
    """How much to build."""
    parser.add_argument("--manuals", type=int, default=200, help="manuals (default 200)")
    parser.add_argument("--pages", type=int, default=2, help="pages of each (default 2)")
    parser.add_argument("--rounds", type=int, default=1, help="how often (default 1)")


@dataclass(slots=True)
class _Run:
    """One build. seconds: of all; first: until the first manual.

    cpu: seconds of processors, of which `reading` in parser processes. shards: bytes by name.
    """

    workers: int
    seconds: float = 0.0
    first: float = 0.0
    cpu: float = 0.0
    reading: float = 0.0
    shards: dict[str, bytes] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.workers} worker{'s' if self.workers > 1 else ''}"


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Build the same pack in each way, in turn."""
    work = Path(tempfile.mkdtemp(prefix="groundwork-cluster-"))
    try:
        _make_manuals(work / "manuals", options.manuals, options.pages)
        runs = [_build(work, workers) for _ in range(options.rounds) for workers in (0, 1, 2)]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return _told(runs, options.manuals, options.manuals * options.pages)


def _make_manuals(folder: Path, count: int, pages: int) -> None:
    import pymupdf

    chance = random.Random(7)
    samples = [pymupdf.open(path) for path in sample_manuals()]
    folder.mkdir(parents=True)
    for number in range(count):
        source = chance.choice(samples)
        first = chance.randrange(source.page_count - pages + 1)
        with pymupdf.open() as manual:
            manual.insert_pdf(source, from_page=first, to_page=first + pages - 1)
            manual.set_metadata({"title": f"Manual {number}"})
            manual.save(folder / f"{number:04d}.pdf", garbage=4, no_new_id=True)
    for source in samples:
        source.close()


def _build(work: Path, workers: int) -> _Run:
    run = _Run(workers)
    pack = PackFolder(work / "pack")
    tools = partial(open_pack_tools, Settings())
    mine = _cpu_of(psutil.Process())
    spent: dict[int, tuple[float, bool]] = {}
    began = time.perf_counter()
    with tools() as made, _watched(spent):
        for _ in build_pack(
            [work / "manuals"],
            pack,
            made,
            CancelToken(),
            name="Bench",
            expires_at=None,
            build_shards=RayWorkers(tools, workers) if workers else one_after_the_other,
        ):
            run.first = run.first or time.perf_counter() - began
            run.seconds = time.perf_counter() - began
    run.cpu = _cpu_of(psutil.Process()) - mine + sum(seconds for seconds, _ in spent.values())
    run.reading = sum(seconds for seconds, parser in spent.values() if parser)
    manifest = read_manifest(pack)
    if manifest is None or manifest.manuals != len(list((work / "manuals").iterdir())):
        raise RuntimeError(f"not every manual was built: {pack.quarantine.read_text()}")
    run.shards = {path.name: path.read_bytes() for path in (pack.root / "shards").iterdir()}
    shutil.rmtree(pack.root)
    return run


@contextmanager
def _watched(spent: dict[int, tuple[float, bool]]) -> Iterator[None]:
    """Note twice a second what each process that was started here has used, and which parse."""
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(_LOOK_SECONDS):
            for child in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):  # it has just ended
                    spent[child.pid] = _cpu_of(child), "desktop.parser_worker" in child.cmdline()

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join()


def _cpu_of(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _told(runs: list[_Run], manuals: int, pages: int) -> tuple[list[Figure], list[str]]:
    single = [run for run in runs if not run.workers]
    figures: list[Figure] = []
    details = [f"{manuals} manuals, {pages} pages, {len(single)} builds in each way, in turn"]
    for workers in (1, 2):
        them = [run for run in runs if run.workers == workers]
        name = them[0].name

        def speed(run: _Run) -> float:
            return pages / run.seconds

        def going(run: _Run) -> float:
            return pages * (manuals - 1) / manuals / (run.seconds - run.first)

        def cost(run: _Run) -> float:
            return run.cpu / pages

        differ = sum(run.shards != single[0].shards for run in them)
        figures += [
            _figure(f"{name}, with the start of Ray", "pages/s", speed, them, single),
            _figure(f"{name}, after the first manual", "pages/s", going, them, single),
            _figure(f"{name}, processor time", "s/page", cost, them, single),
            Figure(name=f"{name}, packs that are not the same", value=differ, limit=0),
        ]
    for run in runs:
        details.append(
            f"{run.name if run.workers else 'single process'}: {run.seconds:.0f} s, first manual "
            f"after {run.first:.0f} s, {run.cpu:.0f} s of processors, {run.reading:.0f} s of them "
            "in parsers"
        )
    a_page = statistics.median(run.cpu for run in single) / pages
    reading = statistics.median(run.reading for run in single) / pages
    hours = a_page * MANUALS * PAGES_OF_EACH / 3600
    details += [
        f"a page of the single process takes {reading:.3f} s of a processor in the parser and "
        f"{a_page - reading:.3f} s for vectors of text, storing and starting",
        f"on paper: {MANUALS:,} manuals of {PAGES_OF_EACH} pages are {hours:,.0f} core hours, a "
        f"day of {hours / 24:,.0f} cores, without pictures of pages",
        f"{os.cpu_count()} processors; {os.getloadavg()[2]:.1f} processes wanted them",
    ]
    return figures, details


def _figure(
    name: str, unit: str, of: Callable[[_Run], float], runs: list[_Run], single: list[_Run]
) -> Figure:
    return Figure(
        name=name,
        value=statistics.median(map(of, runs)),
        unit=unit,
        baseline=statistics.median(map(of, single)),
        more_is_better=unit == "pages/s",
    )
