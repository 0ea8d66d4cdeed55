"""Rows, items and reading order of pages beside the structure that the PDF's author tagged.

    python -m scripts.bench tagged PDFS [--pages 10] [--failures]

No labels are needed: a tagged PDF says itself which words are a row, a cell or an item. Manuals are
known by their hash (`tagged_manuals.json` says where each is from, and of which half it is: what
is mended is looked for on `look` alone, and kept only if `held` gains too). Read are the pages in a
row with the most tags. A row is found if all its words are in one unit of a table, without words
of others; on the left, cells over several rows may name each of them. Tables whose rows do not go
down the page are left out. Headings are not compared: too many authors tag notes and steps so.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.evaluation.figures import Figure
from desktop.core.parsing.documents import OpenDocuments
from desktop.core.parsing.drawn_signs import with_drawn_signs
from desktop.core.parsing.mupdf import MuPage, load_mupdf
from desktop.core.parsing.raw_page import (
    displayed_boxes,
    gather_page,
    read_text_layer,
    text_page,
)
from desktop.core.parsing.service import learn_document_style
from desktop.core.structure.cut_words import with_cuts
from desktop.core.structure.page import understand_page
from desktop.core.structure.signs import CELL_SEPARATOR
from desktop.core.structure.values import Unit
from desktop.core.whole_words import CUT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.parsing.documents import OpenDocument
    from desktop.core.structure.page import Heading
    from desktop.core.structure.raw import RawPage
    from desktop.core.structure.table_heads import TableHead
    from desktop.core.structure.values import BoxTuple

BASELINE = "every line of text is a unit"
MANUALS = Path(__file__).with_name("tagged_manuals.json")
_TOKEN = re.compile(
    r'<struct idx="(-?\d+)"[^>]*?raw="([^"]*)"(?: std="([^"]*)")?[^>]*>|(</struct>)'
    r'|<char c="([^"]+)" quad="([^"]*)"'
)
_MEASURES = {"rows": "rows", "cells": "cells of these", "items": "list items", "pairs": "order"}
_MOST_TAGS, _LONGEST_ITEM = 30, 40
_DOWN = 0.9  # of the rows of a table: so many stand below the one before

Chain = tuple[tuple[str, int], ...]
"""The tags around a word, outermost first, each with its place among those beside it."""
Numbers = Counter[str]


@dataclass(slots=True)
class _Element:
    """A row, an item or another part as tagged. cells: of a row, with their words."""

    words: list[int] = field(default_factory=list)
    cells: dict[Chain, list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class _Tagged:
    """What the author of a page tagged."""

    rows: dict[Chain, _Element] = field(default_factory=dict)
    items: dict[Chain, list[int]] = field(default_factory=dict)
    leaves: dict[Chain, list[int]] = field(default_factory=dict)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("pdfs", type=Path, help="a folder of PDFs")
    parser.add_argument("--pages", type=int, default=10, help="of each manual")
    parser.add_argument("--failures", action="store_true", help="show rows of `look` not found")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Compare every manual that is there with its tags."""
    known = {each["sha256"]: each for each in json.loads(MANUALS.read_text("utf-8"))}
    ours: dict[str, Numbers] = defaultdict(Counter)
    lines: dict[str, Numbers] = defaultdict(Counter)
    makers: dict[str, list[str]] = defaultdict(list)
    for path in sorted(options.pdfs.rglob("*.pdf")):
        manual = known.pop(hashlib.sha256(path.read_bytes()).hexdigest(), None)
        if manual is None:
            continue
        half = manual["half"]
        makers[half].append(manual["maker"])
        for raw, tags, units in _pages(path, options.pages):
            missed = list(_compare(raw.words, tags, units, ours[half]))
            for row in missed if options.failures and half == "look" else []:
                print(f"{manual['maker']} {raw.page + 1}: {row}")
            list(_compare(raw.words, tags, _lines(raw.words), lines[half]))
    figures = [
        Figure(
            name=f"{half}: {called}, of {ours[half][kind]:,}",
            value=ours[half][f"{kind} found"] / ours[half][kind],
            baseline=lines[half][f"{kind} found"] / (lines[half][kind] or 1),
            more_is_better=True,
        )
        for half in sorted(ours)
        for kind, called in _MEASURES.items()
        if ours[half][kind]
    ]
    told = [f"{half}: {', '.join(sorted(names))}" for half, names in sorted(makers.items())]
    missing = ", ".join(sorted(each["maker"] for each in known.values()))
    return figures, [*told, *([f"not there: {missing}"] if missing else [])]


