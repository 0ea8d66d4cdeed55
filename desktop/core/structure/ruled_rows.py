"""Rows of a table as the lines drawn between them tell.

A cell that goes on over several lines of text belongs to one row; in a ruled table the rules say
which. Frames of cells and shaded rows have edges there as well.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.parsing.values import BoxTuple
    from desktop.core.structure.segments import Segment

_SAME_RULE = 2.0  # points
_OVERHANG = 12.0
# Rules of single cells lie side by side; together they go over this share of the table.
_LEAST_COVER = 0.6
_LEAST_ROWS = 3
# A line with such a share of the columns may begin a row; most rows have one. Several of them
# between two rules are rows of their own, whatever share is looked at: the rules part groups.
_FULL = (0.5, 0.75)
_MOST_STARTS = 1.34


def row_rules(box: BoxTuple, drawings: Sequence[BoxTuple]) -> tuple[float, ...]:
    """Return the heights of the horizontal rules through a table, from top to bottom."""
    if not drawings:
        return ()
    x0, y0, x1, y1 = box
    edges = _edges(np.array(drawings, np.float64))
    lefts, rights = np.maximum(edges[:, 0], x0), np.minimum(edges[:, 1], x1)
    inside = (edges[:, 2] > y0 - _OVERHANG) & (edges[:, 2] < y1 + _OVERHANG) & (rights > lefts)
    edges = np.column_stack([lefts, rights, edges[:, 2]])[inside]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    apart = np.flatnonzero(np.diff(edges[:, 2]) > _SAME_RULE) + 1
    groups = np.split(edges, apart) if len(edges) else []
    least = _LEAST_COVER * (x1 - x0)
    return tuple(float(group[:, 2].mean()) for group in groups if _covered(group) >= least)


def between_rules(
    lines: Sequence[list[Segment]], rules: Sequence[float]
) -> list[list[list[Segment]]] | None:
    """Return the lines of text of each row, None if the rules do not part rows.

    lines: from top to bottom.
    """
    heights = np.array([np.mean([s.centre[1] for s in line]) for line in lines])
    places = np.searchsorted(np.array(rules), heights)
    starts = np.flatnonzero(np.diff(places)) + 1
    rows = [list(lines[i:j]) for i, j in pairwise([0, *starts.tolist(), len(lines)])]
    if len(rows) < _LEAST_ROWS or not any(_begin_once(rows, share) for share in _FULL):
        return None
    return rows


def _begin_once(rows: Sequence[Sequence[list[Segment]]], share: float) -> bool:
    """Whether most rows have one line with such a share of the columns, and few have several."""
    most = max(len(line) for row in rows for line in row)
    starts = [sum(len(line) >= share * most for line in row) for row in rows]
    known = [each for each in starts if each]
    return 2 * len(known) >= len(rows) and float(np.mean(known)) <= _MOST_STARTS


def _edges(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return left, right and height of the upper and lower edge of each drawing."""
    upper, lower = boxes[:, [0, 2, 1]], boxes[:, [0, 2, 3]]
    return np.concatenate([upper, lower])


def _covered(group: NDArray[np.float64]) -> float:
    """Return how much of the width some edges cover together."""
    ordered = group[np.argsort(group[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(0.0, ordered[1:, 0] - ends[:-1])
    return float(ends[-1] - ordered[0, 0] - gaps.sum())
