"""How well highlighted boxes meet the gold regions of a page.

Areas are in square points; boxes are rastered to half points, so overlapping boxes
count once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.geometry import Box, bounding_box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_CELLS_PER_POINT = 2
_LEAST_COVER = 0.5
_MOST_AREA = 4.0


def region_hit(
    highlighted: Sequence[Box], gold: Sequence[Box], most_area: float = _MOST_AREA
) -> bool:
    """Whether the highlight covers half of a gold box and is at most four times its area.

    most_area: another limit than four times.
    """
    area = _area(highlighted)
    return any(
        _overlap(highlighted, box) >= _LEAST_COVER * box.area and area <= most_area * box.area
        for box in gold
        if box.area > 0
    )


def region_iou(highlighted: Sequence[Box], gold: Sequence[Box]) -> float:
    """Return the best intersection over union of the highlight with one gold box."""
    area = _area(highlighted)
    best = 0.0
    for box in gold:
        both = _overlap(highlighted, box)
        union = area + box.area - both
        best = max(best, both / union if union else 0.0)
    return best


def _area(boxes: Sequence[Box]) -> float:
    return _raster(boxes, bounding_box(boxes)).sum() / _CELLS_PER_POINT**2 if boxes else 0.0


def _overlap(boxes: Sequence[Box], box: Box) -> float:
    inside = [b.intersection(box) for b in boxes]
    inside = [b for b in inside if b.width > 0 and b.height > 0]
    return _raster(inside, box).sum() / _CELLS_PER_POINT**2 if inside else 0.0


def _raster(boxes: Sequence[Box], frame: Box) -> NDArray[np.bool_]:
    scale = _CELLS_PER_POINT
    shape = (int(np.ceil(frame.height * scale)) + 1, int(np.ceil(frame.width * scale)) + 1)
    cells = np.zeros(shape, bool)
    for box in boxes:
        rows = slice(round((box.y0 - frame.y0) * scale), round((box.y1 - frame.y0) * scale))
        columns = slice(round((box.x0 - frame.x0) * scale), round((box.x1 - frame.x0) * scale))
        cells[rows, columns] = True
    return cells
