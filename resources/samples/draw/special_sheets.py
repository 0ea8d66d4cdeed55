"""Sheets that are stored unlike they look: turned, with a shifted crop box, or scanned."""

from __future__ import annotations

import numpy as np
import pymupdf

from .theme import PAGE_HEIGHT, PAGE_WIDTH

SCAN_DPI = 150
SCAN_TILT_DEGREES = 0.55
CROP_OFFSET = (24.0, 31.0)
TRIM_MARGIN = 12.0

ScannedWord = tuple[float, float, float, float, str]


def _wrap_contents(page: pymupdf.Page, matrix: str, before: str = "") -> None:
    """Put the page's drawing under a transformation, after `before` in the page's own space."""
    page.clean_contents()
    document = page.parent
    xref = page.get_contents()[0]
    drawing: bytes = document.xref_stream(xref)
    opening = f"{before}\nq {matrix} cm\n".encode()
    document.update_stream(xref, opening + drawing + b"\nQ")


def store_turned(page: pymupdf.Page) -> None:
    """Store a landscape drawing on a portrait sheet that viewers turn by 90 degrees."""
    _wrap_contents(page, f"0 1 -1 0 {PAGE_WIDTH:g} 0")
    page.set_mediabox(pymupdf.Rect(0, 0, PAGE_WIDTH, PAGE_HEIGHT))
    page.set_rotation(90)


def store_with_crop_box(page: pymupdf.Page) -> None:
    """Store the sheet on larger paper with trim marks, seen through an offset crop box."""
    dx, dy = CROP_OFFSET
    right, top = dx + PAGE_WIDTH, dy + PAGE_HEIGHT
    width, height = right + dx + TRIM_MARGIN, top + dy
    marks = " ".join(
        f"{x:g} {y0:g} m {x:g} {y1:g} l S"
        for x in (dx, right)
        for y0, y1 in ((4, dy - 8), (top + 8, height - 4))
    )
    _wrap_contents(page, f"1 0 0 1 {dx:g} {dy:g}", before=f"0.4 w {marks}")
    page.set_mediabox(pymupdf.Rect(0, 0, width, height))
    page.set_cropbox(pymupdf.Rect(dx, height - top, right, height - dy))


def _tilt(page: pymupdf.Page) -> pymupdf.Matrix:
    middle = pymupdf.Point(page.rect.width / 2, page.rect.height / 2)
    centred = pymupdf.Matrix(1, 0, 0, 1, -middle.x, -middle.y)
    turned = centred * pymupdf.Matrix(SCAN_TILT_DEGREES)
    return turned * pymupdf.Matrix(1, 0, 0, 1, middle.x, middle.y)


def _scanned_pixels(page: pymupdf.Page, tilt: pymupdf.Matrix) -> pymupdf.Pixmap:
    """Draw the page as a flatbed scanner would see it: tilted, grey, uneven and noisy."""
    scale = SCAN_DPI / 72
    sharp = page.get_pixmap(
        matrix=tilt * pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False
    )
    drawn = np.frombuffer(sharp.samples, np.uint8).reshape(sharp.height, sharp.stride)
    width, height = round(page.rect.width * scale), round(page.rect.height * scale)
    left, top = max(0, -sharp.x), max(0, -sharp.y)
    sheet = drawn[top : top + height, left : left + width].astype(np.float32)
    shade = np.linspace(0.0, 9.0, sheet.shape[1], dtype=np.float32)[None, :]
    noise = np.random.default_rng(200).normal(0.0, 4.5, sheet.shape).astype(np.float32)
    grey = np.clip(sheet * 0.86 + 26.0 - shade + noise, 0, 250).astype(np.uint8)
    return pymupdf.Pixmap(
        pymupdf.csGRAY, grey.shape[1], grey.shape[0], np.ascontiguousarray(grey).tobytes(), False
    )


def store_scanned(page: pymupdf.Page) -> list[ScannedWord]:
    """Replace the page by a scan of itself and return where its words are on the picture."""
    tilt = _tilt(page)
    words: list[ScannedWord] = []
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        box = pymupdf.Rect(x0, y0, x1, y1) * tilt
        words.append((box.x0, box.y0, box.x1, box.y1, text))
    picture = _scanned_pixels(page, tilt).tobytes("jpeg", jpg_quality=46)
    document = page.parent
    page.clean_contents()
    document.update_stream(page.get_contents()[0], b" ")
    document.xref_set_key(page.xref, "Resources", "<<>>")
    page.insert_image(page.rect, stream=picture)
    return words
