"""The order in which a person reads the boxes of a page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.raw import hull
from desktop.core.structure.table_lines import covered_width, edges_across

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.values import BoxTuple

# Boxes may overlap this many points and still be cut apart.
_SLACK = 2.0
# A column of text is this wide, of all columns together; what is narrower labels what is beside it.
_LEAST_COLUMN = 0.3
# The share of its height that has text.
_LEAST_FILLED = 0.4
_LEAST_SHAPE = 3.0  # points
_SPREAD = 1.2
"""So many times wider than high is a page with two printed ones side by side."""
# Rows of a form begin beside each other, the paragraphs of two columns hardly ever do.
_SAME_TOP, _ROWS = 3.0, 0.8
# Points that a heading may begin further on the left than what it heads.
_BEFORE = 12.0
_LEAST_COUNTED = 5  # items of a list
# So many stripes are looked at together; a page of text in columns has hardly half as many.
_MOST_STRIPES = 60


@dataclass(frozen=True, slots=True)
class _Boxes:
    """What is put in order.

    lines: drawn, see `edges_across`. shapes: drawn, larger than a line. headings: which boxes are
    some. numbers: that boxes begin with, as items of a list do.
    """

    boxes: Sequence[BoxTuple]
    lines: NDArray[np.float64]
    shapes: Sequence[BoxTuple]
    headings: frozenset[int]
    numbers: Mapping[int, int]


def reading_order(
    boxes: Sequence[BoxTuple],
    drawings: Sequence[BoxTuple] = (),
    headings: Collection[int] = (),
    numbers: Mapping[int, int] = MappingProxyType({}),
    size: tuple[float, float] = (0.0, 0.0),
) -> list[int]:
    """Return the indices of `boxes` in the order a person reads them.

    The page is cut where no box crosses (Nagy and Seth 1984), across before along: but stripes that
    columns of text run through together are read column by column, however their paragraphs end,
    as far down as nothing is drawn across. headings: they stay with what is below them. numbers:
    that boxes begin with; where they count on in each column, or through all of them, the columns
    are lists. size: of the page, width and height; two printed ones may stand on it.
    """
    shapes = [d for d in drawings if min(d[2] - d[0], d[3] - d[1]) > _LEAST_SHAPE]
    page = _Boxes(boxes, edges_across(drawings), shapes, frozenset(headings), numbers)
    sides = _facing(boxes, *size)
    return [place for side in sides for place in _cut(side, page, axis=1, failed=False)]


def _facing(boxes: Sequence[BoxTuple], width: float, height: float) -> list[list[int]]:
    """Return the places of boxes by the page of a spread that they are on, all if it is none.

    Two pages side by side on one have nothing across their middle.
    """
    middle = width / 2
    crossed = any(x0 < middle < x1 for x0, _, x1, _ in boxes)
    if crossed or width < _SPREAD * height:
        return [list(range(len(boxes)))]
    sides = [
        [n for n, box in enumerate(boxes) if (box[0] < middle) is left] for left in (True, False)
    ]
    return [side for side in sides if side]


def _cut(members: list[int], page: _Boxes, *, axis: int, failed: bool) -> list[int]:
    boxes = page.boxes
    if len(members) <= 1:
        return members
    groups = _separate(members, boxes, axis)
    groups = _with_columns(groups, page) if axis else _text_columns(members, page) or groups
    if len(groups) == 1:
        if failed:
            return sorted(members, key=lambda index: (boxes[index][1], boxes[index][0]))
        return _cut(members, page, axis=1 - axis, failed=True)
    return [index for group in groups for index in _cut(group, page, axis=1 - axis, failed=False)]


def _with_columns(stripes: list[list[int]], page: _Boxes) -> list[list[int]]:
    """Join stripes that follow each other as far as columns of text run through them."""
    joined: list[list[int]] = []
    stripes = _with_lists(_with_headings(stripes, page), page)
    start = 0
    while start < len(stripes):
        end = _furthest(stripes, start, page.boxes)
        lists = (n for n in range(start, end) if _counts_through(stripes[n], page))
        end = max(start + 1, next(lists, end))
        while end - start > 1 and not _run_through(stripes[start:end], page):
            end -= 1
        joined.append([index for stripe in stripes[start:end] for index in stripe])
        start = end
    return joined


def _with_lists(stripes: Sequence[list[int]], page: _Boxes) -> list[list[int]]:
    """Join stripes that a list with numbers runs through in columns."""
    joined: list[list[int]] = []
    start = 0
    while start < len(stripes):
        end, members = start + 1, list[int]()
        for below, stripe in enumerate(stripes[start : start + _MOST_STRIPES], start + 1):
            members += stripe
            listed = not page.numbers.keys().isdisjoint(stripe)
            end = below if listed and _counts_through(members, page) else end
        joined.append([n for stripe in stripes[start:end] for n in stripe])
        start = end
    return joined


def _with_headings(stripes: Sequence[list[int]], page: _Boxes) -> list[list[int]]:
    """Join headings beside each other with what is below, if each heads one column of it."""
    joined: list[list[int]] = []
    heads: list[int] = []
    for stripe in stripes:
        if heads and _head_columns(heads, stripe, page.boxes):
            joined[-1] = [*heads, *stripe]
        else:
            joined.append(stripe)
        heads = stripe if len(stripe) > 1 and page.headings.issuperset(stripe) else []
    return joined


def _head_columns(heads: Sequence[int], below: list[int], boxes: Sequence[BoxTuple]) -> bool:
    """Whether the columns of what is below are as many as the headings, one below each."""
    columns = [hull(boxes[i] for i in column) for column in _separate(below, boxes, axis=0)]
    lefts = sorted(boxes[i][0] for i in heads)
    ends = [x1 for _, _, x1, _ in columns]
    begins = [x0 - _BEFORE for x0, _, _, _ in columns]
    return len(lefts) == len(columns) and all(
        begin <= left < end for begin, left, end in zip(begins, lefts, ends, strict=True)
    )


def _furthest(stripes: Sequence[list[int]], start: int, boxes: Sequence[BoxTuple]) -> int:
    """Return up to where columns may run: not past what fills the width of all stripes below."""
    end = min(len(stripes), start + _MOST_STRIPES)
    left, _, right, _ = hull(boxes[index] for stripe in stripes[start:end] for index in stripe)
    filled: list[BoxTuple] = []
    for place in range(start, end):
        filled += [boxes[index] for index in stripes[place]]
        groups = _separate(list(range(len(filled))), filled, axis=0)
        filled = [hull(filled[index] for index in group) for group in groups]
        if len(filled) == 1 and filled[0][0] <= left and filled[0][2] >= right:
            return max(place, start + 1)
    return end


def _run_through(stripes: Sequence[list[int]], page: _Boxes) -> bool:
    """Whether columns of text run through all stripes, and nothing is drawn across them."""
    if page.headings.issuperset(stripes[-1]):
        return False
    columns = _text_columns([index for stripe in stripes for index in stripe], page)
    beside = [sum(not set(column).isdisjoint(s) for column in columns) > 1 for s in stripes]
    return any(beside) and not any(
        _is_ruled_off(columns, *pair, page) for pair in pairwise(stripes)
    )


def _is_ruled_off(
    columns: Sequence[Sequence[int]], above: Sequence[int], below: Sequence[int], page: _Boxes
) -> bool:
    """Whether a line goes from one column to the next, below some boxes and above others."""
    if page.headings.issuperset(above):
        return False
    bottom = max(page.boxes[index][3] for index in above) - _SLACK
    top = min(page.boxes[index][1] for index in below) + _SLACK
    ends = [hull(page.boxes[index] for index in column) for column in columns]
    gaps = [(left[2], right[0]) for left, right in pairwise(ends)]
    lines = page.lines[(page.lines[:, 2] > bottom) & (page.lines[:, 2] < top)]
    return any(x0 < begin and x1 > end for x0, x1, _ in lines.tolist() for begin, end in gaps)


def _text_columns(members: list[int], page: _Boxes) -> list[list[int]]:
    """Return the columns of text that members stand in, [] if they are read across."""
    boxes = page.boxes
    apart = _separate(members, boxes, axis=0)
    if _counts_through(members, page):
        return apart
    columns = _with_labels(apart, page)
    if len(columns) < 2 or any(_is_sparse([boxes[i] for i in column], page) for column in columns):
        return []
    if any(_is_over_columns(column, page) for column in columns[1:]):
        return []
    if all(_counts_on(column, page) for column in columns):
        return columns
    tops = [[boxes[index][1] for index in column] for column in columns]
    fewest = min(tops, key=len)
    others = sorted(top for each in tops if each is not fewest for top in each)
    near = (
        (bisect_left(others, t - _SAME_TOP), bisect_right(others, t + _SAME_TOP)) for t in fewest
    )
    beside = sum(first < last for first, last in near)
    return columns if len(fewest) > 1 and beside < _ROWS * len(fewest) else []


def _is_over_columns(column: Sequence[int], page: _Boxes) -> bool:
    """Whether a column begins with a heading whose middle is in the gap on the left of it."""
    top, *others = sorted(column, key=lambda index: page.boxes[index][1])
    x0, _, x1, _ = page.boxes[top]
    left = min((page.boxes[index][0] for index in others), default=x0)
    return top in page.headings and (x0 + x1) / 2 < left


def _counts_through(members: list[int], page: _Boxes) -> bool:
    """Whether the numbers of a list go up through each column and on through the next one."""
    if sum(n in page.numbers for n in members) < _LEAST_COUNTED:
        return False
    columns = _separate(members, page.boxes, axis=0)
    listed = [_listed(column, page) for column in columns]
    numbers = [number for column in listed for number in column]
    goes_up = all(before < after for before, after in pairwise(numbers))
    several = len(columns) > 1 and all(len(column) > 1 for column in listed)
    return several and goes_up and not any(_goes_on(column, page) for column in columns)


def _goes_on(column: list[int], page: _Boxes) -> bool:
    """Whether the list of a column begins above it, or goes on below it, in the same column."""
    items = sorted((n for n in column if n in page.numbers), key=lambda n: page.boxes[n][1])
    (left, top, _, _), (_, _, _, bottom) = page.boxes[items[0]], page.boxes[items[-1]]
    first, last = page.numbers[items[0]], page.numbers[items[-1]]
    others = (
        (page.boxes[n], number)
        for n, number in page.numbers.items()
        if n not in column and abs(page.boxes[n][0] - left) <= _SAME_TOP
    )
    return any(
        (number == first - 1 and box[1] < top) or (number == last + 1 and box[1] > bottom)
        for box, number in others
    )


def _counts_on(column: Sequence[int], page: _Boxes) -> bool:
    """Whether a column is a list whose numbers count on from 1."""
    numbers = _listed(column, page)
    return len(numbers) >= _LEAST_COUNTED and numbers == list(range(1, len(numbers) + 1))


def _listed(column: Sequence[int], page: _Boxes) -> list[int]:
    """Return the numbers that a column begins its boxes with, downwards; [] if most have none."""
    items = sorted((page.boxes[n][1], page.numbers[n]) for n in column if n in page.numbers)
    return [number for _, number in items] if 2 * len(items) > len(column) else []


def _is_sparse(column: Sequence[BoxTuple], page: _Boxes) -> bool:
    """Whether most of a column is empty: side headings stand beside the text they belong to."""
    left, top, right, bottom = hull(column)
    filled = sum(box[3] - box[1] for box in column)
    if filled >= _LEAST_FILLED * (bottom - top):
        return False
    # a drawing of many strokes is no picture of the page, but fills its column
    drawn = [
        d for d in page.shapes if left <= d[0] < d[2] <= right and top <= d[1] < d[3] <= bottom
    ]
    if not drawn:
        return True
    extents = np.array([(y0, y1) for _, y0, _, y1 in (*column, *drawn)])
    return covered_width(extents) < _LEAST_FILLED * (bottom - top)


def _with_labels(columns: list[list[int]], page: _Boxes) -> list[list[int]]:
    """Join narrow columns, such as the numbers of steps, with the nearest one.

    Columns that all begin with a heading, at one height, stay as they are.
    """
    if _begin_alike(columns, page):
        return columns
    while len(columns) > 1:
        ends = [hull(page.boxes[index] for index in column) for column in columns]
        wide = [right - left for left, _, right, _ in ends]
        place = wide.index(min(wide))
        if wide[place] >= _LEAST_COLUMN * (ends[-1][2] - ends[0][0]):
            break
        gaps = [after[0] - before[2] for before, after in pairwise(ends)]
        first = min((n for n in (place - 1, place) if 0 <= n < len(gaps)), key=gaps.__getitem__)
        columns[first : first + 2] = [columns[first] + columns[first + 1]]
    return columns


def _begin_alike(columns: Sequence[Sequence[int]], page: _Boxes) -> bool:
    """Whether each column begins with a heading, all at one height."""
    tops = [min(column, key=lambda index: page.boxes[index][1]) for column in columns]
    heights = [page.boxes[index][1] for index in tops]
    return page.headings.issuperset(tops) and max(heights) - min(heights) <= _SAME_TOP


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
