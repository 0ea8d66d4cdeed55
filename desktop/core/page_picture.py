"""A drawn page with regions highlighted, and its PNG file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.core.geometry import Box
    from desktop.core.parsing.values import PageImage

FILL = np.array([255, 214, 10], np.float32)
EDGE = np.array([214, 138, 0], np.uint8)
OPACITY = 0.45
MARGIN_POINTS = 2.0


def highlight(image: PageImage, page_width: float, boxes: Iterable[Box]) -> NDArray[np.uint8]:
    """Return the page with a translucent, framed box over each region.

    page_width: displayed width of the page in points; boxes are in the same points,
        top-left origin. Parts of a box outside the page are cut off.

    Returns: RGB, uint8, shape (height, width, 3).
    """
    flat = np.frombuffer(image.rgb, np.uint8)
    pixels = flat.reshape(image.height, image.width, 3).copy()
    marked = np.zeros(pixels.shape[:2], bool)
    # from the image, not from the scale asked for: a large page is drawn smaller
    scale = image.width / page_width if page_width > 0 else 1.0
    areas = [_pixel_area(box.inflated(MARGIN_POINTS), scale, image) for box in boxes]
    for rows, columns in areas:
        marked[rows, columns] = True
    # Multiplied like a marker pen, so that black stays black; once for all boxes, so that
    # the page stays readable where two overlap.
    tint = 1 - OPACITY * (1 - FILL / 255)
    pixels[marked] = np.rint(pixels[marked] * tint).astype(np.uint8)
    inner = marked.copy()
    inner[1:-1, 1:-1] &= marked[:-2, 1:-1] & marked[2:, 1:-1] & marked[1:-1, :-2] & marked[1:-1, 2:]
    pixels[marked & ~inner] = EDGE
    return pixels


def write_png(path: Path, pixels: NDArray[np.uint8]) -> None:
    """Write RGB pixels, shape (height, width, 3), as a PNG file."""
    from PIL import Image

    Image.fromarray(pixels).save(path, "PNG")


def _pixel_area(box: Box, scale: float, image: PageImage) -> tuple[slice, slice]:
    def clamp(value: float, limit: int) -> int:
        return int(min(max(round(value * scale), 0), limit))

    return (
        slice(clamp(box.y0, image.height), clamp(box.y1, image.height)),
        slice(clamp(box.x0, image.width), clamp(box.x1, image.width)),
    )
