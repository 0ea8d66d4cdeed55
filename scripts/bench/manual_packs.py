"""Ten packs of made-up manuals attached, beside one library that read the same files itself.

Building one pack of the sample manuals is timed beside plain ingestion of them, too. Pages are
made up of a vocabulary of 4,000 words; vectors follow from their words.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from desktop.core.evaluation.figures import Figure
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.manual_packs.attached import ManualPacks, PackDone
from desktop.core.manual_packs.building import PackTools, build_pack
from desktop.core.manual_packs.manifest import PackFolder, read_manifest
from desktop.core.paths import sample_manuals
from desktop.core.question.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.settings.sections import ParserSettings, Settings
from desktop.core.signing import TrustedKeys, make_key, read_private_key, sign
from desktop.core.store.database import Database
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import FakeParser, write_manual

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    import apsw
    from numpy.typing import NDArray

    from desktop.core.structure.values import PageLayout

BASELINE = "one library of the same manuals that read them itself"
MANUAL_PAGES, LINES, WORDS = 100, 20, 9
EMBEDDED = 3  # of so many units one has a vector
QUESTIONS = 200
SLOWER = 1.5


def add_options(parser: argparse.ArgumentParser) -> None:
    """How much to make up."""
    parser.add_argument("--packs", type=int, default=10, help="packs (default 10)")
    parser.add_argument("--pages", type=int, default=1000, help="pages of each (default 1,000)")
    parser.add_argument("--work", type=Path, default=None, help="a folder with room")
    parser.add_argument("--samples", action="store_true", help="time building of the samples, too")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Build, attach, read the same, and ask both in turn."""
    work = Path(tempfile.mkdtemp(prefix="groundwork-packs-", dir=options.work))
    try:
        with ExitStack() as ending:
            return _measure(work, options, ending)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _measure(
    work: Path, options: argparse.Namespace, ending: ExitStack
) -> tuple[list[Figure], list[str]]:
    tools = PackTools(_Parser(), _Embedder(), None, Settings())
    rng = random.Random(7)
    words = [_word(rng) for _ in range(4000)]
    for pack in range(options.packs):
        for number in range(max(1, options.pages // MANUAL_PAGES)):
            path = work / "manuals" / str(pack) / f"m{pack}-{number}.pdf"
            title = f"{rng.choice(words)} {rng.choice(words)} {pack}{number:03d}"
            count = min(MANUAL_PAGES, options.pages)
            write_manual(path, [_page(rng, words) for _ in range(count)], title=title)
    make_key(work / "company.key")
    began = time.perf_counter()
    for pack in range(options.packs):
        _build(work / "manuals" / str(pack), PackFolder(work / "packs" / str(pack)), tools)
        _sign(PackFolder(work / "packs" / str(pack)), work / "company.key")
    building = time.perf_counter() - began
    attached = ending.enter_context(Database.open(work / "attached"))
    began = time.perf_counter()
    for pack in range(options.packs):
        _attach(attached, work, work / "packs" / str(pack))
    attaching = time.perf_counter() - began
    direct = ending.enter_context(Database.open(work / "direct"))
    began = time.perf_counter()
    _ingest(direct, work / "manuals", tools)
    ingesting = time.perf_counter() - began
    finding, searching = _asked([attached, direct], rng, words)
    pages = options.packs * options.pages
    sizes = [each.read(_size) / 2**20 for each in (attached, direct)]
    shards = sum(path.stat().st_size for path in (work / "packs").rglob("*.shard")) / 2**20
    figures = [
        *_compared("finding pages", finding),
        *_compared("search, read and ranked", searching),
        Figure(name="size of the library file", value=sizes[0], unit="MB", baseline=sizes[1]),
        Figure(name="size of the shards", value=shards, unit="MB"),
        Figure(
            name="attaching",
            value=pages / attaching,
            unit="pages/s",
            baseline=pages / ingesting,
            more_is_better=True,
        ),
        Figure(
            name="building",
            value=pages / building,
            unit="pages/s",
            baseline=pages / ingesting,
            more_is_better=True,
        ),
    ]
    details = [f"{options.packs} packs of {options.pages} pages, {QUESTIONS} questions, in turn"]
    if options.samples:
        figures += _samples(work)
        details.append("samples: the real parser and text model, both warm, one after the other")
    return figures, details


def _samples(work: Path) -> list[Figure]:
    """Build the samples and ingest them, after both models are warm.

    By processor time, this process and the parser's: the clock says what else the machine does.
    """
    from desktop.app.models import open_pack_tools

    patient = Settings(parser=ParserSettings(page_seconds=600, document_seconds=600))
    with open_pack_tools(patient) as tools:
        folder = work / "samples"
        _build(sample_manuals()[0].parent, PackFolder(folder / "warm"), tools)
        began, worked = time.perf_counter(), _worked()
        _build(sample_manuals()[0].parent, PackFolder(folder / "pack"), tools)
        built, to_build = time.perf_counter() - began, _worked() - worked
        manifest = read_manifest(PackFolder(folder / "pack"))
        pages = manifest.pages if manifest is not None else 0
        began, worked = time.perf_counter(), _worked()
        with Database.open(folder / "library") as database:
            _ingest(database, sample_manuals()[0].parent, tools)
        ingested, to_ingest = time.perf_counter() - began, _worked() - worked
    return [
        Figure(
            name="building the samples",
            value=pages / built,
            unit="pages/s",
            baseline=pages / ingested,
            more_is_better=True,
        ),
        Figure(
            name="building the samples, processor",
            value=to_build / pages,
            unit="s a page",
            baseline=to_ingest / pages,
        ),
    ]


def _worked() -> float:
    """Return the processor seconds of this process and of those it started, which go on."""
    own = psutil.Process()
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def _build(source: Path, pack: PackFolder, tools: PackTools) -> None:
    for _ in build_pack([source], pack, tools, CancelToken(), name=source.name, expires_at=None):
        pass


def _sign(pack: PackFolder, key: Path) -> None:
    pack.signature.write_bytes(sign(pack.manifest.read_bytes(), read_private_key(key)))


def _attach(database: Database, work: Path, pack: Path) -> None:
    trusted = TrustedKeys(work / "trusted")
    trusted.add(work / "company.pub")
    packs = ManualPacks(database, Library(database, database.folder), trusted)
    *_, done = packs.attach(pack, CancelToken())
    if not isinstance(done, PackDone) or done.refused:
        raise RuntimeError(f"{pack} was not attached: {done}")


def _ingest(database: Database, folder: Path, tools: PackTools) -> None:
    library = Library(database, database.folder)
    ingestion = Ingestion(database, library, tools.parser, tools.text, tools.settings.ingestion)
    ingestion.enqueue([folder])
    for _ in ingestion.run(CancelToken()):
        pass


def _size(connection: apsw.Connection) -> int:
    return int(connection.pragma("page_count")) * int(connection.pragma("page_size"))


def _compared(name: str, times: list[list[float]]) -> list[Figure]:
    median = [statistics.median(each) for each in times]
    p95 = [statistics.quantiles(each, n=20)[-1] for each in times]
    return [
        Figure(name=f"{name}, median", value=median[0], unit="ms", baseline=median[1]),
        Figure(
            name=f"{name}, 95th percentile",
            value=p95[0],
            unit="ms",
            baseline=p95[1],
            limit=SLOWER * p95[1],
        ),
    ]


def _asked(
    databases: list[Database], rng: random.Random, words: list[str]
) -> tuple[list[list[float]], list[list[float]]]:
    """Ask every library the same, now one first and now the other.

    Returns: milliseconds of each library, of finding pages alone and of the whole search.
    """
    searchers = [Searcher(each, _Embedder(), Settings().retrieval) for each in databases]
    finding: list[list[float]] = [[] for _ in databases]
    searching: list[list[float]] = [[] for _ in databases]
    for number in range(QUESTIONS + 5):
        asked = Query(" ".join(rng.choice(words) for _ in range(6)))
        order = list(range(len(databases)))
        for which in order if number % 2 else reversed(order):
            began = time.perf_counter()
            searchers[which].retrieve(asked)
            found = time.perf_counter()
            searchers[which].search(asked)
            if number >= 5:
                finding[which].append((found - began) * 1000)
                searching[which].append((time.perf_counter() - found) * 1000)
    return finding, searching


def _page(rng: random.Random, words: list[str]) -> str:
    """Return lines of which half the words are from a twentieth of the vocabulary."""
    common = words[: len(words) // 20]
    return "\n".join(
        " ".join(rng.choice(common if rng.random() < 0.5 else words) for _ in range(WORDS))
        for _ in range(LINES)
    )


def _word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(3))


class _Embedder(FakeEmbedder):
    @staticmethod
    @lru_cache(maxsize=10_000)
    def _known(word: str) -> NDArray[Any]:
        return FakeEmbedder()._word(word)

    def _word(self, word: str) -> NDArray[Any]:
        return self._known(word)


class _Parser(FakeParser):
    """Reads each file once, and embeds as large a share of the units as of a real manual."""

    @lru_cache(maxsize=4)  # noqa: B019 - one parser for the whole run
    def _script(self, path: Path, password: str | None) -> dict[str, Any]:
        return super()._script(path, password)

    def read_layout(
        self,
        path: Path,
        page: int,
        password: str | None = None,
        before: Callable[[], bytes] = bytes,
    ) -> PageLayout:
        layout = super().read_layout(path, page, password, before)
        units = (
            replace(unit, embed=number % EMBEDDED == 0) for number, unit in enumerate(layout.units)
        )
        return replace(layout, units=tuple(units))
