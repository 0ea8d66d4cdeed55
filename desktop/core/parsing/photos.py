"""Photos and pasted pictures: decoded under limits, turned upright, read by OCR.

The bytes may come from anybody, so this runs in the parser process like a PDF's pages.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.core.errors import NotAPicture
from desktop.core.structure.values import PageImage, PhotoLine, PhotoText
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from desktop.models.roles import RecognizedLine, TextRecognizer

    Pixels = NDArray[np.uint8]

MOST_BYTES: Final = 64 * 2**20
MOST_MEGAPIXELS: Final = 120.0
"""Of the file; a JPEG of that size is decoded at a fraction of it."""
LONGEST_SIDE: Final = 2_000
"""Pixels of the picture that is read: what the recogniser takes in one piece."""
FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF")
_MODEST_SIDE: Final = 1_280
_SURE: Final = 0.85
"""Mean confidence, weighted by letters, above which a picture is read once."""
_LEAST_CONFIDENCE: Final = 0.5
_TALL: Final = 1.5
_CUT: Final = 1.0
"""Percent of the darkest and lightest pixels that a stretched contrast gives up."""


def decode(data: bytes) -> Pixels:
    """Return a picture as its camera held it upright, RGB, shape (height, width, 3).

    No side is longer than LONGEST_SIDE.

    Raises: NotAPicture.
    """
    from PIL import Image, ImageOps

    if len(data) > MOST_BYTES:
        raise NotAPicture(said("it is too large"))
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            if opened.width * opened.height > MOST_MEGAPIXELS * 1e6:
                raise NotAPicture(said("it has too many pixels"))
            opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(opened)
            upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            if upright.mode in ("RGBA", "LA", "PA", "P"):
                white = Image.new("RGBA", upright.size, "white")
                upright = Image.alpha_composite(white, upright.convert("RGBA"))
            return np.array(upright.convert("RGB"), np.uint8)
    except NotAPicture:
        raise
    except Exception as error:  # Pillow raises many kinds for what is damaged
        raise NotAPicture(said("it cannot be read: {name}", name=type(error).__name__)) from error


def read_photo(
    data: bytes, recognizer: TextRecognizer, before_each: Callable[[], None] = lambda: None
) -> PhotoText:
    """Read the words of a picture, which may lie on its side or stand on its head.

    before_each: called before each reading, of which there are five at most.

    Raises: NotAPicture.
    """
    pixels = decode(data)

    def read(picture: Pixels) -> list[RecognizedLine]:
        before_each()
        return recognizer.recognize(np.ascontiguousarray(picture))

    lines = read(pixels)
    if _share(lines, _is_tall) > 0.5:
        turned = (np.rot90(pixels, times) for times in (1, 3))
        pixels, lines = max(
            ((picture, read(picture)) for picture in turned), key=lambda got: _quality(got[1])
        )
    if _share(lines, lambda line: line.on_head) > 0.5:
        pixels = np.rot90(pixels, 2)
        lines = read(pixels)
    if _mean_confidence(lines) < _SURE:
        clearer = read(_stretched(pixels))
        lines = max(lines, clearer, key=_quality)
    found = tuple(
        PhotoLine(line.text.strip(), line.box, line.confidence)
        for line in lines
        if line.confidence >= _LEAST_CONFIDENCE and any(map(str.isalnum, line.text))
    )
    return _shown(pixels, found)


def _shown(pixels: Pixels, lines: tuple[PhotoLine, ...]) -> PhotoText:
    """Return what was read with a picture of modest size, to show and to ask about."""
    from PIL import Image

    whole = Image.fromarray(np.ascontiguousarray(pixels))
    share = min(1.0, _MODEST_SIDE / max(whole.size))
    small = whole.resize((max(1, round(whole.width * share)), max(1, round(whole.height * share))))
    image = PageImage(small.width, small.height, small.tobytes())
    scaled = tuple(replace(line, box=_times(line.box, share)) for line in lines)
    return PhotoText(scaled, image)


def _stretched(pixels: Pixels) -> Pixels:
    """Return the picture in grey with its contrast evened out, place by place."""
    from PIL import Image, ImageFilter, ImageOps

    grey = Image.fromarray(np.ascontiguousarray(pixels)).convert("L")
    around = grey.filter(ImageFilter.GaussianBlur(max(8, max(grey.size) // 20)))
    flat = np.asarray(grey, np.int16) - np.asarray(around, np.int16)
    even = Image.fromarray(np.clip(flat + 128, 0, 255).astype(np.uint8))
    stretched = ImageOps.autocontrast(even.filter(ImageFilter.MedianFilter(3)), cutoff=_CUT)
    return np.asarray(stretched.convert("RGB"), np.uint8)


def _is_tall(line: RecognizedLine) -> bool:
    x0, y0, x1, y1 = line.box
    return len(line.text) > 1 and y1 - y0 > _TALL * (x1 - x0)


def _share(lines: Sequence[RecognizedLine], is_so: Callable[[RecognizedLine], bool]) -> float:
    letters = sum(len(line.text) for line in lines)
    return sum(len(line.text) for line in lines if is_so(line)) / letters if letters else 0.0


def _mean_confidence(lines: Sequence[RecognizedLine]) -> float:
    letters = sum(len(line.text) for line in lines)
    return sum(len(line.text) * line.confidence for line in lines) / letters if letters else 0.0


def _quality(lines: Sequence[RecognizedLine]) -> float:
    """Return how much was read and how surely; guesses count for little."""
    return sum(len(line.text) * line.confidence**4 for line in lines if not _is_tall(line))


def _times(
    box: tuple[float, float, float, float], share: float
) -> tuple[float, float, float, float]:
    return box[0] * share, box[1] * share, box[2] * share, box[3] * share
