"""Grounding: the sentences and rows of a passage with the exact words that carry them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.sentences import sentence_parts, sentence_spans, with_names
from desktop.core.structure.signs import CELL_SEPARATOR, is_numbered
from desktop.core.whole_words import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.geometry import Box
    from desktop.core.library.units import Passage
    from desktop.core.page_words import PageWords

_PICTURE = "picture"
_WHOLE = frozenset({"row", "heading", "caption", "label"})
"""Kinds of unit that are quoted whole: a row or a label means nothing in part."""
# A "row" of one cell with more words is prose in a frame.
_MOST_CELL_WORDS = 25
# Lines that stand this much further apart than usual are of two paragraphs.
_APART = 1.6


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a page that can be quoted in an answer.

    lines: the words of each line it covers. boxes: one per line, in the same order; PDF
    points, top-left origin, page as displayed. indices: its words on the page.
    cells: those of each cell of a row. header: where the headings of its cells are on
    the page, and the row that names those below it. parts: the items or sentences of a
    quote made of several.
    """

    text: str
    kind: str
    context: str
    lines: tuple[str, ...]
    boxes: tuple[Box, ...]
    indices: tuple[int, ...] = ()
    cells: tuple[tuple[int, ...], ...] = ()
    header: tuple[Box, ...] = ()
    parts: tuple[Quote, ...] = ()


@lru_cache(maxsize=4_096)  # a question, its parts and its answer read the same pages
def quotes_of(passage: Passage, words: PageWords) -> tuple[Quote, ...]:
    """Cut a passage into what can be quoted: its sentences, or the whole row, label or step."""
    if passage.kind == _PICTURE:  # words that a region of an image cuts through are no quote
        return ()
    is_cell = passage.kind == "row" and CELL_SEPARATOR not in passage.text
    if is_cell and len(passage.text.split()) > _MOST_CELL_WORDS:  # prose in a frame
        passage = replace(passage, kind="paragraph")
    if passage.kind in _WHOLE:
        return (_whole(passage, words),)
    indices = words.inside(passage.boxes)
    if indices and passage.kind == "item" and is_numbered(passage.text):
        return (_sentence(passage, words, indices),)
    return tuple(_sentence(passage, words, part) for part in _sentences(indices, words))


def _sentences(indices: Sequence[int], words: PageWords) -> Iterator[Sequence[int]]:
    """Yield the words of each sentence, and of each part of one that runs on."""
    texts = [words.texts[index] for index in indices]
    openings = _openings(indices, words)
    for first, last in with_names(texts, sentence_spans(texts)):
        inside = {index - first for index in openings if first < index < last}
        for begin, end in sentence_parts(texts[first:last], inside):
            yield indices[first + begin : first + end]


def _openings(indices: Sequence[int], words: PageWords) -> set[int]:
    """Return the positions of words that open a line far below the one before."""
    lines = words.visual_lines(indices)
    if len(lines) < 3:  # no usual distance to compare with
        return set()
    tops, bottoms = words.boxes[:, 1], words.boxes[:, 3]
    middles = [(_mean(tops[line]) + _mean(bottoms[line])) / 2 for line in lines]
    steps = np.diff(middles)
    usual = _median(np.abs(steps))
    starts = np.cumsum([len(line) for line in lines])[:-1]
    return {int(start) for start, step in zip(starts, steps, strict=True) if step > _APART * usual}


def _mean(values: NDArray[np.float32]) -> np.float32:
    """Return what `values.mean()` does, in a third of the time: lines have a few words."""
    total: np.float32 = np.add.reduce(values)
    return total / np.float32(len(values))


def _median(values: NDArray[np.float32]) -> float:
    """Return what `np.median` does, which imports numpy's masked arrays when it is first called."""
    ordered = np.sort(values)
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else _mean(ordered[half - 1 : half + 1]))


def _whole(passage: Passage, words: PageWords) -> Quote:
    lines = tuple(
        text_of(words.texts[index] for index in words.inside([box])) for box in passage.boxes
    )
    indices = tuple(words.inside(passage.boxes))
    quote = Quote(passage.text, passage.kind, passage.context, lines, passage.boxes, indices)
    if passage.kind != "row":
        return quote
    cells = _cells(passage.text, indices, words)
    return replace(quote, cells=cells, header=passage.header_boxes)


def _cells(text: str, indices: Sequence[int], words: PageWords) -> tuple[tuple[int, ...], ...]:
    """Find the words of each cell of a row again; its text has the cells from left to right."""
    left = list(indices)
    cells = []
    for cell in text.split(CELL_SEPARATOR):
        found = _cell(cell.split(), left, words)
        for index in found:
            left.remove(index)
        cells.append(tuple(found))
    return tuple(cells)


def _cell(tokens: Sequence[str], left: Sequence[int], words: PageWords) -> list[int]:
    """Find the words of a cell: words that occur once fix its place, the rest are the nearest."""
    places = [[i for i in left if words.whole[i] == token] for token in tokens]
    there = [place for place in places if place]
    if not there:
        return []
    near = min(there, key=len)[0]
    found: list[int] = []
    for place in there:
        free = [index for index in place if index not in found]
        if free:
            near = min(free, key=lambda index: _distance(words, near, index))
            found += [part for part in words.pieces(near) if part in left]
    return found


def _distance(words: PageWords, one: int, other: int) -> float:
    """Return how far the middles of two words are from each other."""
    step = words.boxes[one] - words.boxes[other]
    return float(abs(step[0] + step[2]) + abs(step[1] + step[3])) / 2


def _sentence(passage: Passage, words: PageWords, indices: Sequence[int]) -> Quote:
    lines = words.visual_lines(indices)
    return Quote(
        text_of(words.texts[index] for index in indices),
        passage.kind,
        passage.context,
        tuple(text_of(words.texts[index] for index in line) for line in lines),
        tuple(words.hull(line) for line in lines),
        tuple(indices),
    )
