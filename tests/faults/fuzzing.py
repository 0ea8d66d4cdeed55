"""Mutated PDF files through the whole intake, with the parser process that the program uses."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentError
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.library.values import DocumentChanged
from desktop.core.parsing.process import START_SECONDS, ParserProcess
from desktop.core.settings.sections import IngestionSettings, ParserSettings
from desktop.core.store.database import Database
from tests.fakes.embedder import FakeEmbedder
from tests.faults.mutations import mutated, seeds

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE_SECONDS, DOCUMENT_SECONDS, MEMORY_GIB = 2.0, 3.0, 1.0
MOST_SECONDS = START_SECONDS + 90.0
"""A file may cost: a start of the parser on a machine that does much else, opening, three pages
that stop the parser, its restarts. What takes longer hangs."""

ENDINGS = ("ready", "failed", "needs_password")
_MOST_PIXELS = 2_000_000


@dataclass(slots=True)
class Fuzzed:
    """What became of the files. restarts: of the parser process. slowest: seconds for one file.

    wrong: what must not happen, with the number of the file, which its seed makes again.
    """

    files: int = 0
    states: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)


def fuzz(
    count: int, folder: Path, seed: int, on_file: Callable[[Fuzzed], None] = lambda _: None
) -> Fuzzed:
    """Take in `count` mutated files, draw a page of each, and look for what must not happen."""
    files, outcome = seeds(), Fuzzed()
    settings = ParserSettings(
        page_seconds=PAGE_SECONDS,
        document_seconds=DOCUMENT_SECONDS,
        memory_gib=MEMORY_GIB,
        max_megapixels=_MOST_PIXELS / 1e6,
        ocr=False,
        layout_model=False,
    )
    parser = ParserProcess(settings)
    folder.mkdir(parents=True)
    try:
        with Database.open(folder / "library") as database:
            library = Library(database, folder / "library")
            ingestion = Ingestion(
                database, library, parser, FakeEmbedder(), IngestionSettings(free_space_mib=0)
            )
            for number in range(count):
                path = folder / f"{number}.pdf"
                path.write_bytes(mutated(files, random.Random(f"{seed}-{number}")))
                _one(number, path, ingestion, parser, outcome)
                path.unlink()
                on_file(outcome)
            _still_sound(database, ingestion, folder, files[0], outcome)
    finally:
        parser.close()
    return outcome


def _one(
    number: int, path: Path, ingestion: Ingestion, parser: ParserProcess, outcome: Fuzzed
) -> None:
    began, worker = time.monotonic(), parser.worker_pid
    ingestion.enqueue([path])
    changes = [e.document for e in ingestion.run(CancelToken()) if isinstance(e, DocumentChanged)]
    outcome.files += 1
    state = changes[-1].state if changes else "known"  # two mutations can make the same file
    outcome.states[state] += 1
    if changes and state not in ENDINGS:
        outcome.wrong.append(f"{number}: it ended as {state}")
    if state == "failed":
        outcome.reasons[changes[-1].reason.split(":")[0]] += 1
        if not changes[-1].reason:
            outcome.wrong.append(f"{number}: it failed without a reason")
    try:
        image = parser.draw(path, 0, 1.0)
        parser.read_links(path, 0)
        if image.width * image.height > _MOST_PIXELS * 1.1:
            outcome.wrong.append(f"{number}: drawn with {image.width} x {image.height} pixels")
    except DocumentError:
        outcome.reasons["page not drawn"] += 1
    except (IndexError, RuntimeError, ValueError) as error:
        outcome.wrong.append(f"{number}: drawing raised {type(error).__name__}: {error}")
    outcome.restarts += worker is not None and parser.worker_pid != worker
    seconds = time.monotonic() - began
    outcome.slowest = max(outcome.slowest, seconds)
    if seconds > MOST_SECONDS:
        outcome.wrong.append(f"{number}: it took {seconds:.0f} s")
    if children := _children(parser.worker_pid):
        outcome.wrong.append(f"{number}: the parser started a process: {children}")


def _still_sound(
    database: Database, ingestion: Ingestion, folder: Path, good: bytes, outcome: Fuzzed
) -> None:
    path = folder / "good.pdf"
    # of 10,000 changes some leave this very file as it is: it must be one of its own
    path.write_bytes(good + b"\n% sound\n")
    ingestion.enqueue([path])
    list(ingestion.run(CancelToken()))
    state = database.read(
        lambda c: c.execute("SELECT state FROM documents WHERE name = 'good.pdf'").get
    )
    if state != "ready":
        outcome.wrong.append(f"a sound file is {state} after all this")
    outcome.wrong += database.check()


def _children(pid: int | None) -> str:
    """Return the processes that a process started, where the system tells."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").strip()
    except OSError:
        return ""
