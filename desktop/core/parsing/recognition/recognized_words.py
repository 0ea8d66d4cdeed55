"""A part of a page drawn and read by OCR, as words with boxes."""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.mupdf import draw_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.structure.values import BoxTuple
    from desktop.models.roles import RecognizedLine, TextRecognizer

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
    chinese = [letter for letter in letters if _is_ideograph(letter)]
    if len(letters) <= _MOSTLY * len(chinese):
        return frozenset()
    return frozenset(chinese)


def _is_ideograph(letter: str) -> bool:
    return letter > "\u2e7f" and unicodedata.name(letter, "").startswith("CJK")


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
