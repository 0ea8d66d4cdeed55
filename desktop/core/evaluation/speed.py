"""How fast this machine reads manuals, makes text vectors and searches; each beside something bare.

The first two are what `groundwork bench` offers to anybody: no labels and no scripts are needed.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from desktop.core.evaluation.figures import Figure, result
from desktop.core.jobs import CancelToken
from desktop.core.library.values import PassProgress
from desktop.core.question.query import Query
from desktop.core.retrieval.search import Searcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from desktop.core.evaluation.figures import BenchResult
    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.library.values import PassName
    from desktop.core.retrieval.routing import Preferences
    from desktop.core.settings.sections import RetrievalSettings
    from desktop.core.store.database import Database
    from desktop.core.workspace import Workspace
    from desktop.models.roles import TextEmbedder

    OpenLibrary = Callable[[Path], AbstractContextManager[Workspace]]

SCANNED_PAGES = 4
_WORDS = (
    "connect the battery relay terminal pressure valve menu alarm fuse before after every "
    "check replace panel sensor cable 24 V 5 A S-130 RS-485 heater pump and to of in is"
).split()
_SQUARE = 1_024


@dataclass(frozen=True, slots=True)
class _Span:
    """When a pass reported its first and its last pages, in seconds since the run began."""

    began: float
    ended: float
    first_pages: int
    pages: int


def measure_intake(
    open_library: OpenLibrary,
    manual: Path,
    *,
    scan: Path | None = None,
    rounds: int = 5,
    text_only: bool = False,
) -> BenchResult:
    """Take a manual into new libraries, in turn with PyMuPDF reading its text alone.

    scan: a PDF of scanned pages; its OCR is timed. text_only: leave out the slow passes.
    """
    cold = _cold_seconds(open_library, manual)
    bare, text = [], []
    for _ in range(rounds):  # in turn, so that both meet the same machine
        bare.append(_bare_seconds(manual))
        text.append(_text_seconds(open_library, manual))
    alone, ours = statistics.median(bare), statistics.median(text)
    figures = [
        Figure(name="text pass until all can be found", value=ours, unit="s", baseline=alone),
        Figure(
            name="the same in a new library, parser starting", value=cold, unit="s", baseline=alone
        ),
        Figure(name="speed of the text pass", value=alone / ours, baseline=1.0),
    ]
    if not text_only:
        layout, vectors = _layout_and_vectors(open_library, manual)
        figures.append(Figure(name="layout", value=layout, unit="pages/s"))
        if vectors is not None:
            figures.append(Figure(name="text vectors", value=vectors, unit="passages/s"))
    if scan is not None and not text_only:
        figures.append(Figure(name="OCR", value=_ocr_seconds(open_library, scan), unit="s a page"))
    return result(
        "ingest",
        f"how fast {manual.name} ({_page_count(manual)} pages) is taken in",
        "PyMuPDF alone, the text of every page",
        figures,
    )


def measure_text_model(embedder: TextEmbedder) -> BenchResult:
    """Embed made-up texts of three lengths, and measure the processor's peak to compare."""
    chooser = random.Random(7)
    short = [" ".join(chooser.choices(_WORDS, k=40)) for _ in range(128)]
    long = [" ".join(chooser.choices(_WORDS, k=180)) for _ in range(32)]

    def seconds(texts: list[str]) -> float:
        began = time.perf_counter()
        embedder.embed(texts)
        return time.perf_counter() - began

    loading, one = seconds(["hello"]), statistics.median(seconds([text]) for text in short[:20])
    rows, paragraphs = len(short) / seconds(short), len(long) / seconds(long)
    return result(
        "text-model",
        f"how fast {embedder.model_id} makes vectors",
        "numpy multiplying two matrices of 1,024 x 1,024 in float32",
        [
            Figure(name="loading and the first text", value=loading, unit="s"),
            Figure(name="one question", value=1e3 * one, unit="ms"),
            Figure(name="rows of 40 words", value=rows, unit="texts/s"),
            Figure(name="paragraphs of 180 words", value=paragraphs, unit="texts/s"),
            Figure(name="matrix product of this machine", value=_gigaflops(), unit="GFLOP/s"),
        ],
    )


def _gigaflops() -> float:
    square = np.random.default_rng(7).standard_normal((_SQUARE, _SQUARE)).astype(np.float32)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        square @ square
        took.append(time.perf_counter() - began)
    return 2 * _SQUARE**3 / min(took) / 1e9


def _bare_seconds(path: Path) -> float:
    """Time what every tool does first: extract the text of every page."""
    import pymupdf

    began = time.perf_counter()
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text()
    return time.perf_counter() - began


