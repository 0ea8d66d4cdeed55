"""Pages with text that runs up or down the page: turned for reading, and back again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.structure.raw import RawRegion, span_of_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.raw import RawPage
    from desktop.core.structure.values import BoxTuple

_TALL = 1.5
"""Times as high as wide: a line of some letters that runs upwards or downwards."""
_LEAST_LETTERS, _LEAST_LINES = 4, 4
_MOSTLY = 0.6
"""Of a page's letters: so many in such lines make it a page that is turned."""
_IN_LINE, _LEAST_GAP = 3.0, 6.0  # points
_LEAST_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class TurnedPage:
    """A page in two parts: the lines that stand upright, and the others as if they did.

    width, height: of the page as displayed. upwards: whether the others run up the page.
    """

    upright: RawPage
    others: RawPage
    width: float
    height: float
    upwards: bool

    def back(self, boxes: Sequence[BoxTuple]) -> tuple[BoxTuple, ...]:
        """Return where boxes of the turned part are on the page."""
        if self.upwards:
            return tuple((y0, self.height - x1, y1, self.height - x0) for x0, y0, x1, y1 in boxes)
        return tuple((self.width - y1, x0, self.width - y0, x1) for x0, y0, x1, y1 in boxes)


def turned_page(raw: RawPage) -> TurnedPage | None:
    """Return a page in its two parts, None if most of it stands upright.

    Neither OCR nor spans say whether a line runs up or down: lines begin below each other more
    often than they end so.
    """
    words = raw.words
    if not len(words) or not (raw.ocr or any(span.turned for span in raw.spans)):
        return None
    starts = np.flatnonzero(np.diff(words.lines, prepend=words.lines[0] - 1))
    lines = np.split(np.arange(len(words)), starts[1:])
    boxes = np.array([words.hull(line.tolist()).as_tuple() for line in lines])
    letters = np.array([sum(len(words.texts[index]) for index in line) for line in lines])
    if raw.ocr:
        tall = boxes[:, 3] - boxes[:, 1] > _TALL * (boxes[:, 2] - boxes[:, 0])
        tall &= letters >= _LEAST_LETTERS
    else:
        owners = span_of_words(words, raw.spans)
        runs = np.array([span.turned for span in raw.spans])
        tall = np.array([(owners[line] >= 0).all() and runs[owners[line]].all() for line in lines])
    if tall.sum() < _LEAST_LINES or letters[tall].sum() < _MOSTLY * letters.sum():
        return None
    upwards = _level(boxes[tall, 3]) >= _level(boxes[tall, 1])
    turned = _Turn(raw.width, raw.height, upwards)
    alone = [line for line, is_tall in zip(lines, tall.tolist(), strict=True) if not is_tall]
    others = [line for line, is_tall in zip(lines, tall.tolist(), strict=True) if is_tall]
    turned_words = _of_lines(words, others)
    if raw.ocr:
        turned_words = _in_reading_order(turned_words, turned)
    else:
        turned_words = replace(turned_words, boxes=turned(turned_words.boxes))
    upright = tuple(span for span in raw.spans if not span.turned)
    spans = [span for span in raw.spans if span.turned]
    places = turned.tuples([span.box for span in spans])
    return TurnedPage(
        replace(raw, words=_of_lines(words, alone), spans=upright, regions=()),
        replace(
            raw,
            words=turned_words,
            spans=tuple(
                replace(span, box=box, turned=False)
                for span, box in zip(spans, places, strict=True)
            ),
            drawings=turned.tuples(raw.drawings),
            images=turned.tuples(raw.images),
            regions=_table(turned_words) if raw.ocr else (),
            width=raw.height,
            height=raw.width,
        ),
        raw.width,
        raw.height,
        upwards,
    )


def _table(words: PageWords) -> tuple[RawRegion, ...]:
    """Return the region of a table where all lines stand in several columns.

    Pages are turned for wide tables and for drawings; hardly ever for text in so many columns.
    """
    box = words.hull(range(len(words))).as_tuple()
    columns, end = 0, -np.inf
    for left, right in sorted(words.boxes[:, [0, 2]].tolist()):
        columns += left > end + _LEAST_GAP
        end = max(end, right)
    return (RawRegion("table", box),) if columns >= _LEAST_COLUMNS else ()


def _level(ends: NDArray[np.float64]) -> int:
    """Return how many pairs of lines begin, or end, at one height."""
    return int((np.abs(ends[:, None] - ends[None]) <= _IN_LINE).sum())


@dataclass(frozen=True, slots=True)
class _Turn:
    width: float
    height: float
    upwards: bool

    def __call__(self, boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        x0, y0, x1, y1 = boxes.T
        if self.upwards:
            return np.stack((self.height - y1, x0, self.height - y0, x1), axis=1)
        return np.stack((y0, self.width - x1, y1, self.width - x0), axis=1)

    def tuples(self, boxes: Sequence[BoxTuple]) -> tuple[BoxTuple, ...]:
        found = self(np.array(boxes, np.float32).reshape(-1, 4)).tolist()
        return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in found)


def _of_lines(words: PageWords, lines: Sequence[NDArray[np.intp]]) -> PageWords:
    indices = np.concatenate([np.zeros(0, np.intp), *lines])
    return PageWords(
        tuple(words.texts[index] for index in indices.tolist()),
        words.boxes[indices],
        words.lines[indices],
        words.from_ocr,
        None if words.recognized is None else words.recognized[indices],
    )


def _in_reading_order(words: PageWords, turned: _Turn) -> PageWords:
    """Return turned words line by line, each with its share of the line, which OCR leaves whole."""
    boxes = turned(words.boxes)
    numbers = np.unique(words.lines).tolist()
    lines = [np.flatnonzero(words.lines == number) for number in numbers]
    lines.sort(key=lambda line: (float(boxes[line[0], 1]), float(boxes[line[0], 0])))
    texts: list[str] = []
    shares: list[BoxTuple] = []
    for line in lines:
        own = [words.texts[index] for index in line.tolist()]
        x0, y0, x1, y1 = boxes[line[0]].tolist()
        length, place = len(" ".join(own)), 0
        for text in own:
            end = place + len(text)
            width = x1 - x0
            shares.append((x0 + width * place / length, y0, x0 + width * end / length, y1))
            place = end + 1
        texts += own
    order = np.repeat(np.arange(len(lines), dtype=np.int32), [len(line) for line in lines])
    together = np.array(shares, np.float32).reshape(-1, 4)
    return PageWords(tuple(texts), together, order, words.from_ocr)
