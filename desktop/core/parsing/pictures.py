"""Reading the words inside pictures of pages that have text: photographed tables, screenshots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.drawing import draw_page
from desktop.core.parsing.ocr import PIXELS_PER_POINT, words_of_lines
from desktop.core.structure.raw import RawSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.values import BoxTuple
    from desktop.core.structure.raw import RawPage
    from desktop.models.roles import TextRecognizer

# OCR takes about a second for a third of a page: a few large pictures a page, no logos.
_MOST_PICTURES = 3
_LEAST_SHARE = 0.06
_LEAST_SIDE = 60.0  # points
# The numbers of a few callouts may stand over it; more words are its own text layer.
_MOST_WORDS_OVER_IT = 5
_MOST_TILES = 200
_APART = 1.5  # points between the strips that one picture is cut into
_EMPTY_BETWEEN = 1.15  # how much more than its tiles a picture may cover
# Standard deviation of the grey values: less is a tint or a soft shade, nothing written.
_PLAIN = 10.0
_SIZE_OF_HEIGHT = 0.8


def pictures_to_read(raw: RawPage) -> list[BoxTuple]:
    """Return the boxes of raster pictures worth reading, largest first."""
    whole = max(1.0, raw.width * raw.height)
    x = (raw.words.boxes[:, 0] + raw.words.boxes[:, 2]) / 2
    y = (raw.words.boxes[:, 1] + raw.words.boxes[:, 3]) / 2
    found = []
    for box in _joined(raw.images):
        x0, y0, x1, y1 = box
        inside = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        large = _area(box) >= _LEAST_SHARE * whole and min(x1 - x0, y1 - y0) >= _LEAST_SIDE
        if large and inside.sum() <= _MOST_WORDS_OVER_IT:
            found.append(box)
    return sorted(found, key=_area, reverse=True)[:_MOST_PICTURES]


def with_words_of_pictures(
    page: MuPage,
    raw: RawPage,
    pictures: Iterable[BoxTuple],
    recognizer: TextRecognizer,
    body_size: float,
) -> RawPage:
    """Return the page with what stands in its pictures after its own words.

    body_size: font size of the document's text in points, 0 if unknown. Words of a picture are
    never larger: their height in an image makes no heading.
    """
    for box in pictures:
        words = _read(page, box, recognizer)
        if len(words):
            raw = _with_words(raw, words, body_size)
    return raw


def _read(page: MuPage, box: BoxTuple, recognizer: TextRecognizer) -> PageWords:
    image = draw_page(page, PIXELS_PER_POINT, box, max_megapixels=8.0)
    pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
    if not pixels.size or float(pixels[::4, ::4].mean(axis=2).std()) < _PLAIN:
        return PageWords.empty()
    x0, y0, x1, y1 = box
    found = words_of_lines(
        recognizer.recognize(pixels), (x1 - x0) / image.width, (y1 - y0) / image.height
    )
    return replace(found, boxes=found.boxes + np.array((x0, y0, x0, y0), np.float32))


def _with_words(raw: RawPage, words: PageWords, body_size: float) -> RawPage:
    before = raw.words
    first = int(before.lines[-1]) + 1 if len(before) else 0
    together = PageWords(
        before.texts + words.texts,
        np.concatenate([before.boxes, words.boxes]),
        np.concatenate([before.lines, words.lines + first]).astype(np.int32),
    )
    return replace(raw, words=together, spans=(*raw.spans, *_spans(words, body_size)))


def _spans(words: PageWords, body_size: float) -> list[RawSpan]:
    spans = []
    for text, row in zip(words.texts, words.boxes.tolist(), strict=True):
        x0, y0, x1, y1 = row
        size = _SIZE_OF_HEIGHT * (y1 - y0)
        size = min(size, body_size) if body_size else size
        spans.append(
            RawSpan(text, (x0, y0, x1, y1), size, bold=False, italic=False, block=-1, line=0)
        )
    return spans


def _joined(images: Sequence[BoxTuple]) -> list[BoxTuple]:
    """Put the strips and tiles of one picture together."""
    found: list[BoxTuple] = []
    for box in sorted(images, key=_area, reverse=True)[:_MOST_TILES]:
        grown = box
        while (near := next((other for other in found if _is_one(grown, other)), None)) is not None:
            found.remove(near)
            grown = _hull(grown, near)
        found.append(grown)
    return found


def _is_one(one: BoxTuple, other: BoxTuple) -> bool:
    apart = max(one[0], other[0]) - min(one[2], other[2])
    above = max(one[1], other[1]) - min(one[3], other[3])
    if apart > _APART or above > _APART:
        return False
    return _area(_hull(one, other)) <= _EMPTY_BETWEEN * (_area(one) + _area(other))


def _hull(one: BoxTuple, other: BoxTuple) -> BoxTuple:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    return (left, top, max(one[2], other[2]), max(one[3], other[3]))


def _area(box: BoxTuple) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
