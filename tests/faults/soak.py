"""The same work over and over: manuals come, are asked, looked at and go. Memory stays flat."""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil
import pymupdf

from desktop.core.samples import sample_manuals
from tests.e2e.real_library import ask, citations, ingest, opened

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.workspace import Workspace

QUESTIONS = (
    "What is the tightening torque of the terminals?",
    "How often is the filter cleaned?",
    "What does fault code F07 mean?",
)
_PAGES = ((2, 3), (8, 9), (5,), (11, 12))
_GROWTH_BYTES = 24 << 20
"""What memory may differ by between the second and the last third: allocators keep some."""


@dataclass(slots=True)
class Soaked:
    """Rounds, and what they cost. Bytes and counts: the program and its parser together.

    first, last: medians of the second and of the last third of the rounds; the first third warms
    up. wrong: what grew, or did not work.
    """

    rounds: int = 0
    seconds: float = 0.0
    first_bytes: int = 0
    last_bytes: int = 0
    first_handles: int = 0
    last_handles: int = 0
    first_threads: int = 0
    last_threads: int = 0
    file_bytes: tuple[int, int] = (0, 0)
    wrong: list[str] = field(default_factory=list)


def soak(place: Path, seconds: float) -> Soaked:
    """Work for so long and compare the end with the beginning."""
    place.mkdir(parents=True)
    excerpts = [_excerpt(place, number, pages) for number, pages in enumerate(_PAGES)]
    outcome = Soaked()
    seen: list[tuple[int, int, int]] = []
    sizes: list[int] = []
    with opened(place / "library") as workspace:
        ingest(workspace, [excerpts[0]])
        began = time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            _round(workspace, excerpts[1:], outcome)
            seen.append(_cost())
            sizes.append((place / "library" / "library.db").stat().st_size)
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


def _cost() -> tuple[int, int, int]:
    process = psutil.Process(os.getpid())
    family = [process, *process.children(recursive=True)]
    return (
        sum(each.memory_info().rss for each in family),
        sum(each.num_fds() for each in family),
        process.num_threads(),
    )


def _compare(outcome: Soaked, seen: list[tuple[int, int, int]], sizes: list[int]) -> None:
    third = len(seen) // 3
    if not third:
        outcome.wrong.append("too few rounds to compare")
        return
    middle, end = seen[third : 2 * third], seen[-third:]
    first, last = (
        [int(statistics.median(each)) for each in zip(*x, strict=True)] for x in (middle, end)
    )
    outcome.first_bytes, outcome.first_handles, outcome.first_threads = first
    outcome.last_bytes, outcome.last_handles, outcome.last_threads = last
    outcome.file_bytes = (sizes[third], sizes[-1])
    if last[0] > first[0] + _GROWTH_BYTES:
        outcome.wrong.append(f"memory grew by {(last[0] - first[0]) / 2**20:.0f} MB")
    if last[1] > first[1] + 1:
        outcome.wrong.append(f"handles grew from {first[1]} to {last[1]}")
    if last[2] > first[2] + 1:
        outcome.wrong.append(f"threads grew from {first[2]} to {last[2]}")


def _excerpt(place: Path, number: int, pages: tuple[int, ...]) -> Path:
    path = place / f"excerpt-{number}.pdf"
    with pymupdf.open(sample_manuals()[number % 2]) as whole, pymupdf.open() as short:
        for page in pages:
            short.insert_pdf(whole, from_page=page, to_page=page)
        short.save(path)
    return path
