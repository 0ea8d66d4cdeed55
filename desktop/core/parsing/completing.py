"""What a page's text layer lacks or garbles, read by OCR: whole scans, pictures, letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.errors import UnreadablePdf
from desktop.core.page_words import PageWords
from desktop.core.parsing.mupdf import draw_page
from desktop.core.parsing.photos import decode, read_photo
from desktop.core.parsing.raw_page import UNKNOWN_LETTER
from desktop.core.parsing.recognized_words import (
    PIXELS_PER_POINT,
    SURE_IN_PICTURE,
    SURE_OF_PROSE,
    CropReader,
    ReadCrops,
    pictures_to_read,
    with_more_words,
    words_of_lines,
)
from desktop.core.structure.raw import hull, span_of_words
from desktop.models.errors import ModelError, ModelNotInstalled
from desktop.models.roles import TextRecognizer
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from desktop.core.parsing.messages import Limits, StageReport
    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.raw_page import TextLayer
    from desktop.core.structure.raw import RawPage, RawSpan
    from desktop.core.structure.values import BoxTuple, PhotoText

# "\ufffdrmware" has lost its first letters, "\ufffdClose" has a bullet in front of it.
_UNKNOWN_INSIDE = re.compile(rf"\w{UNKNOWN_LETTER}|{UNKNOWN_LETTER}(?=\w)[^\WA-Z]")
_NUMBERED = re.compile(r"\(cid:\d+\)|(?:/g\d+){2,}", re.IGNORECASE)
# Without U+F020 to U+F0FF, where symbol fonts have their signs: these are no letters, or have
# become the letters they are (`symbol_letters`).
_PRIVATE = "\ue000-\uf01f\uf100-\uf8ff"
# One or two private characters are bullets, also in front of a word; inside words they are
# letters, as three of them are.
_PRIVATE_LETTERS = re.compile(rf"[{_PRIVATE}]{{3}}|[^\W{_PRIVATE}][{_PRIVATE}]")

# Share of each letter a to z in English text; other languages in Latin letters are near.
_USUAL = np.array((
    8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2.0, 6.1, 7.0, 0.2, 0.8, 4.0, 2.4,
    6.7, 7.5, 1.9, 0.1, 6.0, 6.3, 9.1, 2.8, 1.0, 2.4, 0.2, 2.0, 0.1,
))  # fmt: skip
_USUAL = _USUAL / np.linalg.norm(_USUAL)
# Of fonts on pages of nine manuals 4.6% are less usual than this (codes, signal names), of
# shifted and shuffled alphabets 99%.
_LEAST_USUAL = 0.75
_LEAST_LETTERS = 60
_SAME = 0.5
_LONGEST_COMPARED = 600
# What OCR read must be about as long as what the layer says, or it did not see those words.
_AS_LONG = 0.5


def nonsense_words(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return which words have characters that no page would show, shape (n,)."""
    joined = " ".join(texts)
    if joined.isascii() and joined.isprintable() and not _NUMBERED.search(joined):
        return np.zeros(len(texts), np.bool_)
    return np.array([_is_nonsense(text) for text in texts], np.bool_)


def suspicious_fonts(spans: Iterable[RawSpan]) -> list[str]:
    """Return the fonts whose letters on a page are distributed as in no language."""
    texts: dict[str, list[str]] = {}
    for span in spans:
        texts.setdefault(span.font, []).append(span.text)
    return [font for font, parts in texts.items() if font and _is_odd("".join(parts))]


def contradicts(said: str, seen: str) -> bool:
    """Whether OCR saw text that differs from the text layer's and is likelier."""
    one, other = _letters_alone(said), _letters_alone(seen)
    if len(other) < _AS_LONG * len(one) or not other or _is_odd(seen):
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() < _SAME


