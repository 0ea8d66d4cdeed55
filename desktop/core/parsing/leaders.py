"""Words that dots run into, "Rating........1200", parted from these: of a text layer."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.structure.leaders import RUN, words_between_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


def with_leaders_apart(rows: Sequence[tuple[Any, ...]], textpage: Any) -> list[tuple[Any, ...]]:
    """Return words in which no dots that lead to a value stand beside letters.

    Words of a page whose dots lead to no values, as in a table of contents, stay as they are.
    rows: of MuPDF: x0, y0, x1, y1, text, block, line, word; not yet turned with the page.
    textpage: the text page that they are of.
    """
    if not any(_touches(row[4]) for row in rows):
        return list(rows)
    lines = list(_lines_of_signs(textpage))
    parted: list[tuple[Any, ...]] = []
    for row in rows:
        boxes = _boxes_of(row, lines) if _touches(row[4]) else None
        parted += _parts(row, boxes) if boxes is not None else [row]
    return parted if words_between_cells(_words(parted)).any() else list(rows)


def _words(rows: Sequence[tuple[Any, ...]]) -> PageWords:
    """Return rows as words of a page that is not turned."""
    *corners, texts, blocks, lines = tuple(zip(*rows, strict=True))[:7]
    boxes = np.array(corners, np.float32).T
    return PageWords(tuple(texts), boxes, line_numbers(blocks, lines))


def line_numbers(blocks: Sequence[int], lines: Sequence[int]) -> NDArray[np.int32]:
    """Return the line of each word, counted through the page.

    MuPDF counts blocks, and the lines of each block.
    """
    places = np.array((blocks, lines))
    numbers = np.zeros(len(blocks), np.int32)
    numbers[1:] = np.cumsum(np.any(places[:, 1:] != places[:, :-1], axis=0))
    return numbers


def _touches(text: str) -> bool:
    match = RUN.search(text)
    return match is not None and match.group() != text


def _lines_of_signs(textpage: Any) -> Iterator[tuple[str, list[tuple[float, ...]]]]:
    """Yield the signs of each line with their boxes."""
    for block in textpage.extractRAWDICT()["blocks"]:
        for line in block.get("lines", ()):
            signs = [sign for span in line["spans"] for sign in span["chars"]]
            yield "".join(sign["c"] for sign in signs), [sign["bbox"] for sign in signs]


def _boxes_of(
    row: tuple[Any, ...], lines: Sequence[tuple[str, list[tuple[float, ...]]]]
) -> list[tuple[float, ...]] | None:
    """Return the boxes of a word's signs, None if they are not found."""
    x0, y0, x1, y1, text = row[:5]
    for line, boxes in lines:
        at = line.find(text)
        while at >= 0:
            left, top, right, bottom = boxes[at]
            if x0 <= (left + right) / 2 <= x1 and y0 <= (top + bottom) / 2 <= y1:
                return boxes[at : at + len(text)]
            at = line.find(text, at + 1)
    return None


def _parts(row: tuple[Any, ...], boxes: Sequence[tuple[float, ...]]) -> Iterator[tuple[Any, ...]]:
    text, place = row[4], row[5:]
    cuts = sorted({0, len(text), *(at for m in RUN.finditer(text) for at in m.span())})
    for first, end in pairwise(cuts):
        own = list(zip(*boxes[first:end], strict=True))
        hull = (min(own[0]), min(own[1]), max(own[2]), max(own[3]))
        yield (*hull, text[first:end], *place)
