"""Everything that can be read off a page without understanding it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.core.parsing.mupdf import MuPage, load_mupdf, plain, reason
from desktop.core.parsing.words import UNKNOWN_LETTER, TextLayer, displayed_boxes
from desktop.core.structure.raw import RawPage, RawRegion, RawSpan

if TYPE_CHECKING:
    from desktop.core.structure.values import BoxTuple

_log = logging.getLogger(__name__)

# A wiring diagram may hold hundreds of thousands of strokes; no table needs that many.
_MOST_DRAWINGS = 20_000
_MOST_IMAGES = 2_000


def gather_page(
    number: int, page: MuPage, textpage: Any, layer: TextLayer, *, with_regions: bool
) -> RawPage:
    """Collect spans, drawings, images and layout regions of a page, not yet read by OCR."""
    log = page.get_bboxlog()
    return RawPage(
        page=number,
        width=page.rect.width,
        height=page.rect.height,
        spans=_spans(page, textpage),
        words=layer.words,
        drawings=_boxes(page, log, ("fill-path", "stroke-path"), _MOST_DRAWINGS),
        images=_boxes(page, log, ("fill-image", "fill-imgmask"), _MOST_IMAGES),
        regions=layout_regions(page) if with_regions else (),
        ocr=False,
    )


def layout_regions(page: MuPage) -> tuple[RawRegion, ...]:
    """Ask the layout model, if it is installed, which regions it sees."""
    try:
        page.get_layout()
    except Exception as error:  # a model's failure is not the page's: go on without regions
        _log.warning("layout model failed: %s", reason(error))
        return ()
    found = page.layout_information or []
    if not found:
        return ()
    boxes = _tuples(displayed_boxes(page, np.array([row[:4] for row in found], np.float64)))
    return tuple(RawRegion(str(row[4]), box) for row, box in zip(found, boxes, strict=True))


def _spans(page: MuPage, textpage: Any) -> tuple[RawSpan, ...]:
    mupdf = load_mupdf()
    rows = [
        (span, block["number"], line)
        for block in textpage.extractDICT()["blocks"]
        if block["type"] == 0
        for line, row in enumerate(block["lines"])
        for span in row["spans"]
        if span["text"].replace(UNKNOWN_LETTER, "").strip()
    ]
    if not rows:
        return ()
    boxes = displayed_boxes(page, np.array([span["bbox"] for span, _, _ in rows], np.float64))
    width, height = page.rect.width, page.rect.height
    return tuple(
        RawSpan(
            text=plain(span["text"]),
            box=box,
            size=float(span["size"]),
            bold=bool(span["flags"] & mupdf.TEXT_FONT_BOLD) or _named(span, "bold", "black"),
            italic=bool(span["flags"] & mupdf.TEXT_FONT_ITALIC) or _named(span, "ital", "obliq"),
            block=block,
            line=line,
            font=span["font"],
        )
        for (span, block, line), box in zip(rows, _tuples(boxes), strict=True)
        if box[0] < width and box[2] > 0 and box[1] < height and box[3] > 0
    )


def _named(span: dict[str, Any], *parts: str) -> bool:
    """Whether the font's name says so; many fonts leave their flags unset."""
    font = span["font"].lower()
    return any(part in font for part in parts)


def _boxes(
    page: MuPage, log: list[tuple[Any, ...]], kinds: tuple[str, ...], most: int
) -> tuple[BoxTuple, ...]:
    """Return the visible part of each drawing operation's box."""
    rows = [entry[1] for entry in log if entry[0] in kinds][:most]
    if not rows:
        return ()
    boxes = displayed_boxes(page, np.array(rows, np.float64))
    width, height = page.rect.width, page.rect.height
    boxes = np.clip(np.nan_to_num(boxes), 0, np.array((width, height, width, height), np.float32))
    # Strokes have no width or no height, so only what is a point is left out.
    keep = (boxes[:, 2] > boxes[:, 0]) | (boxes[:, 3] > boxes[:, 1])
    return _tuples(boxes[keep])


def _tuples(boxes: Any) -> tuple[BoxTuple, ...]:
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist())
