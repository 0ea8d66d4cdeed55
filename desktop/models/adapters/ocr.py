"""Reading words off pictures: PP-OCR through RapidOCR, and on macOS Apple's Vision framework.

RapidOCR takes whole pages, tall ones in pieces. The models of Vision, reached through `ocrmac`,
belong to the system: nothing is installed or downloaded for them.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import math
import os
import platform
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.models.errors import ModelNotInstalled
from desktop.models.roles import RecognizedLine
from desktop.models.text_model import verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

_MOST_THREADS = 4


@contextmanager
def modest_sessions() -> Iterator[None]:
    """Give sessions that are made inside the block few threads, which sleep when idle.

    All cores but one, at most four. By default onnxruntime takes every core, and its
    threads spin while they wait: beside other work PyMuPDF's small layout model then
    needs three times as long. Without onnxruntime nothing happens.
    """
    try:
        import onnxruntime
    except ImportError:
        yield
        return
    count = max(1, min(_MOST_THREADS, (os.cpu_count() or 2) - 1))
    original = onnxruntime.SessionOptions

    class ModestOptions(original):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            self.intra_op_num_threads = count
            self.add_session_config_entry("session.intra_op.allow_spinning", "0")

    onnxruntime.SessionOptions = ModestOptions
    try:
        yield
    finally:
        onnxruntime.SessionOptions = original


LONGEST_SIDE = 2_000
"""Pixels. RapidOCR makes larger images smaller, and with them the print of large drawings."""

# A cut may lie in this part of the side, and should be about as wide as a line of white.
_FROM, _TO = 0.35, 0.65
_WHITE_PIXELS = 9
# How much a cut at the end of that part must be quieter than one in the middle.
_AWAY = 0.05


def pieces(
    image: NDArray[np.uint8], left: int = 0, top: int = 0
) -> Iterator[tuple[int, int, NDArray[np.uint8]]]:
    """Yield parts of an RGB image, shape (height, width, 3), that cover it without overlap.

    No side is longer than `LONGEST_SIDE`. Each comes with the place of its top-left
    corner in the whole, which is at (left, top).
    """
    height, width = image.shape[:2]
    if max(height, width) <= LONGEST_SIDE:
        yield left, top, image
        return
    axis = 0 if height >= width else 1
    at = _quietest(image, axis)
    first, second = np.split(image, [at], axis=axis)
    yield from pieces(first, left, top)
    yield from pieces(second, left + (at if axis else 0), top + (0 if axis else at))


def _quietest(image: NDArray[np.uint8], axis: int) -> int:
    """Return where along `axis` the grey changes least across the image."""
    length = image.shape[axis]
    start, stop = int(_FROM * length), int(_TO * length)
    part = np.take(image[..., 1], np.arange(start, stop), axis=axis).astype(np.int16)
    changes = np.abs(np.diff(part, axis=1 - axis)).sum(axis=1 - axis, dtype=np.float64)
    ripple = np.convolve(changes, np.full(_WHITE_PIXELS, 1 / _WHITE_PIXELS), "same")
    away = np.abs(np.linspace(-1, 1, len(ripple)))
    return start + int((ripple + _AWAY * ripple.mean() * away).argmin())


logger = logging.getLogger(__name__)

_DETECTION = "PP-OCRv6_det_small.onnx"
_DIRECTION = "ch_ppocr_mobile_v2.0_cls_mobile.onnx"
_RECOGNITION = "PP-OCRv6_rec_small.onnx"
PUBLISHED_SHA256 = MappingProxyType(
    {
        _DETECTION: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
        _DIRECTION: "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
        _RECOGNITION: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    }
)

# Detection enlarges an image until its shorter side has this many pixels: a strip of one
# line would be blown up thirteen times, take longer than a page and not be recognised.
_LEAST_SIDE = 736
# The library's own judge of lines that stand on their head turns one in fifty that is upright.
# Here lines are read again the other way round if most of an image is doubtful, and those that
# run upwards or downwards.
_SURE = 0.8
_MOST_TURNED = 80
_BETTER = 0.1
_TALL = 1.5  # times as high as wide: what the library takes for a line that runs upwards


def models_folder() -> Path:
    """Return the folder of the models in the installed wheel. Raises: ModelNotInstalled."""
    spec = importlib.util.find_spec("rapidocr")
    if spec is None or not spec.submodule_search_locations:
        raise ModelNotInstalled("text recognition is not installed: pip install rapidocr")
    return Path(spec.submodule_search_locations[0]) / "models"


class RapidOcrRecognizer:
    """Satisfies `TextRecognizer`. Loads on first use; one thread at a time may use it."""

    def __init__(self) -> None:
        # half of the cores, so that the window and a question keep theirs
        self._threads = max(1, min(4, (os.cpu_count() or 2) // 2))
        self._engine: Any = None

    def recognize(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        """Read an image, as `TextRecognizer.recognize`. Raises: ModelNotInstalled, ModelDamaged."""
        self.load()
        lines = [
            replace(line, box=_moved(line.box, left, top))
            for left, top, piece in pieces(image)
            for line in self._turned(piece, self._lines(piece))
        ]
        return sorted(lines, key=lambda line: (line.box[1], line.box[0]))

    def _lines(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        # It expects blue first.
        output = self._engine(
            with_margin(image)[:, :, ::-1], use_det=True, use_cls=False, use_rec=True
        )
        if output.boxes is None or output.txts is None or output.scores is None:
            return []
        return [
            RecognizedLine(text, _upright(corners, image.shape), float(score))
            for corners, text, score in zip(output.boxes, output.txts, output.scores, strict=True)
        ]

    def _turned(
        self, image: NDArray[np.uint8], lines: list[RecognizedLine]
    ) -> list[RecognizedLine]:
        """Return the lines, doubtful ones read the other way round if that reads better."""
        doubtful = [line for line in lines if line.confidence < _SURE]
        on_head = 2 * _letters(doubtful) > _letters(lines)
        left = _MOST_TURNED
        found = []
        for line in lines:
            if left and (_is_tall(line) or (on_head and line.confidence < _SURE)):
                left -= 1
                line = self._better(image, line)
            if line.text.strip():
                found.append(line)
        return found

    def _better(self, image: NDArray[np.uint8], line: RecognizedLine) -> RecognizedLine:
        x0, y0, x1, y1 = (round(side) for side in line.box)
        crop = np.rot90(image[y0:y1, x0:x1], -1 if _is_tall(line) else 2)
        if not crop.size:
            return line
        output = self._engine(
            np.ascontiguousarray(crop[:, :, ::-1]), use_det=False, use_cls=False, use_rec=True
        )
        if not output.txts or float(output.scores[0]) < line.confidence + _BETTER:
            return line
        return RecognizedLine(
            output.txts[0], line.box, float(output.scores[0]), on_head=not _is_tall(line)
        )

    def load(self) -> None:
        """Verify and load the models, once. Raises: ModelNotInstalled, ModelDamaged."""
        if self._engine is not None:
            return
        folder = models_folder()
        verify(folder, PUBLISHED_SHA256)
        from rapidocr import RapidOCR

        self._engine = RapidOCR(
            params={
                "Global.log_level": "error",
                "Global.text_score": 0.0,  # whoever reads the lines decides what is too unsure
                "EngineConfig.onnxruntime.intra_op_num_threads": self._threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                "Det.model_path": str(folder / _DETECTION),
                "Cls.model_path": str(folder / _DIRECTION),
                "Rec.model_path": str(folder / _RECOGNITION),
            }
        )
        logger.debug("text recognition loaded, %d threads", self._threads)


def with_margin(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the image with white below or beside it, so that it is not enlarged for nothing."""
    height, width = image.shape[:2]
    least = min(_LEAST_SIDE, max(height, width))
    below, beside = max(0, least - height), max(0, least - width)
    if not below and not beside:
        return image
    return np.pad(image, ((0, below), (0, beside), (0, 0)), constant_values=255)


