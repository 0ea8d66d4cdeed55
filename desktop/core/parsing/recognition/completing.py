"""What a page's text layer lacks, read by OCR: whole scans, pictures, garbled words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.parsing.mupdf import draw_page
from desktop.core.parsing.recognition.mending import Damage
from desktop.core.parsing.recognition.pictures import pictures_to_read, with_more_words
from desktop.core.parsing.recognition.recognized_words import (
    PIXELS_PER_POINT,
    SURE_IN_PICTURE,
    CropReader,
    ReadCrops,
    words_of_lines,
)
from desktop.models.errors import ModelError, ModelNotInstalled
from desktop.models.roles import TextRecognizer

if TYPE_CHECKING:
    from desktop.core.parsing.messages import StageReport
    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.words import TextLayer
    from desktop.core.settings.sections import ParserSettings
    from desktop.core.structure.raw import RawPage

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

    def __init__(self, settings: ParserSettings, load_recognizer: RecognizerFactory | None) -> None:
        self._settings = settings
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
        """Return the page as OCR reads it where that tells more, and why OCR was not there.

        known: of the page's document. body_size: of its text in points, 0 if unknown.
        """
        if not self._settings.ocr:
            return raw, ""
        if not needs_ocr(raw, layer):
            return self._with_parts(page, raw, layer, known, body_size, report), ""
        report("starting_ocr", raw.page)
        try:
            recognizer = self._ready()
        except ModelError as error:
            return raw, "" if len(layer.words) else f"a page without text, and no OCR: {error}"
        report("ocr", raw.page)
        words = recognize_page(page, recognizer, self._settings.max_megapixels)
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
        """Return a page that has text with its spoilt words mended and those of its pictures."""
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

    def _ready(self) -> TextRecognizer:
        if self._recognizer is None:
            if self._load is None:
                raise ModelNotInstalled("text recognition is not installed")
            self._recognizer = self._load()
        return self._recognizer
