"""Text recognition by Apple's Vision framework, through `ocrmac`; macOS only.

Its models belong to the system: nothing is installed or downloaded for them.
"""

from __future__ import annotations

import importlib
import logging
import math
import platform
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.models.errors import ModelNotInstalled
from desktop.models.roles import RecognizedLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

LATIN_LANGUAGES: Final = ("en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-BR")
"""What every macOS since 11 reads; told none, Vision takes everything for English."""


class VisionFrameworkRecognizer:
    """Satisfies `TextRecognizer`; one thread at a time may use it."""

    def __init__(self, languages: Sequence[str] = LATIN_LANGUAGES) -> None:
        """Prepare without loading.

        Args:
            languages: hints, the likeliest first, such as "de-DE". If this system does not
                know one of them, it is asked without hints.
        """
        self._languages = list(languages)
        self._reader: Any = None

    def load(self) -> None:
        """Import what calls the framework.

        Raises: ModelNotInstalled, if this is no Mac or ocrmac is not installed.
        """
        if self._reader is not None:
            return
        if platform.system() != "Darwin":
            raise ModelNotInstalled("Apple's text recognition is there on a Mac only")
        try:
            ocrmac = importlib.import_module("ocrmac.ocrmac")
        except ImportError as error:
            raise ModelNotInstalled("Apple's text recognition needs: pip install ocrmac") from error
        self._reader = ocrmac.OCR

    def recognize(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        """Read an RGB image, uint8, shape (height, width, 3).

        Returns: lines from top to bottom, boxes in pixels of the image with a top-left
            origin; an empty list if there is no text.
        Raises: ModelNotInstalled.
        """
        self.load()
        height, width = image.shape[:2]
        if not height or not width:
            return []
        from PIL import Image

        picture = Image.fromarray(np.ascontiguousarray(image))
        return lines_of(self._read(picture), width, height)

    def _read(self, picture: Any) -> list[Any]:
        if self._languages:
            try:
                return self._ask(picture, self._languages)
            except ValueError as error:  # an older system knows fewer languages
                logger.warning("text recognition does without its language hints: %s", error)
                self._languages = []
        return self._ask(picture, None)

    def _ask(self, picture: Any, languages: list[str] | None) -> list[Any]:
        reader = self._reader(
            picture,
            framework="vision",
            recognition_level="accurate",
            language_preference=languages,
            confidence_threshold=0.0,  # whoever reads the lines decides what is too unsure
        )
        return list(reader.recognize())


def lines_of(
    found: Iterable[tuple[str, float, Sequence[float]]], width: int, height: int
) -> list[RecognizedLine]:
    """Turn what Vision found into lines from top to bottom.

    Args:
        found: text, confidence 0 to 1, and box (x, y, width, height) in shares of the
            image, measured from its bottom-left corner.
        width: of the image, in pixels.
        height: of the image, in pixels.

    Returns: lines with pixel boxes from the top-left corner, inside the image; what has no
        text or no extent is left out.
    """
    lines = []
    for text, confidence, box in found:
        upright = _from_top_left(box, width, height)
        if text.strip() and upright is not None:
            sure = min(1.0, max(0.0, float(confidence)))
            lines.append(RecognizedLine(text, upright, sure))
    return sorted(lines, key=lambda line: (line.box[1], line.box[0]))


def _from_top_left(
    box: Sequence[float], width: int, height: int
) -> tuple[float, float, float, float] | None:
    x, y, across, up = (float(share) for share in box)
    if not all(math.isfinite(share) for share in (x, y, across, up)):
        return None
    x0, x1 = (min(1.0, max(0.0, share)) * width for share in (x, x + across))
    y0, y1 = (min(1.0, max(0.0, share)) * height for share in (1 - y - up, 1 - y))
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None
