"""Reading whole pages that have no text of their own, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.drawing import draw_page
from desktop.core.parsing.recognition.crops import PIXELS_PER_POINT
from desktop.core.parsing.recognition.recognized_words import words_of_lines

if TYPE_CHECKING:
    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.words import TextLayer
    from desktop.core.structure.raw import RawPage
    from desktop.models.roles import TextRecognizer

# An A1 drawing at 150 dpi; more pixels take minutes.
_MOST_MEGAPIXELS = 18.0
# A scan that somebody stamped or numbered has this few words over its image.
_STAMP_WORDS = 12
_SCAN_SHARE = 0.4
# Less of it is read in its places, so that the rest stays exact.
_UNKNOWN_SHARE = 0.6


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


def _largest_image_share(raw: RawPage) -> float:
    areas = [(x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in raw.images]
    return max(areas, default=0.0) / max(1.0, raw.width * raw.height)