def _pages(path: Path, most: int) -> Iterator[tuple[RawPage, list[Chain], list[Unit]]]:
    """Yield the pages in a row with the most tags, the tags of their words, and their units."""
    opened = OpenDocuments().get(path, None)
    style = learn_document_style(opened, lambda page: _raw(opened, page, regions=False), ())
    count = opened.document.page_count
    tags = [min(_MOST_TAGS, _count(opened.page(number))) for number in range(count)]
    first = max(range(max(1, count - most + 1)), key=lambda n: sum(tags[n : n + most]))
    section: tuple[Heading, ...] = ()
    head: TableHead | None = None
    for number in range(first, min(count, first + most)):
        raw = with_drawn_signs(_raw(opened, number, regions=True))
        raw = replace(raw, words=with_cuts(raw.words, style.spellings, raw.spans))
        found = understand_page(raw, style, section, head)
        head = found.open_table
        section = found.open_section
        units = [unit for unit in found.units if unit.kind != "window"]
        yield raw, _tags(opened.page(number), raw.words), units


def _raw(opened: OpenDocument, number: int, *, regions: bool) -> RawPage:
    page = opened.page(number)
    text, rows = text_page(page)
    layer = read_text_layer(page, text, rows)
    return gather_page(number, page, text, layer, with_regions=regions)


def _count(page: MuPage) -> int:
    chains = set(_letters(page)[0])
    starts = {chain[: n + 1] for chain in chains for n in range(len(chain))}
    return sum(start[-1][0] in ("TR", "LI") for start in starts)


def _letters(page: MuPage) -> tuple[list[Chain], list[list[float]]]:
    """Return the tags around each letter of a page, and its box."""
    mupdf = load_mupdf()
    flags = mupdf.TEXT_PRESERVE_WHITESPACE | mupdf.TEXT_MEDIABOX_CLIP
    text: Any = page.get_textpage(flags=flags | mupdf.TEXT_COLLECT_STRUCTURE)
    around: list[tuple[str, int]] = []
    chains, boxes = [], []
    for place, raw, standard, end, letter, quad in _TOKEN.findall(text.extractXML()):
        if end:
            around.pop()
        elif place:
            around.append((standard or raw, int(place)))
        elif not html.unescape(letter).isspace():
            numbers = list(map(float, quad.split()))
            xs, ys = numbers[::2], numbers[1::2]
            chains.append(tuple(around))
            boxes.append([min(xs), min(ys), max(xs), max(ys)])
    return chains, boxes


def _tags(page: MuPage, words: PageWords) -> list[Chain]:
    """Return the tags around most letters of each word."""
    chains, found = _letters(page)
    if not chains:
        return [()] * len(words)
    boxes = displayed_boxes(page, np.array(found))
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    tags = []
    for x0, y0, x1, y1 in words.boxes.tolist():
        inside = np.flatnonzero((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))
        most = Counter(chains[n] for n in inside.tolist()).most_common(1)
        tags.append(most[0][0] if most else ())
    return tags


def _tagged(tags: Sequence[Chain], words: PageWords) -> _Tagged:
    found = _Tagged()
    for index, chain in enumerate(tags):
        names = [name for name, _ in chain]
        row, item = _last(names, "TR"), _last(names, "LI")
        cell, text = _last(names, "TD", "TH"), _last(names, "P", "LBody", "Caption")
        if row and cell > row:
            element = found.rows.setdefault(chain[:row], _Element())
            element.words.append(index)
            element.cells.setdefault(chain[:cell], []).append(index)
        elif item and any(map(str.isalnum, words.texts[index])):
            found.items.setdefault(chain[:item], []).append(index)
        if leaf := cell if cell > row else item or text:
            found.leaves.setdefault(chain[:leaf], []).append(index)
    tables = defaultdict[Chain, list[Chain]](list)
    for chain in found.rows:
        tables[chain[:-1]].append(chain)
    for chains in tables.values():
        heights = [float(np.median(words.centres[1][found.rows[c].words])) for c in sorted(chains)]
        down = sum(after > before + 1 for before, after in pairwise(heights))
        if down < _DOWN * (len(chains) - 1) or len(chains) < 2:
            for chain in chains:
                found.rows[chain].cells.clear()
    return found


def _last(names: Sequence[str], *wanted: str) -> int:
    """Return how many tags go to the innermost of some kinds, 0 if there is none."""
    return max((n for n, name in enumerate(names, 1) if name in wanted), default=0)


def _lines(words: PageWords) -> list[Unit]:
    found = []
    for line in words.visual_lines(range(len(words))):
        text, box = " ".join(words.texts[n] for n in line), words.hull(line).as_tuple()
        found.append(Unit("row", text, "", (box,), (), 0, embed=False))
    return found


