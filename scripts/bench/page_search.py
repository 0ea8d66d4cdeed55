"""Measures the page search in stages against exact MaxSim in numpy, in the same run.

Exact means: float32 vectors of all pages in memory (3.6 GB for 10,000 pages), the product with
the question 50 pages at a time, the greatest of each page, the sum. Times are medians over the
questions; exact and staged searches take turns, both with as many threads. With one thread the
processor time is told as well: what others do on the machine at the same time is not in it.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from threadpoolctl import threadpool_limits

from desktop.core.evaluation.figures import Figure
from desktop.core.late_interaction import code_table
from desktop.core.late_interaction.code_table import CodeRow, LoadedCodes
from desktop.core.late_interaction.page_search import (
    NumpyScorer,
    PageSearch,
    load_counts,
    measure_if_grown,
)
from desktop.core.late_interaction.page_vectors import (
    PageRow,
    page_row,
    question_codes,
    store_rows,
    use_model,
    words_of,
)
from desktop.core.library.documents import insert_document
from desktop.core.store.database import Database
from desktop.models.roles import PageVectors
from scripts.bench import page_vectors as samples

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    import apsw
    from numpy.typing import NDArray

    from desktop.core.late_interaction.page_search import PageScore

BASELINE = "exact MaxSim over all pages in numpy, as many threads"
MODEL = "made-up@1"
BEST = 5
_EXACT_STEP, _STORE_STEP = 50, 64
_ROWS, _COLUMNS = 28, 25


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Build a library of each size, open it, ask it."""
    source = _source(options)
    figures: list[Figure] = []
    details = [f"{options.questions} questions, threads: {options.threads}"]
    for count in options.pages:
        pages = np.empty((count, samples.PATCHES, samples.DIMENSION), np.float32)
        for place in range(count):
            pages[place] = source.page()
        asked = samples.questions(pages, options.questions, options.seed + 1)
        with tempfile.TemporaryDirectory() as made:
            found, said = _of_size(Path(made), pages, asked, options)
            if options.simulate and count == options.pages[-1]:
                found += _simulate(Path(made), asked, options.simulate)
        figures += found
        details += said
    return figures, details


def _of_size(
    folder: Path,
    pages: NDArray[np.float32],
    asked: list[NDArray[np.float32]],
    options: argparse.Namespace,
) -> tuple[list[Figure], list[str]]:
    size = f"{len(pages):,} pages"
    with Database.open(folder) as database:
        stored = _timed("storing a page", lambda: _store(database, pages), len(pages))
        measured = _timed("calibration", lambda: measure_if_grown(database, lambda: False))
        counts = database.read(load_counts)
    details = [f"{size}: candidates {counts.of(len(pages), BEST)}"]
    with Database.open(folder) as database:
        search = PageSearch(database, NumpyScorer())
        figures = [
            stored,
            measured,
            _timed("reading the codes of all pages", search.index.refresh),
            *_compare(search, pages, asked, options.threads),
        ]
    if options.fast_plaid:
        details.append(_ask_fast_plaid(options.fast_plaid, pages, asked, folder))
    named = [each.model_copy(update={"name": f"{size}, {each.name}"}) for each in figures]
    return named, details


def _compare(
    search: PageSearch, pages: NDArray[np.float32], asked: list[NDArray[np.float32]], threads: int
) -> list[Figure]:
    exact_ms, staged_ms, kept = [], [], {1: 0, BEST: 0, 2 * BEST: 0}
    exact_cpu, staged_cpu = [], []
    code_table._MOST_THREADS = threads
    with threadpool_limits(threads):
        _exact(asked[0], pages[:_EXACT_STEP])
        search.search(asked[0], MODEL, (), 2 * BEST)
        for question in asked:
            began, busy = time.perf_counter(), time.thread_time()
            scores = _exact(question, pages)
            exact_ms.append(1e3 * (time.perf_counter() - began))
            exact_cpu.append(1e3 * (time.thread_time() - busy))
            best = (np.argsort(-scores)[: 2 * BEST] + 1).tolist()
            began, busy = time.perf_counter(), time.thread_time()
            found = _ids(search.search(question, MODEL, (), 2 * BEST))
            staged_ms.append(1e3 * (time.perf_counter() - began))
            staged_cpu.append(1e3 * (time.thread_time() - busy))
            for count in kept:
                kept[count] += len(set(best[:count]) & set(found[:count]))

    def search_ms(name: str, staged: float, exact: float) -> Figure:
        return Figure(name=f"search, {name}", value=staged, unit="ms", baseline=exact)

    figures = [
        search_ms("median", float(np.median(staged_ms)), float(np.median(exact_ms))),
        search_ms("95th percentile", _p95(staged_ms), _p95(exact_ms)),
        search_ms("fastest", min(staged_ms), min(exact_ms)),
    ]
    if threads == 1:
        busy_ms = float(np.median(staged_cpu)), float(np.median(exact_cpu))
        figures.append(search_ms("processor time, median", *busy_ms))
    return figures + [
        Figure(name=f"recall@{count} against exact", value=n / count / len(asked), baseline=1)
        for count, n in kept.items()
    ]


