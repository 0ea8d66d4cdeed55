"""Text search in libraries of 10,000 to 1,000,000 passages, beside another checkout of Groundwork.

    python -m scripts.bench text-search --beside CHECKOUT [--units 10000 100000 1000000]

A library of made-up manuals (200 pages each, five passages a page, one of them with a vector) is
written through the functions that take real manuals in: words by Zipf's law, of four languages'
sounds, with part numbers, and each manual with words and a product name of its own. Questions are
words of one of its passages, every second one restricted to manuals, a tier or a tag. Both
checkouts hold the library open in a process of their own and are asked in turns; nothing is asked
of a model: the vector of a question is made up as well. The other checkout writes the library, and
this one takes a copy to its own schema.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.evaluation.figures import Figure

BASELINE = "the checkout named by --beside, the same library and questions, in turns"
LIMIT_MS: Final = 50.0
PAGES_OF_MANUAL: Final = 200
UNITS_OF_PAGE: Final = 5
MODEL: Final = "made-up"
DIMENSION: Final = 384
_SUBJECTS = 2_000
_DIFFERENT = 100
_WARM = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("--beside", type=Path, required=True, help="the other checkout")
    parser.add_argument(
        "--units", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="passages"
    )
    parser.add_argument(
        "--most-beside",
        type=int,
        default=1_000_000,
        metavar="PASSAGES",
        help="of larger libraries, which take it an hour to write, the other one is not asked",
    )
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="keep the libraries there, or take them")
    parser.add_argument(
        "--memory", type=int, default=0, metavar="MIB", help="address space of a process"
    )


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Write the libraries, ask both checkouts in turns, and compare times, pages and bytes."""
    here, other = Path.cwd(), options.beside.resolve()
    figures: list[Figure] = []
    details: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        folder = (options.folder or Path(made)).resolve()
        for units in options.units:
            old, new = folder / f"{units}-before", folder / f"{units}-after"
            roots: tuple[Path, ...] = (here, other)
            libraries: tuple[Path, ...] = (new, old)
            if units > options.most_beside:
                roots, libraries = roots[:1], libraries[:1]
                if not new.exists():
                    _run(here, "make", new, units)
            elif not old.exists():
                _run(other, "make", old, units)
            if not new.exists():
                shutil.copytree(old, new)
                spent = json.loads(_run(here, "migrate", new))
                details.append(f"{units:,} passages: taken to this schema in {spent:.0f} s")
            sizes = [json.loads(_run(here, "sizes", each)) for each in libraries]
            asked = questions(units, options.questions)
            found = _in_turns(roots, libraries, asked, options)
            figures += _figures(units, found, sizes)
            details += _explained(units, found, sizes)
    if options.memory:
        details.append(f"address space of each process: at most {options.memory:,} MiB")
    return figures, details


