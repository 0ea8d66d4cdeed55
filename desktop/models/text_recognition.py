"""Which text recogniser (OCR) this machine has, and opening it."""

from __future__ import annotations

import importlib.util
import logging
import platform
from typing import TYPE_CHECKING, Literal

from desktop.models.errors import ModelNotInstalled

if TYPE_CHECKING:
    from desktop.models.roles import TextRecognizer

logger = logging.getLogger(__name__)

Reader = Literal["vision", "rapidocr"]


def preferred_reader() -> Reader:
    """Return what reads scanned pages here: Apple's Vision on a Mac, else RapidOCR.

    Looks for packages and imports none.
    """
    vision = platform.system() == "Darwin" and importlib.util.find_spec("ocrmac") is not None
    return "vision" if vision else "rapidocr"


def load_text_recognizer() -> TextRecognizer:
    """Load the recogniser of this machine.

    If Vision is there and cannot be called, RapidOCR reads.

    Raises: ModelNotInstalled, ModelDamaged.
    """
    if preferred_reader() == "vision":
        from desktop.models.adapters.ocr.vision_framework_recognizer import (
            VisionFrameworkRecognizer,
        )

        vision = VisionFrameworkRecognizer()
        try:
            vision.load()
        except ModelNotInstalled as error:
            logger.warning("scanned pages are read by RapidOCR: %s", error)
        else:
            return vision
    from desktop.models.adapters.ocr.rapidocr_recognizer import RapidOcrRecognizer

    recognizer = RapidOcrRecognizer()
    recognizer.load()
    return recognizer
