"""Drawing pages into RGB pixels, never more of them than the limit."""

from __future__ import annotations

import math

from desktop.core.parsing.mupdf import MuPage, load_mupdf
from desktop.core.parsing.values import BoxTuple, PageImage

# MuPDF and most image libraries fail beyond 16-bit sides.
_LONGEST_SIDE = 32_000


def draw_page(
    page: MuPage, scale: float, clip: BoxTuple | None, max_megapixels: float
) -> PageImage:
    """Draw a page (or what lies inside `clip`) on white, with annotations and form fields.

    scale: pixels per point, lowered if the image would have more than `max_megapixels`.

    Returns: 0 x 0 pixels if `clip` does not meet the page.
    """
    mupdf = load_mupdf()
    area = mupdf.Rect(page.rect)
    if clip is not None:
        area &= mupdf.Rect(clip)
    if area.is_empty or not scale > 0:
        return PageImage(0, 0, b"")
    scale = clamped_scale(area.width, area.height, scale, max_megapixels)
    pixmap = page.get_pixmap(
        matrix=mupdf.Matrix(scale, scale),
        clip=area,
        colorspace=mupdf.csRGB,
        alpha=False,
        annots=True,
    )
    return PageImage(pixmap.width, pixmap.height, pixmap.samples)


def clamped_scale(width: float, height: float, scale: float, max_megapixels: float) -> float:
    """Return the largest scale up to `scale` at which a width x height image is allowed."""
    pixels = width * height * scale * scale
    if pixels > max_megapixels * 1e6:
        # A hair less, because edges are rounded outwards to whole pixels.
        scale *= math.sqrt(max_megapixels * 1e6 / pixels) * 0.999
    return min(scale, _LONGEST_SIDE / max(width, height))
