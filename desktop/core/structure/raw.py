"""What the parser reads off a page before anyone has understood it, and its segments.

A segment is the words that stand together on one line, the atom of a page's structure. All boxes
are (x0, y0, x1, y1) in PDF points, top-left origin, page as displayed.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.leaders import words_between_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import BoxTuple, OutlineEntry


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A run of text in one font; size in points; block as MuPDF numbers them.

    font: its name in the PDF, "" if unknown. turned: whether it runs up or down the page.
    """

    text: str
    box: BoxTuple
    size: float
    bold: bool
    block: int
    font: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class RawRegion:
    """A region that the layout model recognised.

    kind: its class name, such as "table", "picture", "caption", "section-header",
    "page-header", "page-footer", "list-item", "text".
    """

    kind: str
    box: BoxTuple


@dataclass(frozen=True, slots=True)
class RawPage:
    """One page as read: text with fonts, boxes of vector drawings and of images.

    spans: empty for a page read by OCR; then words alone carries the text.
    regions: what the layout model saw, empty when it was not asked.
    """

    page: int
    width: float
    height: float
    spans: tuple[RawSpan, ...]
    words: PageWords
    drawings: tuple[BoxTuple, ...]
    images: tuple[BoxTuple, ...]
    regions: tuple[RawRegion, ...]
    ocr: bool


@dataclass(frozen=True, slots=True)
class DocumentStyle:
    """What the pages of a document have in common.

    body_size: the font size most characters are set in, 0 if unknown.
    repeated: margin lines seen on many pages, digits replaced by "#".
    outline: the PDF's table of contents. title: shown name of the document.
    spellings: words in small letters, to tell cut words from hyphenated ones.
    nearby: margin lines of the two pages before and behind, None if not known.
    """

    body_size: float = 0.0
    repeated: frozenset[str] = frozenset()
    outline: Sequence[OutlineEntry] = field(default_factory=tuple)
    title: str = ""
    spellings: frozenset[str] = frozenset()
    nearby: frozenset[str] | None = None


UNKNOWN_SIGN = "\N{REPLACEMENT CHARACTER}"
"""Stands for a sign whose font does not say what it shows."""

# A gap wider than this many text heights starts a new segment (another table cell).
_CELL_GAP = 1.3


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of one line without a wide gap between them.

    words: indices into the page's words. size: font size in points (text height for OCR).
    block: the number of the text block MuPDF put it in, -1 for OCR. turned: runs up or down.
    cells: the name and the value that dots lead between, () without such dots. font: its name, ""
    if there are several.
    """

    words: tuple[int, ...]
    text: str
    box: BoxTuple
    size: float
    bold: bool
    block: int
    turned: bool = False
    cells: tuple[Segment, ...] = ()
    font: str = ""

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def stands_in(self, box: BoxTuple, margin: float = 0.0) -> bool:
        """Whether its middle is in a box, or up to `margin` points beside it."""
        (x, y), (x0, y0, x1, y1) = self.centre, box
        return x0 - margin <= x <= x1 + margin and y0 - margin <= y <= y1 + margin


def gap_between(line: Sequence[Segment], below: Sequence[Segment]) -> float:
    """Return how many points are between two lines, negative if they overlap."""
    return min(s.box[1] for s in below) - max(s.box[3] for s in line)


def hull(boxes: Iterable[BoxTuple]) -> BoxTuple:
    """Return the smallest box around boxes; there must be one at least."""
    columns = tuple(zip(*boxes, strict=True))
    return (min(columns[0]), min(columns[1]), max(columns[2]), max(columns[3]))


def page_segments(raw: RawPage) -> list[Segment]:
    """Cut the page's lines into segments, in the order of the words."""
    words = raw.words
    if not len(words):
        return []
    owners = span_of_words(words, raw.spans)
    between = words_between_cells(words)
    found = []
    for first, last in itertools.pairwise(_cuts(words).tolist()):
        segment = _segment(words, raw.spans, owners, first, last)
        if between[first:last].any():
            stretches = itertools.groupby(range(first, last), between.__getitem__)
            places = [list(stretch) for dots, stretch in stretches if not dots]
            cells = [_segment(words, raw.spans, owners, p[0], p[-1] + 1) for p in places]
            segment = replace(segment, cells=tuple(cells)) if len(cells) > 1 else cells[0]
        found.append(segment)
    return found


def visual_rows(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments that are at the same height, top to bottom, left to right."""
    rows: list[list[Segment]] = []
    bottoms: list[float] = []
    for segment in sorted(segments, key=lambda s: (s.centre[1], s.box[0])):
        middle = segment.centre[1]
        if rows and middle < bottoms[-1]:
            rows[-1].append(segment)
        else:
            rows.append([segment])
            height = segment.box[3] - segment.box[1]
            bottoms.append(middle + 0.5 * height)
    for row in rows:
        row.sort(key=lambda s: s.box[0])
    return rows


def _cuts(words: PageWords) -> NDArray[np.intp]:
    boxes = words.boxes
    heights = boxes[:, 3] - boxes[:, 1]
    gaps = boxes[1:, 0] - boxes[:-1, 2]
    upright = heights <= 3 * (boxes[:, 2] - boxes[:, 0]) + 6
    wide = (gaps > _CELL_GAP * np.minimum(heights[1:], heights[:-1])) & upright[1:] & upright[:-1]
    back = gaps < -2 * np.maximum(heights[1:], heights[:-1])
    # a sign that no font knows, an arrow mostly, links what is on both of its sides
    wide &= np.array([text != UNKNOWN_SIGN for text in words.texts[1:]], np.bool_)
    breaks = (np.diff(words.lines) != 0) | wide | (back & upright[1:] & upright[:-1])
    return np.concatenate(([0], np.flatnonzero(breaks) + 1, [len(words)]))


def _segment(
    words: PageWords,
    spans: Sequence[RawSpan],
    owners: NDArray[np.intp],
    first: int,
    last: int,
) -> Segment:
    box = words.hull(range(first, last)).as_tuple()
    owned = [spans[owner] for owner in owners[first:last] if owner >= 0]
    size = max((span.size for span in owned), default=box[3] - box[1])
    fonts = {span.font for span in owned}
    return Segment(
        words=tuple(range(first, last)),
        text=" ".join(words.texts[first:last]),
        box=box,
        size=round(size, 1),
        bold=bool(owned) and sum(span.bold for span in owned) * 2 > len(owned),
        block=owned[0].block if owned else -1,
        turned=bool(owned) and all(span.turned for span in owned),
        font=fonts.pop() if len(fonts) == 1 else "",
    )


def span_of_words(words: PageWords, spans: Sequence[RawSpan]) -> NDArray[np.intp]:
    """Return for each word the index of the span its centre lies in, -1 for none."""
    if not spans:
        return np.full(len(words), -1, np.intp)
    boxes = np.array([span.box for span in spans], np.float32)
    x, y = words.centres
    inside = (
        (boxes[None, :, 0] - 0.5 <= x[:, None])
        & (x[:, None] <= boxes[None, :, 2] + 0.5)
        & (boxes[None, :, 1] - 0.5 <= y[:, None])
        & (y[:, None] <= boxes[None, :, 3] + 0.5)
    )
    found = inside.argmax(axis=1)
    return np.where(inside.any(axis=1), found, -1)