def _inside(boxes: Iterable[BoxTuple], words: PageWords) -> set[int]:
    x, y = words.centres
    found: set[int] = set()
    for x0, y0, x1, y1 in boxes:
        there = (x >= x0 - 0.5) & (x <= x1 + 0.5) & (y >= y0 - 0.5) & (y <= y1 + 0.5)
        found.update(np.flatnonzero(there).tolist())
    return found


def _words_of(unit: Unit, words: PageWords) -> list[list[int]]:
    """Return the words of each cell of a unit: inside its boxes, and in its text."""
    left = defaultdict[str, list[int]](list)
    for index in sorted(_inside(unit.boxes, words)):
        left[words.texts[index].rstrip(CUT)].append(index)
    cells: list[list[int]] = []
    last = -2
    for cell in unit.text.split(CELL_SEPARATOR) if unit.kind == "row" else [unit.text]:
        cells.append([])
        for rest in cell.split():
            while rest:  # one that a line cuts is made of two
                size = next((n for n in range(len(rest), 0, -1) if left.get(rest[:n])), 0)
                if not size:
                    break
                last = min(left[rest[:size]], key=lambda index: abs(index - last - 1))
                left[rest[:size]].remove(last)
                cells[-1].append(last)
                rest = rest[size:].lstrip("-")
    return cells


def _compare(
    words: PageWords, tags: Sequence[Chain], units: Sequence[Unit], numbers: Numbers
) -> Iterator[str]:
    """Count what was found on a page; yields the rows that were not."""
    tagged = _tagged(tags, words)
    cells = [_words_of(unit, words) for unit in units]
    whole = [[index for cell in each for index in cell] for each in cells]
    homes = defaultdict[int, set[int]](set)
    for number, each in enumerate(whole):
        for index in each:
            homes[index].add(number)
    headings = {
        index
        for boxes in {unit.header_boxes for unit in units if unit.kind == "row"}
        for index in _inside(boxes, words)
    }
    for chain, row in tagged.rows.items():
        if len(row.cells) < 2:
            continue
        numbers["rows"] += 1
        if set(row.words) <= headings and not _homes(row.words, homes):
            numbers["rows found"] += 1
            continue
        main = _home_of(chain, tagged, whole, homes, units)
        if main is None:
            yield " ".join(words.texts[index] for index in row.words)
            continue
        numbers["rows found"] += 1
        numbers["cells"] += len(row.cells)
        seen = list(map(set, cells[main]))
        numbers["cells found"] += sum(set(cell) in seen for cell in row.cells.values())
    item_of = {index: chain for chain, item in tagged.items.items() for index in item}
    for chain, item in tagged.items.items():
        numbers["items"] += 1
        own = _homes(item, homes)
        strange = any(item_of.get(index, chain) != chain for n in own for index in whole[n])
        several = len(own) != 1 and len(item) <= _LONGEST_ITEM
        numbers["items found"] += not strange and not several and all(homes[n] for n in item)
    after = {pair for each in whole for pair in pairwise(each)}
    pairs = [pair for leaf in tagged.leaves.values() for pair in pairwise(leaf)]
    numbers["pairs"] += len(pairs)
    numbers["pairs found"] += sum(pair in after for pair in pairs)


def _homes(indices: Iterable[int], homes: dict[int, set[int]]) -> set[int]:
    return {number for index in indices for number in homes[index]}


def _home_of(
    chain: Chain,
    tagged: _Tagged,
    whole: Sequence[Sequence[int]],
    homes: dict[int, set[int]],
    units: Sequence[Unit],
) -> int | None:
    """Return the unit that is a row as tagged: all of it, and names of rows before at most."""
    row = tagged.rows[chain]
    own = set(row.words)
    there = sorted(_homes(own, homes))
    main = max(there, key=lambda n: (len(own & set(whole[n])), -n), default=None)
    if main is None or units[main].kind != "row" or not own <= set(whole[main]):
        return None
    for other, each in tagged.rows.items():
        if other == chain:
            continue
        shared = set(each.words) & set(whole[main])
        if shared and not (other < chain and _are_cells(shared, each)):
            return None
        beside = (whole[n] for n in there if n != main and set(each.words) & set(whole[n]))
        named = own & {index for unit in beside for index in unit}
        if named and not (other > chain and _are_cells(named, row)):
            return None
    return main


def _are_cells(indices: set[int], row: _Element) -> bool:
    """Whether words are whole cells of a row, and not all of it."""
    cells = row.cells.values()
    alike = all(set(cell) <= indices or not indices.intersection(cell) for cell in cells)
    return alike and len(indices) < len(row.words)
