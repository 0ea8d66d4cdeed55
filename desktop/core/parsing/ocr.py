"""Reading pages that have no text of their own: when, and into which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.drawing import draw_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.words import TextLayer
    from desktop.core.structure.raw import RawPage
    from desktop.models.roles import RecognizedLine, TextRecognizer

# 150 dpi reads as well as 200 and takes half the pixels.
PIXELS_PER_POINT = 150 / 72
# An A1 drawing at 150 dpi; more pixels take minutes.
_MOST_MEGAPIXELS = 18.0
_LEAST_CONFIDENCE = 0.5
# A scan that somebody stamped or numbered has this few words over its image.
_STAMP_WORDS = 12
_SCAN_SHARE = 0.4
_UNKNOWN_SHARE = 0.3


def needs_ocr(raw: RawPage, layer: TextLayer) -> bool:
    """Whether a page shows text that its text layer does not have."""
    if not len(layer.words):
        return bool(raw.images or raw.drawings or layer.unknown_letters)
    letters = sum(len(text) for text in layer.words.texts) + layer.unknown_letters
    if layer.unknown_letters > _UNKNOWN_SHARE * letters:
        return True
    return len(layer.words) < _STAMP_WORDS and _largest_image_share(raw) > _SCAN_SHARE


def recognize_page(page: MuPage, recognizer: TextRecognizer, max_megapixels: float) -> PageWords:
    """Draw a page and read it; boxes are points of the page as displayed."""
    image = draw_page(page, PIXELS_PER_POINT, None, min(max_megapixels, _MOST_MEGAPIXELS))
    if not image.width:
        return PageWords.empty()
    pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
    return words_of_lines(
        recognizer.recognize(pixels),
        page.rect.width / image.width,
        page.rect.height / image.height,
    )


def words_of_lines(lines: Sequence[RecognizedLine], scale_x: float, scale_y: float) -> PageWords:
    """Split recognised lines into words, each with its share of the line's box.

    scale_x, scale_y: points per pixel.
    """
    texts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        if line.confidence < _LEAST_CONFIDENCE:
            continue
        x0, y0, x1, y1 = line.box
        for word, start, end in _shares(line):
            texts.append(word)
            left, right = x0 + (x1 - x0) * start, x0 + (x1 - x0) * end
            boxes.append((left * scale_x, y0 * scale_y, right * scale_x, y1 * scale_y))
            numbers.append(number)
    return PageWords(
        tuple(texts),
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(numbers, np.int32),
        from_ocr=True,
    )


def _shares(line: RecognizedLine) -> list[tuple[str, float, float]]:
    """Return each word with where it starts and ends along the line, 0 to 1."""
    words = line.text.split()
    x0, y0, x1, y1 = line.box
    if y1 - y0 > 1.5 * (x1 - x0):
        # Written upwards or downwards, nobody says which: every word gets the line.
        return [(word, 0.0, 1.0) for word in words]
    length = max(1, len(line.text))
    shares, position = [], 0
    for word in words:
        start = line.text.index(word, position)
        position = start + len(word)
        shares.append((word, start / length, position / length))
    return shares


def _largest_image_share(raw: RawPage) -> float:
    areas = [(x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in raw.images]
    return max(areas, default=0.0) / max(1.0, raw.width * raw.height)
