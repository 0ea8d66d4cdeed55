"""The same work over and over: manuals come, are asked, looked at and go. Memory stays flat."""

from __future__ import annotations

import os
import statistics
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil
import pymupdf

from desktop.core.paths import sample_manuals
from tests.e2e.real_library import ask, citations, ingest, opened

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

    from desktop.core.workspace import Workspace

QUESTIONS = (
    "What is the tightening torque of the terminals?",
    "How often is the filter cleaned?",
    "What does fault code F07 mean?",
)
_PAGES = ((2, 3), (8, 9), (5,), (11, 12))
_WARM_UP_ROUNDS = 4
_LEAST_ROUNDS, _MOST_ROUNDS = 8, 32
"""A thread that starts late, on a busy machine, takes memory once: more rounds show that it does
not go on growing."""
_GROWTH_BYTES = 4 << 20
"""What the program's memory may differ by between the two halves: allocators keep some."""

# A pool starts its threads when it has work for them, on a busy machine late; each reads the
# library through a connection of its own: the file, its log and the log's index.
_READERS = 2
_HANDLES_OF_A_READER = 3

_PARSER_BYTES = 700 << 20
"""A parser process grows with the pages it lays out and is replaced above 512 MB."""


@dataclass(slots=True)
class Soaked:
    """Rounds, and what they cost, as medians of the first and of the last half of them.

    bytes: the program's alone, without the pages of files it reads. handles: open files of the
    program and its parsers. parser: the most bytes that one parser process had. file: with what
    its log still holds. wrong: what grew, or did not work.
    """

    rounds: int = 0
    seconds: float = 0.0
    first_bytes: int = 0
    last_bytes: int = 0
    first_handles: int = 0
    last_handles: int = 0
    first_threads: int = 0
    last_threads: int = 0
    most_parser_bytes: int = 0
    file_bytes: tuple[int, int] = (0, 0)
    wrong: list[str] = field(default_factory=list)


def soak(place: Path, seconds: float = 0.0) -> Soaked:
    """Work for so long, a few rounds at least, and compare the end with the beginning.

    Where memory grew, a few more rounds tell whether it goes on growing.
    """
    place.mkdir(parents=True)
    excerpts = [_excerpt(place, number, pages) for number, pages in enumerate(_PAGES)]
    outcome = Soaked()
    seen: list[tuple[int, int, int]] = []
    sizes: list[int] = []
    with opened(place / "library") as workspace:
        ingest(workspace, [excerpts[0]])
        for _ in range(_WARM_UP_ROUNDS):
            _round(workspace, excerpts[1:], outcome)
        began = time.monotonic()
        while (
            (passed := time.monotonic() - began) < seconds
            or len(seen) < _LEAST_ROUNDS
            or (len(seen) < _MOST_ROUNDS and _growth(seen) > _GROWTH_BYTES)
        ):
            _round(workspace, excerpts[1:], outcome)
            seen.append(_cost(outcome))
            sizes.append(workspace.database.read(_file_bytes))
        outcome.seconds = round(passed, 1)
        outcome.wrong += workspace.database.check()
    _compare(outcome, seen, sizes)
    return outcome


def _round(workspace: Workspace, excerpts: list[Path], outcome: Soaked) -> None:
    path = excerpts[outcome.rounds % len(excerpts)]
    ingest(workspace, [path])
    documents = workspace.library.documents()
    if len(documents) != 2 or any(document.state != "ready" for document in documents):
        outcome.wrong.append(f"round {outcome.rounds}: {[d.state for d in documents]}")
    events = ask(workspace, QUESTIONS[outcome.rounds % len(QUESTIONS)])
    for event in citations(events)[:2]:
        workspace.library.page_words(event.source.document_id, event.source.page)
    for document in documents:  # switching between manuals
        source = workspace.library.original_path(document.id)
        for page in range(document.page_count):
            workspace.library.blocks(document.id, page)
            workspace.parser.draw(source, page, 1.0)
    conversation = workspace.conversations.create("Round")
    workspace.conversations.add_turn(conversation, "question", events)
    workspace.conversations.delete(conversation)
    workspace.library.delete(documents[-1].id)
    outcome.rounds += 1


def _cost(outcome: Soaked) -> tuple[int, int, int]:
    process = psutil.Process(os.getpid())
    handles = process.num_fds()
    for child in process.children(recursive=True):
        with suppress(psutil.Error):  # a parser that was replaced this moment
            outcome.most_parser_bytes = max(outcome.most_parser_bytes, child.memory_info().rss)
            handles += child.num_fds()
    return process.memory_full_info().uss, handles, process.num_threads()


def _file_bytes(connection: apsw.Connection) -> int:
    return int(connection.pragma("page_count")) * int(connection.pragma("page_size"))


def _halves(seen: list[tuple[int, int, int]]) -> tuple[list[int], list[int]]:
    """Return the medians of the first half of the rounds, and of the last."""
    half = len(seen) // 2
    return _medians(seen[:half]), _medians(seen[half:])


def _growth(seen: list[tuple[int, int, int]]) -> int:
    """Return by how many bytes the last half of the rounds is above the first."""
    first, last = _halves(seen)
    return last[0] - first[0]


def _compare(outcome: Soaked, seen: list[tuple[int, int, int]], sizes: list[int]) -> None:
    if len(seen) < 2:
        outcome.wrong.append("too few rounds to compare")
        return
    first, last = _halves(seen)
    outcome.first_bytes, outcome.first_handles, outcome.first_threads = first
    outcome.last_bytes, outcome.last_handles, outcome.last_threads = last
    outcome.file_bytes = (sizes[0], sizes[-1])
    if (growth := last[0] - first[0]) > _GROWTH_BYTES:
        outcome.wrong.append(f"memory grew by {growth / 2**20:.0f} MB")
    if outcome.most_parser_bytes > _PARSER_BYTES:
        outcome.wrong.append(f"a parser had {outcome.most_parser_bytes / 2**20:.0f} MB")
    if sizes[-1] > 2 * sizes[0]:
        outcome.wrong.append(f"the library file grew to {sizes[-1] / 2**20:.0f} MB")
    if last[1] > first[1] + _READERS * _HANDLES_OF_A_READER:
        outcome.wrong.append(f"handles grew from {first[1]} to {last[1]}")
    if last[2] > first[2] + _READERS:
        outcome.wrong.append(f"threads grew from {first[2]} to {last[2]}")


def _medians(rows: list[tuple[int, int, int]]) -> list[int]:
    return [int(statistics.median(column)) for column in zip(*rows, strict=True)]


def _excerpt(place: Path, number: int, pages: tuple[int, ...]) -> Path:
    path = place / f"excerpt-{number}.pdf"
    with pymupdf.open(sample_manuals()[number % 2]) as whole, pymupdf.open() as short:
        for page in pages:
            short.insert_pdf(whole, from_page=page, to_page=page)
        short.save(path)
    return path
