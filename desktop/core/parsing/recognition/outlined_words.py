"""Words that are drawn letter by letter as shapes, as drawing programs export them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop.core.parsing.values import BoxTuple
    from desktop.core.structure.raw import RawPage

# A letter, or a whole word in one shape, in points.
_HEIGHTS, _WIDTHS = (2.5, 25.0), (0.8, 150.0)
_LEAST_LETTERS = 12
# Symbols of a drawing whose words are text: more than one word for so many shapes.
_SHAPES_A_WORD = 10
# Letters have many widths and several heights and stand side by side; cells of a table, hatching
# and pins of a part are all alike, and icons are drawn one shape over the other.
_LEAST_WIDTHS, _LEAST_HEIGHTS = 6, 5
_MOST_FILLED = 1.2
# Letters stand in the same or in neighbouring cells of this size (points), lines as well.
_CELL = 12.0
_MARGIN = 3.0


def outlined_words(raw: RawPage) -> list[BoxTuple]:
    """Return boxes around shapes that may be letters and have no words of text among them."""
    shapes = _letters(np.array(raw.drawings, np.float32).reshape(-1, 4))
    if len(shapes) < _LEAST_LETTERS:
        return []
    words = _centres(raw.words.boxes)
    found = []
    for members in _clusters(shapes):
        x0, y0 = shapes[members, :2].min(axis=0) - _MARGIN
        x1, y1 = shapes[members, 2:].max(axis=0) + _MARGIN
        inside = ((words >= (x0, y0)) & (words <= (x1, y1))).all(axis=1).sum()
        least = max(_LEAST_LETTERS, _SHAPES_A_WORD * int(inside))
        if len(members) >= least and _look_like_letters(shapes[members]):
            found.append((float(x0), float(y0), float(x1), float(y1)))
    return found


def _look_like_letters(shapes: NDArray[np.float32]) -> bool:
    sizes = np.round(shapes[:, 2:] - shapes[:, :2], 1)
    x, y = shapes[:, 2:].max(axis=0) - shapes[:, :2].min(axis=0)
    return bool(
        len(np.unique(sizes[:, 0])) >= _LEAST_WIDTHS
        and len(np.unique(sizes[:, 1])) >= _LEAST_HEIGHTS
        and sizes.prod(axis=1).sum() <= _MOST_FILLED * x * y
    )


def _letters(shapes: NDArray[np.float32]) -> NDArray[np.float32]:
    widths, heights = shapes[:, 2] - shapes[:, 0], shapes[:, 3] - shapes[:, 1]
    tall = (heights >= _HEIGHTS[0]) & (heights <= _HEIGHTS[1])
    wide = (widths >= _WIDTHS[0]) & (widths <= _WIDTHS[1])
    # Filled and outlined, or with a shadow, a letter counts once.
    return np.unique(np.round(shapes[tall & wide] * 2) / 2, axis=0).astype(np.float32)


def _clusters(shapes: NDArray[np.float32]) -> list[list[int]]:
    """Group shapes whose cells touch, also at a corner."""
    cells: dict[tuple[int, int], list[int]] = {}
    for index, (x, y) in enumerate((_centres(shapes) // _CELL).astype(int).tolist()):
        cells.setdefault((x, y), []).append(index)
    groups = []
    while cells:
        start, members = cells.popitem()
        group, border = members, [start]
        while border:
            x, y = border.pop()
            near = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            for cell in near:
                if cell in cells:
                    group = group + cells.pop(cell)
                    border.append(cell)
        groups.append(group)
    return groups


def _centres(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    centres: NDArray[np.float32] = (boxes[:, :2] + boxes[:, 2:]) / np.float32(2)
    return centres
