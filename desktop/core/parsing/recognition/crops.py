"""Reading parts of a page by OCR, within bounds, and the same picture only once."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.drawing import draw_page
from desktop.core.parsing.recognition.recognized_words import words_of_lines

if TYPE_CHECKING:
    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.values import BoxTuple
    from desktop.models.roles import TextRecognizer

# 150 dpi reads as well as 200 and takes half the pixels.
PIXELS_PER_POINT = 150 / 72
_MOST_MEGAPIXELS = 8.0
# Standard deviation of the grey values: less is a tint or a soft shade, nothing written.
_PLAIN = 10.0
_MOST_KEPT = 64
_MOST_SECONDS = 20.0
"""For all parts of a page: many times what they take on a machine that is not busy."""


@dataclass(slots=True)
class ReadCrops:
    """What was read in pictures of a document that come again on other pages."""

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
    """Reads parts of one page until its time is over.

    kept: of the page's document.
    """

    def __init__(self, page: MuPage, recognizer: TextRecognizer, kept: ReadCrops) -> None:
        self._page = page
        self._recognizer = recognizer
        self._kept = kept
        self._until = time.monotonic() + _MOST_SECONDS

    @property
    def is_late(self) -> bool:
        """Whether the page has had its time."""
        return time.monotonic() > self._until

    def read(self, box: BoxTuple, sure: float) -> PageWords:
        """Return the words inside a box, in points of the page.

        sure: least confidence of a line of some length.
        """
        image = draw_page(self._page, PIXELS_PER_POINT, box, _MOST_MEGAPIXELS)
        pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
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
