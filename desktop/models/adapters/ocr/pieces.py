"""Cutting images too large for a recogniser where nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

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

    No side is longer than `LONGEST_SIDE`. Each comes with the place of its left upper corner
    in the whole, which is at (left, top).
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