def _is_nonsense(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return bool(_NUMBERED.search(text))
    if _UNKNOWN_INSIDE.search(text) or _PRIVATE_LETTERS.search(text):
        return True
    return any(unicodedata.category(letter) == "Cc" for letter in text)


def _is_odd(text: str) -> bool:
    codes = np.frombuffer(text.lower().encode("ascii", "ignore"), np.uint8).astype(np.int64)
    counts = np.bincount(codes, minlength=128)[ord("a") : ord("z") + 1].astype(np.float64)
    if counts.sum() < _LEAST_LETTERS:
        return False
    return bool(counts @ _USUAL < _LEAST_USUAL * np.linalg.norm(counts))


def _letters_alone(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())[:_LONGEST_COMPARED]


_MOST_PLACES = 12
_MOST_SAMPLED, _SAMPLED_PLACES = 40, 3
_MARGIN = 3.0  # points around the words, so that no letter is cut
_GAP = 1.0  # line heights between lines that are read together


class Damage:
    """The spoilt words of one page.

    lost: boxes of words that have no character at all, shape (k, 4). fonts: what was found
    out about fonts of the document: whether their words are nonsense; added to here.
    """

    def __init__(self, raw: RawPage, lost: NDArray[np.float32], fonts: dict[str, bool]) -> None:
        self._raw = raw
        self._lost = lost
        self._fonts = fonts
        self._owners: NDArray[np.intp] | None = None
        self._spoilt = nonsense_words(raw.words.texts)
        self._asked = [font for font in suspicious_fonts(raw.spans) if font not in fonts]
        for font in (font for font, is_nonsense in fonts.items() if is_nonsense):
            self._spoilt |= self._words_in(font)

    def __bool__(self) -> bool:
        """Whether there is anything to read."""
        return bool(self._asked) or bool(self._spoilt.any()) or len(self._lost) > 0

    def mended(
        self, reader: CropReader, body_size: float, before_each: Callable[[], None]
    ) -> RawPage:
        """Return the page with OCR's reading wherever its words are nonsense.

        body_size: of the document's text in points, 0 if unknown. before_each: called
            before a place is read.
        """
        for font in self._asked:
            of_font = self._words_in(font)
            self._fonts[font] = self._is_wrong(of_font, reader, before_each)
            if self._fonts[font]:
                self._spoilt |= of_font
        raw = self._raw
        if self._spoilt.any():
            spoilt = places(raw.words.boxes[self._spoilt])[:_MOST_PLACES]
            raw = replaced(raw, self._spoilt, self._read(spoilt, reader, before_each))
        for place in places(self._lost)[:_MOST_PLACES]:
            before_each()
            if not reader.is_late:
                raw = with_more_words(raw, reader.read(place, SURE_OF_PROSE), body_size)
        return raw

    def _is_wrong(
        self, of_font: NDArray[np.bool_], reader: CropReader, before_each: Callable[[], None]
    ) -> bool:
        """Whether OCR reads something else in a few places where words of a font are."""
        words = self._raw.words
        sample = of_font & (np.cumsum(of_font) <= _MOST_SAMPLED)
        widest = sorted(places(words.boxes[sample]), key=lambda box: box[0] - box[2])
        some = widest[:_SAMPLED_PLACES]
        x, y = (words.boxes[:, :2] + words.boxes[:, 2:]).T / 2
        inside = [(x0 < x) & (x < x1) & (y0 < y) & (y < y1) for x0, y0, x1, y1 in some]
        sample &= np.any(inside, axis=0)
        found = self._read(some, reader, before_each)
        under = _word_under(words, found)
        seen = [t for t, i in zip(found.texts, under, strict=True) if i >= 0 and sample[i]]
        said = [words.texts[index] for index in np.flatnonzero(sample).tolist()]
        return contradicts(" ".join(said), " ".join(seen))

    def _words_in(self, font: str) -> NDArray[np.bool_]:
        if self._owners is None:
            self._owners = span_of_words(self._raw.words, self._raw.spans)
        # a word that belongs to no span has the owner -1
        return np.array([span.font == font for span in self._raw.spans] + [False])[self._owners]

    def _read(
        self, where: Sequence[BoxTuple], reader: CropReader, before_each: Callable[[], None]
    ) -> PageWords:
        """Return what OCR reads in some places, one after the other."""
        found = []
        for place in where:
            before_each()
            if not reader.is_late:
                found.append(reader.read(place, SURE_OF_PROSE))
        return PageWords.joined(found)


def places(boxes: NDArray[np.float32]) -> list[BoxTuple]:
    """Return a few boxes around all of `boxes`, from top to bottom, with a margin."""
    found: list[BoxTuple] = []
    heights: list[float] = []
    for x0, y0, x1, y1 in sorted(boxes.tolist(), key=lambda box: (box[1], box[0])):
        box, height = (x0, y0, x1, y1), y1 - y0
        near = [i for i, other in enumerate(found) if _is_near(box, other, heights[i])]
        for index in reversed(near):
            box = hull((box, found.pop(index)))
            height = max(height, heights.pop(index))
        found.append(box)
        heights.append(height)
    return [(x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN) for x0, y0, x1, y1 in found]


def replaced(raw: RawPage, spoilt: NDArray[np.bool_], found: PageWords) -> RawPage:
    """Return the page with recognised words in place of the spoilt ones they cover.

    A spoilt word for which nothing was read stays; so do all others.
    """
    words = raw.words
    anchors = _word_under(words, found)
    used = [(anchor, number) for number, anchor in enumerate(anchors) if anchor >= 0]
    used = [(anchor, number) for anchor, number in used if spoilt[anchor]]
    if not used:
        return raw
    near = _covered(words, spoilt, found)
    rows = [(index, 0, index, False) for index in np.flatnonzero(~(spoilt & near)).tolist()]
    rows += [(anchor, 1, number, True) for anchor, number in used]
    rows.sort()
    boxes = [found.boxes[i] if new else words.boxes[i] for _, _, i, new in rows]
    seen = [new or bool(words.are_recognized[i]) for _, _, i, new in rows]
    together = PageWords(
        tuple(found.texts[i] if new else words.texts[i] for _, _, i, new in rows),
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array([words.lines[anchor] for anchor, *_ in rows], np.int32),
        recognized=np.array(seen, np.bool_),
    )
    return replace(raw, words=together)


def _word_under(words: PageWords, found: PageWords) -> list[int]:
    """Return for each recognised word the word of the layer it covers most, -1 for none."""
    under = []
    for x0, y0, x1, y1 in found.boxes.tolist():
        across = np.minimum(words.boxes[:, 2], x1) - np.maximum(words.boxes[:, 0], x0)
        down = np.minimum(words.boxes[:, 3], y1) - np.maximum(words.boxes[:, 1], y0)
        shared = np.maximum(across, 0) * np.maximum(down, 0)
        best = int(shared.argmax()) if len(shared) else -1
        under.append(best if best >= 0 and shared[best] > 0 else -1)
    return under


def _covered(words: PageWords, spoilt: NDArray[np.bool_], found: PageWords) -> NDArray[np.bool_]:
    """Return which words are on a line of the layer for which something was read."""
    under = [anchor for anchor in _word_under(words, found) if anchor >= 0 and spoilt[anchor]]
    return np.isin(words.lines, words.lines[under])


def _is_near(box: BoxTuple, other: BoxTuple, height: float) -> bool:
    gap = height * _GAP
    return (
        box[0] <= other[2] + gap
        and box[2] >= other[0] - gap
        and box[1] <= other[3] + gap
        and box[3] >= other[1] - gap
    )


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
    return words_of_lines(
        recognizer.recognize(image.pixels()),
        page.rect.width / image.width,
        page.rect.height / image.height,
    )


def _largest_image_share(raw: RawPage) -> float:
    areas = [(x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in raw.images]
    return max(areas, default=0.0) / max(1.0, raw.width * raw.height)


RecognizerFactory = Callable[[], TextRecognizer]


@dataclass(slots=True)
class RecognizedSoFar:
    """What OCR found out about a document.

    fonts: of those that looked odd, whether their words are nonsense.
    """

    crops: ReadCrops = field(default_factory=ReadCrops)
    fonts: dict[str, bool] = field(default_factory=dict)


class Recognition:
    """Completes pages by OCR. The model is loaded when the first page needs it."""

    def __init__(self, limits: Limits, load_recognizer: RecognizerFactory | None) -> None:
        self._limits = limits
        self._load = load_recognizer
        self._recognizer: TextRecognizer | None = None

    def completed(
        self,
        page: MuPage,
        raw: RawPage,
        layer: TextLayer,
        known: RecognizedSoFar,
        body_size: float,
        report: StageReport,
    ) -> tuple[RawPage, str]:
        """Return the page as OCR reads it where that tells more, and why OCR was unavailable.

        known: of the page's document. body_size: of its text in points, 0 if unknown.
        """
        if not self._limits.ocr:
            return raw, ""
        if not needs_ocr(raw, layer):
            return self._with_parts(page, raw, layer, known, body_size, report), ""
        report("starting_ocr", raw.page)
        try:
            recognizer = self._ready()
        except ModelError as error:
            no_words = said("a page without text, and no OCR: {error}", error=error)
            return raw, "" if len(layer.words) else no_words
        report("ocr", raw.page)
        words = recognize_page(page, recognizer, self._limits.max_megapixels)
        if len(words) <= len(layer.words):
            return raw, ""
        return replace(raw, spans=(), words=words, ocr=True), ""

    def _with_parts(
        self,
        page: MuPage,
        raw: RawPage,
        layer: TextLayer,
        known: RecognizedSoFar,
        body_size: float,
        report: StageReport,
    ) -> RawPage:
        """Return a page that has text, with spoilt words mended and its pictures' words added."""
        damage = Damage(raw, layer.lost, known.fonts)
        pictures = pictures_to_read(raw) if len(raw.words) else []
        if not damage and not pictures:
            return raw
        report("starting_ocr", raw.page)
        try:
            recognizer = self._ready()
        except ModelError:  # the page's own text is there without it
            return raw
        reader = CropReader(page, recognizer, known.crops)
        raw = damage.mended(reader, body_size, lambda: report("ocr", raw.page))
        for box in pictures:
            report("ocr", raw.page)
            if not reader.is_late:
                raw = with_more_words(raw, reader.read(box, SURE_IN_PICTURE), body_size)
        return raw

    def read_photo(self, data: bytes, report: StageReport) -> PhotoText:
        """Return the words of a picture file.

        Raises: NotAPicture; UnreadablePdf, if there is no OCR here.
        """
        decode(data)  # what is no picture need not wait for the model
        report("starting_ocr", 0)
        try:
            recognizer = self._ready()
        except ModelError as error:
            raise UnreadablePdf(said("no OCR: {error}", error=error)) from error
        return read_photo(data, recognizer, lambda: report("ocr", 0))

    def _ready(self) -> TextRecognizer:
        if self._recognizer is None:
            if self._load is None:
                raise ModelNotInstalled(said("text recognition is not installed"))
            self._recognizer = self._load()
        return self._recognizer
