"""Measures the reading of scanned pages against a copy of the manual that has its text.

Both must have the same pages. With a library that holds the scan, what stands there is measured
and nothing is read anew. Leader dots of contents are left out on both sides. Three
figures, over all pages and for the worst ones:

- character error rate: edits (insert, delete, replace) to turn what was read into the text of
  the original, divided by its characters. Lines of both are put in the order in which they
  stand, row by row, so that reading order is not measured; letters in pictures that the
  original's text lacks count as inserted.
- the same without what was read beside the original's text: only deletions and replacements.
- share of the original's words that were read to the letter, wherever they stand.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.evaluation.figures import Figure
from desktop.core.library.library import Library
from desktop.core.page_words import PageWords
from desktop.core.parsing.service import InProcessParser
from desktop.core.settings.sections import ParserSettings
from desktop.core.store.database import Database
from desktop.parser_worker import load_recognizer

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

BASELINE = "the original's own text: 0 errors, every word"
_WORST = 5
_LEADERS = re.compile(r"(?:\.\s?){4,}")


@dataclass(frozen=True)
class PageReading:
    """letters: of the original. inserted, others: edits. words, read: of the original."""

    page: int
    letters: int
    inserted: int
    others: int
    words: int
    read: int
    seconds: float


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Read every page both ways."""
    reader = _reader(options)
    plain = InProcessParser(ParserSettings(layout_model=False, ocr=False))
    count = min(plain.open(options.original, None).page_count, options.pages)
    found = []
    for page in range(count):
        began = time.perf_counter()
        read = reader(page)
        seconds = time.perf_counter() - began
        (text,) = plain.read_text(options.original, page, page + 1, None)
        found.append(compared(page, PageWords.from_bytes(text.words), read, seconds))
    return figures(found)


def _reader(options: argparse.Namespace) -> Callable[[int], PageWords]:
    """Return what reads a page of the scan, or looks up what a library read."""
    if options.library is None:
        parser = InProcessParser(ParserSettings(layout_model=False), load_recognizer)
        return lambda page: PageWords.from_bytes(parser.read_layout(options.scan, page).words)
    library = Library(Database.open(options.library, read_only=True), options.library)
    (scan,) = (each.id for each in library.documents() if each.name == options.scan.name)
    return lambda page: library.page_words(scan, page)


def compared(page: int, truth: PageWords, read: PageWords, seconds: float) -> PageReading:
    """Compare the words of a page."""
    wanted, got = (_LEADERS.sub(" ", in_rows(each)) for each in (truth, read))
    inserted, deleted, replaced = edits(wanted, got)
    known, seen = Counter(wanted.split()), Counter(got.split())
    return PageReading(
        page,
        len(wanted),
        inserted,
        deleted + replaced,
        known.total(),
        (known & seen).total(),
        seconds,
    )


def in_rows(words: PageWords) -> str:
    """Return the words row by row, each from left to right."""
    middles = (words.boxes[:, 1] + words.boxes[:, 3]) / 2
    heights = words.boxes[:, 3] - words.boxes[:, 1]
    rows: list[list[int]] = []
    ends: list[float] = []
    for index in np.argsort(middles).tolist():
        if rows and middles[index] < ends[-1]:
            rows[-1].append(index)
        else:
            rows.append([index])
            ends.append(float(middles[index] + 0.5 * heights[index]))
    lefts = words.boxes[:, 0]
    return " ".join(words.texts[i] for row in rows for i in sorted(row, key=lambda i: lefts[i]))


def edits(wanted: str, got: str) -> tuple[int, int, int]:
    """Return the fewest insertions, deletions and replacements that lead from `wanted` to `got`.

    Levenshtein's distance, a row at a time; a row's insertions are a running minimum.
    """
    letters = np.array([ord(letter) for letter in got], np.int64)
    places = np.arange(len(letters) + 1)
    # cost in the high digits, insertions so far in the low ones: the fewest edits, and of
    # equal ones those with the fewest insertions
    base = len(wanted) + len(got) + 1
    row = places * (base + 1)
    for letter in wanted:
        below = row + base
        aside = row[:-1] + base * (letters != ord(letter))
        best = below.copy()
        best[1:] = np.minimum(below[1:], aside)
        row = np.minimum.accumulate(best - places * (base + 1)) + places * (base + 1)
    distance, inserted = divmod(int(row[-1]), base)
    deleted = len(wanted) + inserted - len(got)
    return inserted, deleted, distance - inserted - deleted


def figures(pages: Sequence[PageReading]) -> tuple[list[Figure], list[str]]:
    """Add the pages up; returns the figures and which pages are the worst."""
    letters = sum(page.letters for page in pages)
    others = sum(page.others for page in pages)
    edited = others + sum(page.inserted for page in pages)
    words, read = sum(page.words for page in pages), sum(page.read for page in pages)
    best = sorted(pages, key=lambda p: p.others)[:-1]
    rates = [(p.inserted + p.others) / p.letters for p in pages if p.letters]
    found = [
        Figure(name="character error rate", value=edited / letters, baseline=0),
        Figure(name="without what the original's text lacks", value=others / letters, baseline=0),
        Figure(
            name="and without the worst page",
            value=sum(p.others for p in best) / max(1, sum(p.letters for p in best)),
            baseline=0,
        ),
        Figure(name="of the median page", value=float(np.median(rates)), baseline=0),
        Figure(name="words read to the letter", value=read / words, baseline=1),
        Figure(
            name="reading, median",
            value=float(np.median([page.seconds for page in pages])),
            unit="s a page",
        ),
    ]
    worst = sorted(pages, key=lambda p: -p.others / max(1, p.letters))[:_WORST]
    return found, [
        f"{len(pages)} pages, {letters} characters, {words} words in the original",
        *(
            f"page {p.page + 1}: {p.others / max(1, p.letters):.3f} of {p.letters} characters"
            for p in worst
        ),
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("scan", type=Path)
    parser.add_argument("original", type=Path)
    parser.add_argument("--library", type=Path, help="a folder whose library holds the scan")
    parser.add_argument("--pages", type=int, default=1_000, help="only so many, from the first")
