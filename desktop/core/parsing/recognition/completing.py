"""OCR of what a page shows and its text layer does not have: the whole page, or parts of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from desktop.core.parsing.recognition.crops import CropReader, ReadCrops
from desktop.core.parsing.recognition.mending import Damage
from desktop.core.parsing.recognition.pictures import pictures_to_read, with_more_words
from desktop.core.parsing.recognition.recognized_words import SURE_IN_PICTURE
from desktop.core.parsing.recognition.whole_pages import needs_ocr, recognize_page
from desktop.models.errors import ModelError, ModelNotInstalled
from desktop.models.roles import TextRecognizer

if TYPE_CHECKING:
    from desktop.core.parsing.mupdf import MuPage
    from desktop.core.parsing.stages import StageReport
    from desktop.core.parsing.words import TextLayer
    from desktop.core.settings.sections import ParserSettings
    from desktop.core.structure.raw import RawPage

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
