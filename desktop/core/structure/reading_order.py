"""Reading order of boxes on a page by recursive cuts (XY-cut), horizontal bands first.

Bands first keeps a side heading together with the paragraph to its right, the usual
form of equipment manuals. Source: Nagy and Seth, "Hierarchical representation of
optically scanned documents", 1984.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.parsing.values import BoxTuple

# Boxes may overlap this many points and still be cut apart.
_SLACK = 2.0


def reading_order(boxes: Sequence[BoxTuple]) -> list[int]:
    """Return the indices of `boxes` in the order a person reads them."""
    return _cut(list(range(len(boxes))), boxes, axis=1, failed=False)


def _cut(members: list[int], boxes: Sequence[BoxTuple], *, axis: int, failed: bool) -> list[int]:
    if len(members) <= 1:
        return members
    groups = _separate(members, boxes, axis)
    if len(groups) == 1:
        if failed:
            return sorted(members, key=lambda index: (boxes[index][1], boxes[index][0]))
        return _cut(members, boxes, axis=1 - axis, failed=True)
    return [index for group in groups for index in _cut(group, boxes, axis=1 - axis, failed=False)]


def _separate(members: list[int], boxes: Sequence[BoxTuple], axis: int) -> list[list[int]]:
    """Split members where no box crosses, along x (axis 0) or y (axis 1)."""
    ordered = sorted(members, key=lambda index: boxes[index][axis])
    groups = [[ordered[0]]]
    end = boxes[ordered[0]][axis + 2]
    for index in ordered[1:]:
        if boxes[index][axis] >= end - _SLACK:
            groups.append([index])
        else:
            groups[-1].append(index)
        end = max(end, boxes[index][axis + 2])
    return groups
