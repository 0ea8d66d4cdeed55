"""The lines drawn through a table: rules across it and upright fences between its columns."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.values import BoxTuple

SAME_RULE = 2.0
"""Points: lines closer together are one."""
_OVERHANG = 12.0
LEAST_COVER = 0.6
"""Rules of single cells lie side by side; together they go over this share of the table."""
_LEAST_WHOLE, _LEAST_PARTLY = 2, 2  # rules
LEAST_FENCE = 5.0
"""Points; the ends of a stroke under a word are shorter."""

_MOST_AREAS = 500
"""Of more, which are drawn within others is not looked for."""
_LINES_OF_CELL, _PADDING = 5, 12.0
"""So many lines have cells of which each line is shaded by itself, and so many points beside it."""

Fence = tuple[float, float, float]
"""A line between two columns: x, and from where to where it goes down, in points."""


def row_rules(box: BoxTuple, drawings: Sequence[BoxTuple]) -> tuple[float, ...]:
    """Return the heights of the horizontal rules through a table, from top to bottom."""
    if not drawings:
        return ()
    x0, y0, x1, y1 = box
    edges = edges_across(drawings)
    lefts, rights = np.maximum(edges[:, 0], x0), np.minimum(edges[:, 1], x1)
    inside = (edges[:, 2] > y0 - _OVERHANG) & (edges[:, 2] < y1 + _OVERHANG) & (rights > lefts)
    edges = np.column_stack([lefts, rights, edges[:, 2]])[inside]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    apart = np.flatnonzero(np.diff(edges[:, 2]) > SAME_RULE) + 1
    groups = np.split(edges, apart) if len(edges) else []
    least = LEAST_COVER * (x1 - x0)
    return tuple(float(group[:, 2].mean()) for group in groups if covered_width(group) >= least)


def without_shaded_lines(box: BoxTuple, drawings: Sequence[BoxTuple]) -> list[BoxTuple]:
    """Return what is drawn in a table, without the areas that shade a line of a shaded cell."""
    x0, y0, x1, y1 = box
    boxes = np.array(drawings, np.float64).reshape(-1, 4)
    inside = (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
    sizes = boxes[:, 2:] - boxes[:, :2]
    areas = np.flatnonzero(inside & (sizes.min(axis=1, initial=np.inf) > SAME_RULE))
    if len(areas) > _MOST_AREAS:
        return list(drawings)
    left, top, right, bottom = boxes[areas].T
    within = (left[:, None] > left + SAME_RULE) & (right[:, None] < right - SAME_RULE)
    within &= (top[:, None] > top - SAME_RULE) & (bottom[:, None] < bottom + SAME_RULE)
    within &= (bottom - top)[:, None] * _LINES_OF_CELL > bottom - top
    within &= (right - left)[:, None] + _PADDING > right - left
    shades = set(areas[within.any(axis=1)].tolist())
    return [each for n, each in enumerate(drawings) if n not in shades]


def column_fences(box: BoxTuple, drawings: Sequence[BoxTuple]) -> tuple[Fence, ...]:
    """Return the upright lines of a table, those of cells below each other one by one.

    They may be as far out as the lines across the table reach: its outer columns may
    have no words.
    """
    if not drawings:
        return ()
    x0, y0, x1, y1 = box
    drawn = np.array(drawings, np.float64)
    across = edges_across(drawn)
    across = across[(across[:, 2] > y0 - _OVERHANG) & (across[:, 2] < y1 + _OVERHANG)]
    across = across[(across[:, 0] < x1) & (across[:, 1] > x0)]
    left = min(x0, float(across[:, 0].min(initial=x0))) - SAME_RULE
    right = max(x1, float(across[:, 1].max(initial=x1))) + SAME_RULE
    upright = edges_across(drawn[:, [1, 0, 3, 2]])  # top, bottom, x
    tops, bottoms = np.maximum(upright[:, 0], y0), np.minimum(upright[:, 1], y1)
    kept = (upright[:, 2] > left) & (upright[:, 2] < right) & (bottoms - tops > LEAST_FENCE)
    found = np.unique(np.column_stack([upright[:, 2], tops, bottoms])[kept].round(1), axis=0)
    return tuple((float(x), float(top), float(bottom)) for x, top, bottom in found)


def fences_of_rules(box: BoxTuple, drawings: Sequence[BoxTuple]) -> tuple[Fence, ...]:
    """Return the edges of columns where rules begin that part the rows of some columns alone.

    "Symptom | Cause | Remedy" needs no upright lines if rules below a cause leave out the symptom.
    """
    x0, y0, x1, y1 = box
    rules = [
        (left, right)
        for left, top, right, bottom in drawings
        if bottom - top <= SAME_RULE and y0 < top < y1 and right > x1 - _OVERHANG
    ]
    begun = sorted(
        {round(left, 1) for left, right in rules if x0 + _OVERHANG < left < x1 - _OVERHANG}
    )
    whole = sum(left <= x0 + _OVERHANG for left, _ in rules)
    if not begun or whole < _LEAST_WHOLE or len(rules) - whole < _LEAST_PARTLY:
        return ()
    return tuple((left - 1.0, y0, y1) for left in begun)


def is_fenced(x: float, y: float, fences: Sequence[Fence]) -> bool:
    """Whether an upright line is there; those of two cells do not quite meet."""
    near = (fence for fence in fences if abs(fence[0] - x) <= SAME_RULE)
    return any(top - SAME_RULE <= y <= end + SAME_RULE for _, top, end in near)


def above_each_other(fences: Sequence[Fence]) -> list[list[Fence]]:
    """Return the lines at one place across a table, from left to right."""
    groups: list[list[Fence]] = []
    for fence in sorted(fences):
        if groups and fence[0] - groups[-1][-1][0] <= SAME_RULE:
            groups[-1].append(fence)
        else:
            groups.append([fence])
    return groups


def rules_beside(fences: Sequence[Fence]) -> tuple[float, ...]:
    """Return where each upright line of a table ends and the next begins: one for each row."""
    joints = sorted(
        above[2]
        for column in above_each_other(fences)
        for above, below in pairwise(sorted(column, key=itemgetter(1, 2)))
        if abs(above[2] - below[1]) <= SAME_RULE
    )
    ends = [y for before, y in pairwise((0.0, *joints)) if y - before > SAME_RULE]
    return tuple(
        y
        for y in ends
        if not any(top < y - SAME_RULE and y + SAME_RULE < bottom for _, top, bottom in fences)
    )


def edges_across(drawings: Sequence[BoxTuple] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return left, right and height of the upper and lower edge of each drawing, shape (2n, 3)."""
    boxes = np.array(drawings, np.float64).reshape(-1, 4)
    upper, lower = boxes[:, [0, 2, 1]], boxes[:, [0, 2, 3]]
    return np.concatenate([upper, lower])


def covered_width(group: NDArray[np.float64]) -> float:
    """Return how much of the width some edges cover together."""
    ordered = group[np.argsort(group[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(0.0, ordered[1:, 0] - ends[:-1])
    return float(ends[-1] - ordered[0, 0] - gaps.sum())