def _late(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def _figures(units: int, found: list[dict[str, Any]], sizes: list[dict[str, int]]) -> list[Figure]:
    """Return figures of one size. found, sizes: of this checkout, and of the other one if asked.

    The limit is that of a free machine, where one thread works as long as the clock says.
    """
    from desktop.core.evaluation.figures import Figure

    pages = units // UNITS_OF_PAGE
    every: dict[str, tuple[str, list[float]]] = {
        "processor, median": ("ms", [statistics.median(each["worked"]) for each in found]),
        "processor, 95th percentile": ("ms", [_late(each["worked"]) for each in found]),
        "with filters, processor, 95th percentile": (
            "ms",
            [_late(each["filtered"]) for each in found],
        ),
        "by the clock, median": ("ms", [statistics.median(each["ms"]) for each in found]),
        "first question, processor": ("ms", [each["first"] for each in found]),
        "resident": ("MiB", [each["resident"] / 2**20 for each in found]),
        "library file": ("bytes/page", [sum(each.values()) / pages for each in sizes]),
    }
    return [
        Figure(
            name=f"{units:,} passages, {name}",
            value=values[0],
            unit=unit,
            baseline=values[1] if len(values) > 1 else None,
            limit=LIMIT_MS if "95th" in name else None,
        )
        for name, (unit, values) in every.items()
    ]


def _explained(units: int, found: list[dict[str, Any]], sizes: list[dict[str, int]]) -> list[str]:
    pages = units // UNITS_OF_PAGE
    tables = [
        ", ".join(
            f"{table} {size / pages:,.0f}"
            for table, size in sorted(each.items(), key=lambda item: -item[1])
            if size / pages >= 20
        )
        for each in sizes
    ]
    load = f"load {os.getloadavg()[0]:.0f}"
    name = f"{units:,} passages"
    if len(found) == 1:
        return [f"{name}: only this checkout was asked; {load}; bytes a page: {tables[0]}"]
    mine, theirs = found
    ratio = sorted(a / b for a, b in zip(mine["rounds"], theirs["rounds"], strict=True))
    both = list(zip(mine["pages"], theirs["pages"], strict=True))
    return [
        f"{name}: of the baseline's processor time a round of questions took"
        f" {statistics.median(ratio):.2f} ({ratio[0]:.2f} to {ratio[-1]:.2f}, {len(ratio)} rounds);"
        f" {load}",
        f"{name}: {sum(a == b for a, b in both)} of {len(both)} questions find the same pages in"
        f" the same order, {sum(a[:5] == b[:5] for a, b in both)} the same first five",
        f"{name}, bytes a page by table: {tables[0]}; before: {tables[1]}",
    ]


def _in_turns(
    roots: tuple[Path, ...],
    libraries: tuple[Path, ...],
    asked: list[dict[str, Any]],
    options: argparse.Namespace,
) -> list[dict[str, Any]]:
    """Ask every question of both, the one that begins in turns."""
    children = [
        subprocess.Popen(
            [sys.executable, "-P", __file__, "ask", str(library), str(options.memory)],
            cwd=root,
            env=_environment(root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for root, library in zip(roots, libraries, strict=True)
    ]
    found: list[dict[str, Any]] = [
        {"ms": [], "worked": [], "filtered": [], "rounds": [], "pages": []} for _ in roots
    ]
    warm = asked[:_WARM]
    for number in range(-1, options.rounds):
        spent = [0.0 for _ in children]
        for place, question in enumerate(asked if number >= 0 else warm):
            turns = range(len(children))
            for which in turns if (place + number) % 2 else reversed(turns):
                told = _ask(children[which], question)
                each = found[which]
                each["resident"] = told["resident"]
                if number < 0:
                    each.setdefault("first", told["worked"])
                    continue
                spent[which] += told["worked"]
                each["ms"].append(told["ms"])
                each["worked"].append(told["worked"])
                if question["documents"] or question["tiers"] or question["tags"]:
                    each["filtered"].append(told["worked"])
                if number == 0:
                    each["pages"].append(told["pages"])
        if number >= 0:
            for each, one in zip(found, spent, strict=True):
                each["rounds"].append(one)
    for child in children:
        assert child.stdin is not None
        child.stdin.close()
        child.wait()
    return found


def _ask(child: subprocess.Popen[str], question: dict[str, Any]) -> dict[str, Any]:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps(question) + "\n")
    child.stdin.flush()
    told: dict[str, Any] = json.loads(child.stdout.readline())
    return told


def _environment(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root)}


def _run(root: Path, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-P", __file__, *map(str, arguments)],
        cwd=root,
        env=_environment(root),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


_SOUNDS = (
    (
        "st tr pl br cl th sh ch w m n p r s t d b k l f g h",
        "a e i o u ea ou ai",
        "n r t d ck ng l st",
    ),
    (
        "sch st pf kr z w v gr h b t k n r m l f s d",
        "a e i o u ei au ie ü ö ä",
        "n r t ng cht l tz ft",
    ),
    ("ch j l m n p qu r s t v b c d f g pr tr", "a e i o u é è ou ai eau", "r n t l que ge sse re"),
    ("c ch d f g h j l ll m n p r s t v z br tr", "a e i o u ía ió ue", "r n s l do ción"),
)
"""Beginnings, middles and ends of syllables, as in English, German, French and Spanish."""
_COMMON = 60_000
_OWN = 300
_EXPONENT = 1.05


class Words:
    """Made-up words: common ones by Zipf's law, and those of one manual."""

    def __init__(self) -> None:
        """Make them; always the same."""
        rng = random.Random(6)
        parts = [tuple(each.split() for each in sounds) for sounds in _SOUNDS]
        made: dict[str, None] = {}
        while len(made) < _COMMON:
            onset, vowel, coda = rng.choice(parts)
            size = 1 + (len(made) > 400) + (rng.random() < 0.4)
            word = "".join(rng.choice(onset) + rng.choice(vowel) for _ in range(size))
            made[word + (rng.choice(coda) if rng.random() < 0.7 else "")] = None
        self.common = list(made)
        weights = 1.0 / np.arange(3, _COMMON + 3) ** _EXPONENT
        self._sums = np.cumsum(weights / weights.sum())

    def some(self, rng: np.random.Generator, count: int) -> list[str]:
        """Draw common words."""
        return [self.common[i] for i in np.searchsorted(self._sums, rng.random(count)).tolist()]


@dataclass(frozen=True)
class MadeManual:
    """One manual: what it is called, and the words that it alone uses much."""

    name: str
    own: list[str]

    @classmethod
    def of(cls, words: Words, number: int) -> MadeManual:
        """Return the manual with this number; always the same."""
        rng = np.random.default_rng((number, 1))
        own = [words.common[i] for i in rng.integers(400, _COMMON, _OWN).tolist()]
        own += [f"{chr(65 + i % 26)}{i % 7}-{int(rng.integers(1000, 99999))}" for i in range(60)]
        return cls(f"{words.common[1000 + number % 5000].title()} {number % 97 + 3}00", own)

    def texts(self, words: Words, number: int, page: int) -> list[str]:
        """Return the five passages of a page, the last one a window over the others."""
        rng = np.random.default_rng((number, 2, page))
        texts = []
        for size in (26, 14, 11, 11):
            drawn = words.some(rng, size)
            for place in rng.integers(0, size, size // 5).tolist():
                drawn[place] = self.own[int(len(self.own) * rng.random() ** 2)]
            texts.append(" ".join(drawn))
        if rng.random() < 0.7:
            texts[0] = f"{self.name} {texts[0]}"
        if rng.random() < 0.5:
            texts[1] += f" {int(rng.integers(3, 480))} V {int(rng.integers(1, 90))} mm"
        return [*texts, " ".join(texts)]


@cache
def _subjects() -> NDArray[np.float64]:
    return np.random.default_rng(5).normal(size=(_SUBJECTS, DIMENSION))


def page_vectors(number: int) -> NDArray[np.float32]:
    """Return a vector for each page of a manual, shape (200, 384), unit length.

    As those of a text model they are alike, and more so by subject.
    """
    subjects = _subjects()
    rng = np.random.default_rng((number, 3))
    of_pages = subjects[rng.integers(1, _SUBJECTS, PAGES_OF_MANUAL)]
    noise = rng.normal(size=(PAGES_OF_MANUAL, DIMENSION))
    vectors = 1.6 * subjects[0] + 0.7 * of_pages + 0.6 * noise
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(unit, np.float32)


def make_library(folder: Path, units: int, model: str = MODEL) -> None:
    """Write a library as if its manuals had been read, and embedded by a model.

    There are so many different texts as in a hundred manuals; more manuals say the same again.
    """
    from desktop.core.library import parsed_pass
    from desktop.core.library.documents import refresh_counts
    from desktop.core.library.vector_passes import _PageVectors, _store_units, use_text_model
    from desktop.core.library.work import DocumentWork, mark_passes
    from desktop.core.store.database import Database

    texts_once = cache(parsed_pass.index_terms)  # type: ignore[attr-defined]
    parsed_pass.index_terms = texts_once  # type: ignore[attr-defined]
    words = Words()
    with Database.open(folder) as database:
        database.write(lambda c: use_text_model(c, model, DIMENSION))
        for number in range(1, units // UNITS_OF_PAGE // PAGES_OF_MANUAL + 1):
            work = DocumentWork(number, folder, PAGES_OF_MANUAL, (), "en", None)

            def write(c: Any, work: Any = work) -> None:
                texts, layouts = _pages(words, work.id % _DIFFERENT)
                _begin(c, work.id, MadeManual.of(words, work.id % _DIFFERENT).name)
                ids = parsed_pass.put_page_texts(c, work, texts)
                done = []
                for layout, vector in zip(layouts, page_vectors(work.id), strict=True):
                    row = ids[layout.page]
                    parsed_pass.put_layout(c, work, row, layout)
                    unit = int(c.execute("SELECT max(id) FROM units").get)
                    done.append(_PageVectors(row, ((unit, vector.tobytes()),)))
                    mark_passes(c, [(row, name, "done", "") for name in ("text", "layout")])
                _store_units(c, work.id, done)
                refresh_counts(c, work.id)

            database.write(write)


def _begin(connection: Any, number: int, name: str) -> None:
    connection.execute(
        "INSERT INTO documents(id, sha256, name, title, bytes, page_count, state, added_at,"
        " language, tier, tags) VALUES(?, ?, ?, ?, 1, ?, 'ready', '2026', 'en', ?, ?)",
        (
            number,
            f"{number:064x}",
            f"manual_{number}.pdf",
            name,
            PAGES_OF_MANUAL,
            number % 5 + 1,
            json.dumps(["site"] if number % 20 == 0 else []),
        ),
    )


@cache
def _pages(words: Words, number: int) -> tuple[list[Any], list[Any]]:
    pages = [_page(words, MadeManual.of(words, number), number, i) for i in range(PAGES_OF_MANUAL)]
    return [text for text, _ in pages], [layout for _, layout in pages]


def _page(words: Words, manual: MadeManual, number: int, page: int) -> Any:
    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import Block, PageLayout, PageText, Unit

    texts = manual.texts(words, number, page)
    said = texts[-1].split()
    place = np.arange(len(said))
    x0, y0 = 50 + 60.0 * (place % 8), 60 + 14.0 * (place // 8)
    boxes = np.stack([x0, y0, x0 + 52.5, y0 + 11.25], axis=1).astype(np.float32)
    packed = PageWords(tuple(said), boxes, (place // 8).astype(np.int32)).to_bytes()
    section = (manual.own[page // 10].title(), manual.own[20 + page // 3].title())
    context = " > ".join((manual.name, *section))
    kinds = ("paragraph", "row", "item", "item", "window")
    units: list[Unit] = []
    at = 0
    for kind, text in zip(kinds, texts, strict=True):
        size = len(text.split())
        lines = boxes[at : at + size : 8] if kind != "window" else boxes[::16]
        rows = tuple(tuple(row) for row in lines.tolist())
        units.append(Unit(kind, text, context, rows, (), len(units), kind == "window"))  # type: ignore[arg-type]
        at += size
    blocks = tuple(
        Block(i, "text", text, (50.0, 60.0 + 20 * i, 540.0, 75.0 + 20 * i), section)
        for i, text in enumerate(texts[:-1])
    )
    layout = PageLayout(page, blocks, tuple(units), b"", False, "", False)
    return PageText(page, 595.0, 842.0, packed), layout


def questions(units: int, count: int) -> list[dict[str, Any]]:
    """Return questions with words of passages, as `answer` reads them."""
    words, rng = Words(), random.Random(24)
    manuals = units // UNITS_OF_PAGE // PAGES_OF_MANUAL
    asked = []
    for place in range(count):
        number, page = rng.randint(1, manuals), rng.randrange(PAGES_OF_MANUAL)
        manual = MadeManual.of(words, number % _DIFFERENT)
        said = manual.texts(words, number % _DIFFERENT, page)[rng.randrange(4)].split()
        picked = rng.sample(said, min(len(said), rng.randint(3, 6)))
        name = f" of the {manual.name}" if place % 3 == 0 else ""
        few = sorted({number, *(rng.randint(1, manuals) for _ in range(4))})
        kind = place % 6
        asked.append(
            {
                "text": f"What is the {' '.join(picked)}{name}?",
                "documents": few if kind == 1 else [],
                "tiers": [number % 5 + 1] if kind == 3 else [],
                "tags": ["site"] if kind == 5 and manuals >= 20 else [],
                "like": [number, page],
            }
        )
    return asked


class _MadeUp:
    """Stands in for the text model: gives the vector that was laid ready."""

    model_id, dimension = MODEL, DIMENSION
    vector: NDArray[np.float32]

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.vector] * len(queries))


def answer(folder: Path, memory: int) -> Iterator[dict[str, Any]]:
    """Search what stands on the lines of standard input."""
    import psutil

    from desktop.core.question.query import Query
    from desktop.core.retrieval.search import Searcher
    from desktop.core.settings.sections import RetrievalSettings
    from desktop.core.store.database import Database

    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))
    model = _MadeUp()
    with Database.open(folder, read_only=True) as database:
        searcher = Searcher(database, model, RetrievalSettings())  # type: ignore[arg-type]
        for line in sys.stdin:
            asked = json.loads(line)
            noise = np.random.default_rng(7).normal(size=DIMENSION)
            number, page = asked["like"]
            vector = page_vectors(number)[page] + 0.015 * noise
            model.vector = (vector / np.linalg.norm(vector)).astype(np.float32)
            query = Query(
                asked["text"],
                frozenset(asked["documents"]),
                tiers=frozenset(asked["tiers"]),
                tags=frozenset(asked["tags"]),
            )
            began, worked = time.perf_counter(), time.process_time()
            found = searcher.retrieve(query)
            yield {
                "ms": 1000 * (time.perf_counter() - began),
                "worked": 1000 * (time.process_time() - worked),
                "resident": psutil.Process().memory_info().rss,
                "pages": [[p.evidence.document_id, p.evidence.page] for p in found.pages],
            }


def sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of every table with its indexes and shadows."""
    from desktop.core.paths import LibraryFolder
    from desktop.core.store.connection import connect_reader

    connection = connect_reader(LibraryFolder(folder).database)
    rows = connection.execute(
        "SELECT s.tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema AS s USING(name) GROUP BY 1"
    )
    found: dict[str, int] = dict(rows)
    connection.close()
    return found


def main(arguments: list[str]) -> None:
    """Do in a process of one checkout what was named."""
    what, folder = arguments[0], Path(arguments[1])
    if what == "make":
        make_library(folder, int(arguments[2]))
    elif what == "sizes":
        print(json.dumps(sizes(folder)))
    elif what == "migrate":
        from desktop.core.store.database import Database

        began = time.monotonic()
        Database.open(folder).close()
        print(time.monotonic() - began)
    else:
        for each in answer(folder, int(arguments[2])):
            print(json.dumps(each), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