def _cold_seconds(open_library: OpenLibrary, path: Path) -> float:
    """Time from opening a new library, whose parser starts only then."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, open_library(Path(folder) / "new") as workspace:
        _take_in(workspace, path, until="text")
        return time.perf_counter() - began


def _text_seconds(open_library: OpenLibrary, path: Path) -> float:
    """Time until every page can be found, hash and copy of the file included, parser running."""
    with tempfile.TemporaryDirectory() as folder, open_library(Path(folder) / "new") as workspace:
        _warm_up(workspace, Path(folder))
        return _take_in(workspace, path, until="text")["text"].ended


def _layout_and_vectors(open_library: OpenLibrary, path: Path) -> tuple[float, float | None]:
    """Return pages and passages per second; no passages without a text model."""
    with tempfile.TemporaryDirectory() as folder, open_library(Path(folder) / "new") as workspace:
        _warm_up(workspace, Path(folder))
        spans = _take_in(workspace, path)
        document = next(d for d in workspace.library.documents() if d.name == path.name)
        units = workspace.database.read(
            lambda c: (
                c.execute(
                    "SELECT count(*) FROM units WHERE embed AND document_id = ?", (document.id,)
                ).get
            )
        )
    layout = spans["layout"]
    # from the end of the pass before, since the first report comes after the first pages
    pages = layout.pages / (layout.ended - spans["text"].ended)
    vectors = spans.get("vectors")
    return pages, units / (vectors.ended - layout.ended) if vectors else None


def _ocr_seconds(open_library: OpenLibrary, path: Path) -> float:
    """Time OCR page by page after the first page, which loads the model."""
    import pymupdf

    with tempfile.TemporaryDirectory() as folder, open_library(Path(folder) / "new") as workspace:
        few = Path(folder) / "scan.pdf"
        with pymupdf.open(path) as whole, pymupdf.open() as part:
            part.insert_pdf(whole, to_page=SCANNED_PAGES)
            part.save(few)
        layout = _take_in(workspace, few, until="layout")["layout"]
    return (layout.ended - layout.began) / max(1, layout.pages - layout.first_pages)


def _warm_up(workspace: Workspace, folder: Path) -> None:
    """Take in a small file, so that the parser and the text model are already loaded."""
    import pymupdf

    with pymupdf.open() as small:
        small.new_page().insert_text((72, 72), "Warm up before measuring.")
        small.save(folder / "small.pdf")
    _take_in(workspace, folder / "small.pdf")


def _take_in(
    workspace: Workspace, path: Path, until: PassName | None = None
) -> dict[PassName, _Span]:
    """Take a file in, at most until one of its passes ends; return when each pass reported."""
    cancel = CancelToken()
    spans: dict[PassName, _Span] = {}
    workspace.ingestion.enqueue([path])
    began = time.perf_counter()
    for event in workspace.ingestion.run(cancel):
        if not isinstance(event, PassProgress) or not event.done:
            continue
        now = time.perf_counter() - began
        first = spans.get(event.pass_name, _Span(now, now, event.done, event.done))
        spans[event.pass_name] = _Span(first.began, now, first.first_pages, event.done)
        if event.pass_name == until and event.done == event.total:
            cancel.cancel()
    return spans


def _page_count(path: Path) -> int:
    import pymupdf

    with pymupdf.open(path) as document:
        return int(document.page_count)


class _TimedEmbedder:
    """Satisfies `TextEmbedder`; adds up the seconds that calls of the wrapped embedder need."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._embedder, name)
        return partial(self._timed, found) if callable(found) else found

    def _timed(self, work: Callable[..., Any], *values: Any) -> Any:
        began = time.perf_counter()
        made = work(*values)
        self.seconds += time.perf_counter() - began
        return made


def search_times(
    database: Database,
    embedder: TextEmbedder | None,
    settings: RetrievalSettings,
    preferences: Preferences | None,
    questions: Sequence[GoldQuestion],
    progress: Callable[[str], object],
) -> list[float]:
    """Return the milliseconds from each question to its ranked pages, without model time.

    The first question is asked once beforehand, as in a program that is already running.
    """
    timed = _TimedEmbedder(embedder) if embedder is not None else None
    searcher = Searcher(database, cast("TextEmbedder | None", timed), settings, preferences)
    times = []
    for number, question in enumerate((*questions[:1], *questions)):
        before = timed.seconds if timed else 0.0
        began = time.perf_counter()
        searcher.search(Query(question.question))
        computed = timed.seconds - before if timed else 0.0
        times.append((time.perf_counter() - began - computed) * 1000)
        if number and (number % 100 == 0 or number == len(questions)):
            progress(f"timed {number} of {len(questions)}")
    return times[1:]