def _ask_fast_plaid(
    python: Path, pages: NDArray[np.float32], asked: list[NDArray[np.float32]], folder: Path
) -> str:
    """Let an environment that has fast-plaid search the same pages; returns what it says."""
    best = [np.argsort(-_exact(question, pages))[:BEST] for question in asked]
    given = folder / "given.npz"
    np.savez(given, pages=pages.astype(np.float16), asked=np.stack(asked), best=np.stack(best))
    script = Path(__file__).with_name("fast_plaid.py")
    command = [python, script, given, folder / "fast-plaid"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _exact(question: NDArray[np.float32], pages: NDArray[np.float32]) -> NDArray[np.float32]:
    scores = np.empty(len(pages), np.float32)
    for first in range(0, len(pages), _EXACT_STEP):
        part = pages[first : first + _EXACT_STEP]
        products = part.reshape(-1, part.shape[-1]) @ question.T
        by_page = products.reshape(len(part), -1, len(question))
        scores[first : first + len(part)] = by_page.max(axis=1).sum(axis=1)
    return scores


def _store(database: Database, pages: NDArray[np.float32]) -> None:
    def begin(connection: apsw.Connection) -> int:
        use_model(connection, MODEL, pages.shape[-1])
        return insert_document(connection, "made up", "made-up.pdf", 1, 0)

    document_id = database.write(begin)
    for rows in _prepared(pages):
        database.write(lambda c, rows=rows: _write(c, document_id, rows))  # type: ignore[misc]


def _prepared(pages: NDArray[np.float32]) -> Iterator[list[PageRow]]:
    for first in range(0, len(pages), _STORE_STEP):
        yield [
            page_row(1 + place, PageVectors(pages[place], 0, _ROWS, _COLUMNS))
            for place in range(first, min(first + _STORE_STEP, len(pages)))
        ]


def _write(connection: apsw.Connection, document_id: int, rows: list[PageRow]) -> None:
    connection.executemany(
        "INSERT INTO pages(id, document_id, page, label, width, height)"
        " VALUES(?, ?, ?, ?, 595, 842)",
        [(row.page_id, document_id, row.page_id - 1, str(row.page_id)) for row in rows],
    )
    store_rows(connection, document_id, rows)


def _simulate(folder: Path, asked: list[NDArray[np.float32]], pages: int) -> list[Figure]:
    """Time the stages in memory with the codes of the library over and over again."""
    with Database.open(folder, read_only=True) as database:
        found = database.read(
            lambda c: c.execute(
                "SELECT id, page_id, document_id, coarse, fine FROM page_codes"
            ).fetchall()
        )
        rows = cast("list[CodeRow]", found)
        counts = replace(database.read(load_counts), model_id=MODEL)
        loaded = LoadedCodes(words_of(samples.DIMENSION))
        copies = -(-pages // len(rows))

        def load() -> None:
            for copy in range(copies):
                loaded.add([(copy * 10_000_000 + row[0], *row[1:]) for row in rows])

        loading = _timed(f"loading the codes of {copies * len(rows)} pages", load)
        first, second = counts.of(len(loaded), BEST)
        times: list[list[float]] = []
        for question in asked[:10]:
            began = time.perf_counter()
            codes, slots = question_codes(question), loaded.slots()
            scores = loaded.rough(codes, slots)
            slots = slots[np.argpartition(-scores, first)[:first]]
            rough = time.perf_counter()
            scores = loaded.fine(codes, slots)
            slots = slots[np.argpartition(-scores, second)[:second]]
            fine = time.perf_counter()
            ids = np.unique(loaded.page_ids(slots))
            PageSearch(database, NumpyScorer()).exact(question, ids, BEST)
            exact = (time.perf_counter() - fine) * second / len(ids)
            times.append([1e3 * (rough - began), 1e3 * (fine - rough), 1e3 * exact])
        stages = np.median(times, axis=0)
        whole = float(np.median(np.sum(times, axis=1)))
        names = (
            f"rough search of all {len(loaded)} pages",
            f"fine search of {first} of them",
            f"exact search of {second} of them",
        )
        return [
            loading,
            Figure(name=f"{len(loaded):,} pages, search, median", value=whole, unit="ms"),
            *(
                Figure(name=name, value=float(stage), unit="ms")
                for name, stage in zip(names, stages, strict=True)
            ),
        ]


def _source(options: argparse.Namespace) -> samples.Clusters | samples.TokenStates:
    if options.states is not None and options.states.exists():
        return samples.TokenStates(np.load(options.states).astype(np.float32), options.seed)
    if options.manuals is None:
        return samples.Clusters(options.seed)
    from desktop.models.built_in import load_text_embedder

    real = samples.token_states(options.manuals, load_text_embedder(), options.real_pages)
    if options.states is not None:
        np.save(options.states, real.astype(np.float16))
    return samples.TokenStates(real, options.seed)


def _ids(found: list[PageScore]) -> list[int]:
    return [each.page_id for each in found]


def _p95(values: list[float]) -> float:
    return float(np.percentile(values, 95))


def _timed(what: str, work: Callable[[], object], count: int = 1) -> Figure:
    began = time.perf_counter()
    work()
    return Figure(name=what, value=1e3 * (time.perf_counter() - began) / count, unit="ms")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000])
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0, help="of the pages and the questions")
    parser.add_argument("--threads", type=int, default=1, help="of both searches")
    parser.add_argument("--simulate", type=int, default=0, help="time the stages for so many pages")
    parser.add_argument("--manuals", type=Path, help="folder of PDFs: MiniLM token states instead")
    parser.add_argument("--real-pages", type=int, default=400, help="to embed of these manuals")
    parser.add_argument("--states", type=Path, help="file that keeps the embedded states")
    parser.add_argument("--fast-plaid", type=Path, help="interpreter that has it: compare with it")
