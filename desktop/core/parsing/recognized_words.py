"""Words read by OCR: of a part of a page, inside pictures, or drawn as outlines."""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.core.parsing.mupdf import draw_page
from desktop.core.structure.raw import RawSpan, hull

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.structure.raw import RawPage
    from desktop.core.structure.values import BoxTuple
    from desktop.models.roles import RecognizedLine, TextRecognizer

# A letter, or a whole word in one shape, in points.
_HEIGHTS, _WIDTHS = (2.5, 25.0), (0.8, 150.0)
_LEAST_LETTERS = 12
# Symbols of a drawing whose words are text: more than one word for so many shapes.
_SHAPES_A_WORD = 10
# Letters have many widths and several heights and stand side by side; cells of a table, hatching
# and pins of a part are all alike, and icons are drawn one shape over the other.
_LEAST_WIDTHS, _LEAST_HEIGHTS = 6, 5
_MOST_FILLED = 1.2
# Letters stand in the same or in neighbouring cells of this size (points), lines as well.
_CELL = 12.0
_OUTLINE_MARGIN = 3.0


def outlined_words(raw: RawPage) -> list[BoxTuple]:
    """Return boxes around shapes that may be letters and have no text words among them."""
    shapes = _letters(np.array(raw.drawings, np.float32).reshape(-1, 4))
    if len(shapes) < _LEAST_LETTERS:
        return []
    words = _centres(raw.words.boxes)
    found = []
    for members in _clusters(shapes):
        x0, y0 = shapes[members, :2].min(axis=0) - _OUTLINE_MARGIN
        x1, y1 = shapes[members, 2:].max(axis=0) + _OUTLINE_MARGIN
        inside = ((words >= (x0, y0)) & (words <= (x1, y1))).all(axis=1).sum()
        least = max(_LEAST_LETTERS, _SHAPES_A_WORD * int(inside))
        if len(members) >= least and _look_like_letters(shapes[members]):
            found.append((float(x0), float(y0), float(x1), float(y1)))
    return found


def _look_like_letters(shapes: NDArray[np.float32]) -> bool:
    sizes = np.round(shapes[:, 2:] - shapes[:, :2], 1)
    x, y = shapes[:, 2:].max(axis=0) - shapes[:, :2].min(axis=0)
    return bool(
        len(np.unique(sizes[:, 0])) >= _LEAST_WIDTHS
        and len(np.unique(sizes[:, 1])) >= _LEAST_HEIGHTS
        and sizes.prod(axis=1).sum() <= _MOST_FILLED * x * y
    )


def _letters(shapes: NDArray[np.float32]) -> NDArray[np.float32]:
    widths, heights = shapes[:, 2] - shapes[:, 0], shapes[:, 3] - shapes[:, 1]
    tall = (heights >= _HEIGHTS[0]) & (heights <= _HEIGHTS[1])
    wide = (widths >= _WIDTHS[0]) & (widths <= _WIDTHS[1])
    # Filled and outlined, or with a shadow, a letter counts once.
    return np.unique(np.round(shapes[tall & wide] * 2) / 2, axis=0).astype(np.float32)


