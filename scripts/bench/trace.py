"""Measures the reasoning trace with persistence on: what an entry costs whoever writes it.

The milliseconds of an entry on the caller's side (added and updated, as a tool does), of a summary
of 50 entries, the bytes an entry takes in the library, and the age of what a killed program loses.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.conversations.store import Conversations
from desktop.core.evaluation.figures import Figure
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.store.database import Database
from desktop.core.trace.reasoning_trace import warm_up
from desktop.core.trace.session_memory import Sessions
from desktop.core.trace.store import TraceStore

if TYPE_CHECKING:
    import argparse

    from desktop.core.trace.session_memory import SessionMemory

BASELINE = "the same entry as one committed INSERT of its JSON"
_PAGE = {"type": "region", "document_id": 1, "document": "pump_p200_operator.pdf", "label": "4-11"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("--entries", type=int, default=2_000)


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Write entries, then kill a program that writes."""
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        figures = _costs(Path(folder) / "costs", options.entries)
        lost = _lost(Path(folder))
    return [
        *figures,
        Figure(name="oldest entry lost at kill -9, worst of ten", value=max(lost), unit="ms"),
        Figure(name="the same, median", value=statistics.median(lost), unit="ms"),
    ], []


def _session(folder: Path) -> tuple[Database, int, SessionMemory]:
    database = Database.open(folder)
    conversation = Conversations(database).create()
    Conversations(database).begin_turn(conversation, "How long does the test last?").flush()
    memory = Sessions(ReasoningTraceSettings(), database).memory(conversation)
    memory.start_reasoning_trace(memory.add_interaction("How long does the test last?"))
    return database, conversation, memory


def _costs(folder: Path, entries: int) -> list[Figure]:
    database, _conversation, memory = _session(folder)
    before = _bytes(database)
    took: list[float] = []

    async def question() -> None:
        for number in range(entries):
            began = time.perf_counter()
            _entry(memory, number)
            took.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.002)
        await asyncio.sleep(0.5)

    asyncio.run(question())
    per_entry = (_bytes(database) - before) / entries
    last = SessionBench(memory).summary_of_fifty()
    bare = _plain_inserts(database, entries)
    database.close()
    took.sort()
    middle, late = statistics.median(bare), bare[int(0.95 * len(bare))]
    return [
        Figure(name="an entry, median", value=statistics.median(took), unit="ms", baseline=middle),
        Figure(
            name="an entry, 95th percentile",
            value=took[int(0.95 * len(took))],
            unit="ms",
            baseline=late,
        ),
        Figure(name="an entry, slowest", value=took[-1], unit="ms", baseline=bare[-1]),
        Figure(name="summary of 50 entries", value=last, unit="ms"),
        Figure(name="an entry in the library", value=per_entry, unit="bytes"),
    ]


def _plain_inserts(database: Database, entries: int) -> list[float]:
    """Return the milliseconds of each of some plain entries, fastest first."""
    text = json.dumps({"thought": "Look for the words.", "evidence": [_PAGE]})
    database.write(lambda c: c.execute("CREATE TABLE plain(number INTEGER, entry TEXT)"))
    took = []
    for number in range(min(entries, 200)):
        began = time.perf_counter()
        database.write(
            lambda c, number=number: c.execute("INSERT INTO plain VALUES(?, ?)", (number, text))  # type: ignore[misc]
        )
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


class SessionBench:
    """A session of exactly fifty entries."""

    def __init__(self, memory: SessionMemory) -> None:
        self._memory = memory

    def summary_of_fifty(self) -> float:
        """Return the median milliseconds of a summary."""
        memory = self._memory
        memory.start_reasoning_trace(memory.add_interaction("fifty"))
        for number in range(50):
            _entry(memory, number)
        took = []
        for _ in range(50):
            began = time.perf_counter()
            memory.get_reasoning_summary(max_entries=50)
            took.append((time.perf_counter() - began) * 1000)
        return statistics.median(took)


def _entry(memory: SessionMemory, number: int) -> None:
    entry = memory.add_reasoning_entry(
        "execution",
        "Look for the words and the meaning of the question.",
        action="fast_vector_search",
        parameters={"query": f"How long does the RS-485 battery test {number} last?"},
    )
    assert entry is not None
    memory.update_reasoning_entry(
        entry,
        outcome="success",
        evidence=[f"Found 10 pages. Best: 4-11. All: 4-11, 5-4, {number}."],
        attachments=[{**_PAGE, "page": number, "regions": [[72.0, 100.5, 310.2, 112.0]]}],
        metrics={"milliseconds": 12.5, "hits": 10, "score": 1.42},
    )


def _bytes(database: Database) -> int:
    """Return the bytes of the tables' pages in use."""
    tables = ("trace_entries", "traces")
    return database.read(
        lambda c: sum(
            int(c.execute("SELECT sum(pgsize) FROM dbstat WHERE name = ?", (t,)).get or 0)
            for t in tables
        )
    )


def _write_for_ever(folder: Path) -> None:
    _database, _conversation, memory = _session(folder)

    async def question() -> None:
        number = 0
        while True:
            memory.add_reasoning_entry("execution", f"{time.monotonic()}", outcome="success")
            number += 1
            await asyncio.sleep(0.003)

    asyncio.run(question())


def _lost(folder: Path) -> list[float]:
    """Kill a program that writes, ten times, and return how old the oldest lost entry was."""
    lost: list[float] = []
    for run in range(10):
        library = folder / f"killed{run}"
        command = [sys.executable, "-m", "scripts.bench.trace", str(library)]
        child = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        time.sleep(3 + run * 0.037)
        killed = time.monotonic()
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        with Database.open(library) as database:
            traces = TraceStore(database).of_conversation(1)
        if traces and traces[0].entries:
            lost.append(round((killed - float(traces[0].entries[-1].thought)) * 1000))
    return lost


if __name__ == "__main__":
    _write_for_ever(Path(sys.argv[1]))
