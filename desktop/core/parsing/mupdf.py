"""Opening PDFs with PyMuPDF and drawing their pages."""

from __future__ import annotations

import logging
import math
import os
from functools import cache
from typing import Any

from desktop.core.structure.values import BoxTuple, PageImage
from desktop.models.adapters.ocr import modest_sessions
from desktop.sentences import is_sentence, message, said

_log = logging.getLogger(__name__)

MuPdf = Any
"""The module pymupdf, which has no types."""
MuDocument = Any
"""A pymupdf.Document."""
MuPage = Any
"""A pymupdf.Page."""


@cache
def load_mupdf() -> MuPdf:
    """Import PyMuPDF and keep it from writing to the terminal."""
    # Set while importing, else PyMuPDF already talks on standard output then.
    os.environ.setdefault("PYMUPDF_MESSAGE", f"logging:name={__name__},level={logging.DEBUG}")
    os.environ.setdefault("PYMUPDF_LOG", f"logging:name={__name__},level={logging.DEBUG}")
    with modest_sessions():  # importing it loads the layout model
        import pymupdf

    pymupdf.g_exceptions_verbose = 0  # else every exception it handles is written out
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def plain(text: str) -> str:
    """Return text that can be encoded: MuPDF lets lone surrogates of damaged files through."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def reason(error: BaseException) -> str:
    """Return why MuPDF failed, in one short line."""
    if isinstance(error, MemoryError):
        return said("not enough memory")
    if is_sentence(message(error)):
        return message(error)
    lines = plain(str(error)).strip().splitlines()
    line = lines[0] if lines else type(error).__name__
    if line.startswith("code="):  # how MuPDF's own messages begin; it tells nobody anything
        line = line.partition(": ")[2]
    return line[:200]


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