def _clusters(shapes: NDArray[np.float32]) -> list[list[int]]:
    """Group shapes whose cells touch, also at a corner."""
    cells: dict[tuple[int, int], list[int]] = {}
    for index, (x, y) in enumerate((_centres(shapes) // _CELL).astype(int).tolist()):
        cells.setdefault((x, y), []).append(index)
    groups = []
    while cells:
        start, members = cells.popitem()
        group, border = members, [start]
        while border:
            x, y = border.pop()
            near = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            for cell in near:
                if cell in cells:
                    group = group + cells.pop(cell)
                    border.append(cell)
        groups.append(group)
    return groups


def _centres(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    centres: NDArray[np.float32] = (boxes[:, :2] + boxes[:, 2:]) / np.float32(2)
    return centres


# OCR takes a fifth of a second for a small picture and a second or two for a page of print.
_MOST_PICTURES = 6
_MOST_AREA = 1.0  # of the page, all pictures together
# A line of eighteen letters, or a small plate: less is an icon.
_LEAST_AREA = 2_500.0  # square points
_LEAST_SIDE, _LEAST_LENGTH = 10.0, 40.0  # points
# Logos stand in the margins of every page; a picture of this share of the page is none.
_MARGIN, _NO_LOGO = 0.1, 0.06
# Callouts may stand over a picture. A picture that more is written over has its own text
# layer, or is the ground that a page is printed on.
_MOST_COVERED = 0.025
_FEW_WORDS = 5
_MOST_TILES = 200
_APART = 1.5  # points between the strips that one picture is cut into
_EMPTY_BETWEEN = 1.15  # how much more than its tiles a picture may cover
_SIZE_OF_HEIGHT = 0.8


def pictures_to_read(raw: RawPage) -> list[BoxTuple]:
    """Return the boxes of pictures and drawn words worth reading, largest first."""
    whole = max(1.0, raw.width * raw.height)
    candidates = [box for box in _joined(raw.images) if _may_hold_words(box, raw)]
    candidates += [box for box in outlined_words(raw) if not _lies_in(box, candidates)]
    found: list[BoxTuple] = []
    left = _MOST_AREA * whole
    for box in sorted(candidates, key=_area, reverse=True)[:_MOST_PICTURES]:
        if _area(box) <= left:
            found.append(box)
            left -= _area(box)
    return found


def with_more_words(raw: RawPage, found: PageWords, body_size: float) -> RawPage:
    """Return the page with recognised words after its own, less those that it already has.

    body_size: font size of the document's text in points, 0 if unknown. Words of a
    picture are never larger: their height in an image makes no heading.
    """
    words = _without_double(found, raw.words)
    if not len(words):
        return raw
    together = PageWords.joined((raw.words, words))
    return replace(raw, words=together, spans=(*raw.spans, *_spans(words, body_size)))


def _may_hold_words(box: BoxTuple, raw: RawPage) -> bool:
    width, height, area = box[2] - box[0], box[3] - box[1], _area(box)
    large_enough = (
        area >= _LEAST_AREA
        and min(width, height) >= _LEAST_SIDE
        and max(width, height) >= _LEAST_LENGTH
    )
    in_margin = box[3] < _MARGIN * raw.height or box[1] > (1 - _MARGIN) * raw.height
    if not large_enough or (in_margin and area < _NO_LOGO * raw.width * raw.height):
        return False
    inside = raw.words.inside([Box(*box)])
    sizes = raw.words.boxes[inside, 2:] - raw.words.boxes[inside, :2]
    return len(inside) <= _FEW_WORDS or float(sizes.prod(axis=1).sum()) < _MOST_COVERED * area


def _without_double(found: PageWords, words: PageWords) -> PageWords:
    """Leave out what the text layer has as well, such as callouts over a picture."""
    x, y = found.centres
    own = words.boxes[None]
    inside = (own[..., 0] <= x[:, None]) & (x[:, None] <= own[..., 2])
    inside &= (own[..., 1] <= y[:, None]) & (y[:, None] <= own[..., 3])
    new = np.flatnonzero(~inside.any(axis=1))
    texts = tuple(found.texts[index] for index in new.tolist())
    return PageWords(texts, found.boxes[new], found.lines[new], from_ocr=True)


def _spans(words: PageWords, body_size: float) -> list[RawSpan]:
    spans = []
    for text, row in zip(words.texts, words.boxes.tolist(), strict=True):
        x0, y0, x1, y1 = row
        size = _SIZE_OF_HEIGHT * (y1 - y0)
        size = min(size, body_size) if body_size else size
        spans.append(RawSpan(text, (x0, y0, x1, y1), size, bold=False, block=-1))
    return spans


def _joined(images: Sequence[BoxTuple]) -> list[BoxTuple]:
    """Put the strips and tiles of one picture together."""
    found: list[BoxTuple] = []
    for box in sorted(images, key=_area, reverse=True)[:_MOST_TILES]:
        grown = box
        while (near := next((other for other in found if _is_one(grown, other)), None)) is not None:
            found.remove(near)
            grown = hull((grown, near))
        found.append(grown)
    return found


def _is_one(one: BoxTuple, other: BoxTuple) -> bool:
    apart = max(one[0], other[0]) - min(one[2], other[2])
    above = max(one[1], other[1]) - min(one[3], other[3])
    if apart > _APART or above > _APART:
        return False
    return _area(hull((one, other))) <= _EMPTY_BETWEEN * (_area(one) + _area(other))


def _lies_in(box: BoxTuple, others: Sequence[BoxTuple]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(o[0] <= x <= o[2] and o[1] <= y <= o[3] for o in others)


def _area(box: BoxTuple) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


SURE_OF_PROSE = 0.5
"""Least confidence for a line of a scanned page: a blurred sentence still says what it is of."""
SURE_IN_PICTURE = 0.75
"""The same in a picture, where ripples, hatching and print too small to read look like letters."""

# Few letters are soon seen in a capacitor, a drilled hole or the edge of a photograph; but the
# cells of a scanned table have no more of them.
_FEW, _MORE_OF_FEW = 7, 0.1
# Frames of text screens are read as letters; nobody writes one this often.
_SAME_LETTER = re.compile(r"([^\W\d_])\1{8,}", re.IGNORECASE)
_MOSTLY = 3
_WORD = re.compile(r"\S+")
# "Features....5" of a table of contents is read without the gap before its page number.
_LEADERS = re.compile(r"(?<=[^\W\d])[.\u00b7\u2026]{2,}(?=\d+$)")


def words_of_lines(
    lines: Sequence[RecognizedLine],
    scale_x: float,
    scale_y: float,
    sure: float = SURE_OF_PROSE,
) -> PageWords:
    """Split recognised lines into words, each with its share of the line's box.

    scale_x, scale_y: points per pixel. sure: least confidence of a line of some length.
    """
    foreign = _foreign_letters(lines)
    texts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        if not _is_legible(line, sure, foreign):
            continue
        x0, y0, x1, y1 = line.box
        for word, start, end in _shares(line):
            said = "".join(letter for letter in word if letter not in foreign)
            if not said or _SAME_LETTER.search(said):
                continue
            texts.append(said)
            left, right = x0 + (x1 - x0) * start, x0 + (x1 - x0) * end
            boxes.append((left * scale_x, y0 * scale_y, right * scale_x, y1 * scale_y))
            numbers.append(number)
    return PageWords(
        tuple(texts),
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(numbers, np.int32),
        from_ocr=True,
    )


def _is_legible(line: RecognizedLine, sure: float, foreign: frozenset[str]) -> bool:
    letters = sum(letter.isalnum() and letter not in foreign for letter in line.text)
    if not letters:
        return False
    return line.confidence >= (sure + _MORE_OF_FEW if letters <= _FEW else sure)


def _foreign_letters(lines: Sequence[RecognizedLine]) -> frozenset[str]:
    """Return the Chinese characters that a recogniser of both scripts sees in Latin drawings."""
    letters = [letter for line in lines for letter in line.text if letter.isalpha()]
    beyond = (letter for letter in letters if letter > "\u2e7f")
    chinese = [letter for letter in beyond if unicodedata.name(letter, "").startswith("CJK")]
    if len(letters) <= _MOSTLY * len(chinese):
        return frozenset()
    return frozenset(chinese)


def _shares(line: RecognizedLine) -> Iterator[tuple[str, float, float]]:
    """Yield each word with where it starts and ends along the line, 0 to 1."""
    x0, y0, x1, y1 = line.box
    # Written upwards or downwards, nobody says which: every word gets the line.
    tall = y1 - y0 > 1.5 * (x1 - x0)
    length = max(1, len(line.text))
    for start, end in _word_places(line.text):
        share = (0.0, 1.0) if tall else (start / length, end / length)
        yield line.text[start:end], *share


def _word_places(text: str) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(text):
        leaders = _LEADERS.search(match.group())
        if leaders is None:
            yield match.span()
        else:
            yield match.start(), match.start() + leaders.start()
            yield match.start() + leaders.end(), match.end()


# 150 dpi reads as well as 200 and takes half the pixels.
PIXELS_PER_POINT = 150 / 72
_MOST_MEGAPIXELS = 8.0
# Standard deviation of the grey values: less is a tint or a soft shade, nothing written.
_PLAIN = 10.0
_MOST_KEPT = 64
_MOST_SECONDS = 20.0
"""Of a processor, for all parts of a page: many times what they take."""


@dataclass(slots=True)
class ReadCrops:
    """What was read in pictures of a document that recur on other pages."""

    _kept: dict[bytes, PageWords] = field(default_factory=dict)

    def get(self, digest: bytes) -> PageWords | None:
        """Return the words of a picture seen before."""
        return self._kept.get(digest)

    def put(self, digest: bytes, words: PageWords) -> None:
        """Keep what was read, of the last pictures only."""
        while len(self._kept) >= _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[digest] = words


class CropReader:
    """Reads parts of one page until its time is up.

    kept: of the page's document.
    """

    def __init__(self, page: MuPage, recognizer: TextRecognizer, kept: ReadCrops) -> None:
        self._page = page
        self._recognizer = recognizer
        self._kept = kept
        self._until = time.process_time() + _MOST_SECONDS

    @property
    def is_late(self) -> bool:
        """Whether the page has used up its time."""
        return time.process_time() > self._until

    def read(self, box: BoxTuple, sure: float) -> PageWords:
        """Return the words inside a box, in points of the page.

        sure: least confidence of a line of some length.
        """
        image = draw_page(self._page, PIXELS_PER_POINT, box, _MOST_MEGAPIXELS)
        pixels = image.pixels()
        if not pixels.size or float(pixels[::4, ::4].mean(axis=2).std()) < _PLAIN:
            return PageWords.empty()
        digest = hashlib.blake2b(image.rgb, digest_size=16).digest()
        words = self._kept.get(digest)
        if words is None:
            x0, y0, x1, y1 = box
            scale_x, scale_y = (x1 - x0) / image.width, (y1 - y0) / image.height
            words = words_of_lines(self._recognizer.recognize(pixels), scale_x, scale_y, sure)
            self._kept.put(digest, words)
        corner = np.array((box[0], box[1], box[0], box[1]), np.float32)
        return replace(words, boxes=words.boxes + corner)