def _moved(
    box: tuple[float, float, float, float], left: int, top: int
) -> tuple[float, float, float, float]:
    return box[0] + left, box[1] + top, box[2] + left, box[3] + top


def _letters(lines: Sequence[RecognizedLine]) -> int:
    return sum(len(line.text) for line in lines)


def _is_tall(line: RecognizedLine) -> bool:
    x0, y0, x1, y1 = line.box
    return y1 - y0 > _TALL * (x1 - x0)


def _upright(
    corners: NDArray[np.float32], shape: tuple[int, ...]
) -> tuple[float, float, float, float]:
    """Return the upright box around four corners, inside an image of this shape."""
    x0, y0 = np.maximum(corners.min(axis=0), 0)
    x1, y1 = np.minimum(corners.max(axis=0), (shape[1], shape[0]))
    return float(x0), float(y0), float(max(x0, x1)), float(max(y0, y1))


LATIN_LANGUAGES: Final = ("en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-BR")
"""What every macOS since 11 reads; told none, Vision takes everything for English."""


class VisionFrameworkRecognizer:
    """Satisfies `TextRecognizer`; one thread at a time may use it.

    A system that does not know one of the languages is asked without hints.
    """

    def __init__(self) -> None:
        self._languages: list[str] | None = list(LATIN_LANGUAGES)
        self._reader: Any = None

    def load(self) -> None:
        """Import what calls the framework. Raises: ModelNotInstalled."""
        if self._reader is not None:
            return
        if platform.system() != "Darwin":
            raise ModelNotInstalled("Apple's text recognition is available only on a Mac")
        try:
            ocrmac = importlib.import_module("ocrmac.ocrmac")
        except ImportError as error:
            raise ModelNotInstalled("Apple's text recognition needs: pip install ocrmac") from error
        self._reader = ocrmac.OCR

    def recognize(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        """Read an image, as `TextRecognizer.recognize`. Raises: ModelNotInstalled."""
        self.load()
        height, width = image.shape[:2]
        if not height or not width:
            return []
        from PIL import Image

        picture = Image.fromarray(np.ascontiguousarray(image))
        return lines_of(self._read(picture), width, height)

    def _read(self, picture: Any) -> list[Any]:
        try:
            return self._ask(picture)
        except ValueError as error:  # an older system knows fewer languages
            if self._languages is None:
                raise
            logger.warning("text recognition does without its language hints: %s", error)
            self._languages = None
            return self._ask(picture)

    def _ask(self, picture: Any) -> list[Any]:
        reader = self._reader(
            picture,
            framework="vision",
            recognition_level="accurate",
            language_preference=self._languages,
            confidence_threshold=0.0,  # whoever reads the lines decides what is too unsure
        )
        return list(reader.recognize())


def lines_of(
    found: Iterable[tuple[str, float, Sequence[float]]], width: int, height: int
) -> list[RecognizedLine]:
    """Turn what Vision found into lines from top to bottom.

    found: text, confidence 0 to 1, and box (x, y, width, height) as fractions of the image,
    measured from its bottom-left corner. width, height: of the image, in pixels.

    Returns: lines with pixel boxes from the top-left corner, inside the image; whatever has no text
        or no extent is left out.
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
