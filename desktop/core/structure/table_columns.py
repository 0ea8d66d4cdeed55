"""The columns of a table, by upright lines or by white, and what stands in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.leaders import RUN
from desktop.core.structure.raw import Segment, hull, visual_rows
from desktop.core.structure.table_lines import (
    LEAST_COVER,
    LEAST_FENCE,
    SAME_RULE,
    Fence,
    above_each_other,
    covered_width,
    is_fenced,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import BoxTuple

Extent = tuple[float, float]
"""Left and right end of a column, in points."""

# Lines that part headings as well need less of the cover that others need.
_LEAST_HEADED = 0.4
LEAST_FENCED = 2
"""So many lines of text, or rows, tell where upright lines part their words."""
_FREE = 1.0  # points between a line and words
# Of the lines with words in a column between two upright lines: so many have some on both sides
# of the white that parts it in two.
_MOST_PARTED = 0.75
_LEAST_PARTED = 3
# Heights of a line: words closer together, in one column, are of one cell.
_WORD_GAP = 0.5
SAME_COLUMN = 8.0
"""Points between where the cells of one column begin."""
_ALIGNED, _LEAST_ALIGNED = 4.0, 2  # points; words below or above each other
MOST_OF = 0.4
"""Of the narrower of two, from which on one stands below the other."""
_LEAST_LINES = 4
# Letters wide: in no font is the white between two words wider than one.
_LEAST_WHITE = 1.2
# A line of one piece this wide is a title or a note, which columns need not respect.
_SPANNING = 0.5
_BOTH_SIDES = 0.5


def fenced_columns(
    box: BoxTuple, fences: Sequence[Fence], lines: Sequence[Sequence[Segment]] = ()
) -> tuple[Extent, ...]:
    """Return the columns that lines separate, () if none do.

    They run down most of a table's height. Where some do, those that part its headings may leave
    more gaps, for cells that go over several columns, and so may those that part the words of
    several lines of text.

    lines: of text, cut at the upright lines.
    """
    groups = above_each_other(fences)
    least = LEAST_COVER * (box[3] - box[1])
    drawn = [
        (sum(x for x, _, _ in group) / len(group), _covered_down(group), group) for group in groups
    ]
    if not any(box[0] < x < box[2] for x, covered, _ in drawn if covered >= least):
        return ()
    parting = [
        x
        for x, covered, group in drawn
        if covered >= (_LEAST_HEADED * least if _part_head(group, box) else least)
    ]
    parting += [
        x
        for x, _, group in drawn
        if all(abs(x - other) > LEAST_FENCE for other in parting)
        and sum(_part_words(group, line) for line in lines) >= LEAST_FENCED
        and not any(_run_through(group, segment) for line in lines for segment in line)
    ]
    parting.sort()
    before = [box[0]] if box[0] < parting[0] - SAME_RULE else []
    after = [box[2]] if box[2] > parting[-1] + SAME_RULE else []
    bounds = pairwise((*before, *parting, *after))
    return tuple((left, right) for left, right in bounds if right - left > LEAST_FENCE)


def _part_words(group: Sequence[Fence], line: Sequence[Segment]) -> bool:
    """Whether one of some lines above each other stands between two cells of a line of text.

    It touches neither, as the end of a shaded word does.
    """
    return any(
        left.box[2] + _FREE <= x <= right.box[0] - _FREE
        and top <= min(left.centre[1], right.centre[1])
        and max(left.centre[1], right.centre[1]) <= end
        for left, right in pairwise(line)
        for x, top, end in group
    )


def _run_through(group: Sequence[Fence], segment: Segment) -> bool:
    """Whether one of some lines above each other crosses words, as those of a watermark do."""
    left, _, right, _ = segment.box
    return any(
        left + SAME_RULE < x < right - SAME_RULE and top <= segment.centre[1] <= end
        for x, top, end in group
    )


def _covered_down(group: Sequence[Fence]) -> float:
    """Return how much of the height some lines above each other cover together."""
    return covered_width(np.array([fence[1:] for fence in sorted(group, key=itemgetter(1))]))


def _part_head(group: Sequence[Fence], box: BoxTuple) -> bool:
    """Whether one of some lines above each other begins where the table does."""
    return any(top <= box[1] + SAME_RULE for _, top, _ in group)


def column_gutters(
    box: BoxTuple, lines: Sequence[list[Segment]], columns: Sequence[Extent]
) -> tuple[Fence, ...]:
    """Return the white stripes between columns of words that no line parts, as fences.

    They go down beside the lines of text that have words on both sides of them, the headings on top
    first. lines: from top to bottom. columns: by the lines between them, see `fenced_columns`.
    """
    gutters: list[Fence] = []
    for column in columns:
        inside = [[s for s in line if overlaps(s, column)] for line in lines]
        cells = _apart(inside[0]) if lines else []
        for left, right in pairwise(cells):
            gutters += _gutter(box, inside, (left.box[2], right.box[0]))
    return tuple(gutters)


def _apart(line: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a line that begin a cell: not right behind another."""
    return [*line[:1], *(s for before, s in pairwise(line) if not are_near(before, s))]


def are_near(segment: Segment, other: Segment) -> bool:
    """Whether words beside each other are so close that they are of one cell."""
    height = min(segment.box[3] - segment.box[1], other.box[3] - other.box[1])
    return other.box[0] - segment.box[2] < _WORD_GAP * height


def _gutter(box: BoxTuple, lines: Sequence[Sequence[Segment]], between: Extent) -> list[Fence]:
    """Return the white between two headings where it goes on below them, [] if it does not.

    lines: of one column, some without words.
    """
    left, right = between
    ends = {right, *(s.box[0] for line in lines for s in line if left < s.box[0] < right)}
    crossed = Counter({x - 1: sum(_crosses(line, x - 1) for line in lines) for x in ends})
    x = max(crossed, key=lambda x: (-crossed[x], x))
    parted = [
        any(s.box[2] <= x for s in line) and any(s.box[0] >= x for s in line) for line in lines
    ]
    if sum(parted) < max(_LEAST_PARTED, _MOST_PARTED * sum(map(bool, lines))):
        return []
    fences: list[Fence] = []
    top, bottom = box[1], 0.0
    for line, is_parted in zip(lines, parted, strict=True):
        if line and _crosses(line, x):
            fences += [(x, top, bottom)] if bottom else []
            top, bottom = 0.0, 0.0
        elif is_parted:
            top = top if bottom or top else min(s.box[1] for s in line)
            bottom = max(s.box[3] for s in line)
    return [*fences, (x, top, box[3])] if bottom else fences


def _crosses(line: Sequence[Segment], x: float) -> bool:
    return any(s.box[0] < x < s.box[2] for s in line)


def in_columns(
    segments: Sequence[Segment], words: PageWords, columns: Sequence[Extent] = ()
) -> list[Segment]:
    """Return the segments of a table, cut where the same white space runs through all lines.

    columns: those that upright lines part, at which the segments are cut already; where such a
    line leaves a gap, a title or a cell goes over both of its sides.
    """
    rows = visual_rows(segments)
    titles = [row[0] for row in rows if _spans(row, segments)]
    lines = [row for row in rows if row[0] not in titles]
    if len(lines) < _LEAST_LINES:
        return list(segments)
    gaps = [
        (left + right) / 2
        for left, right in _white(lines, words)
        if not any(left < end < right for _, end in columns)
    ]
    cut: list[Segment] = []
    others = [segment for line in lines for segment in line]
    for segment in segments:
        parts = list(_cut_columns(segment, gaps, words))
        is_title = segment in titles and not all(_is_aligned(part, others) for part in parts)
        cut += [segment] if is_title else parts
    return cut


def _is_aligned(part: Segment, others: Sequence[Segment]) -> bool:
    """Whether words begin or end where several others do, or are centred with them."""
    left, _, right, _ = part.box
    middle = part.centre[0]
    aligned = (
        min(abs(s.box[0] - left), abs(s.box[2] - right), abs(s.centre[0] - middle)) <= _ALIGNED
        for s in others
    )
    return sum(aligned) >= _LEAST_ALIGNED


def cut_at_fences(
    segments: Sequence[Segment], fences: Sequence[Fence], words: PageWords
) -> list[Segment]:
    """Return the segments of a table, cut where an upright line stands between two words."""
    cut: list[Segment] = []
    for segment in segments:
        left, _, right, _ = segment.box
        own = words.boxes[list(segment.words)]
        gaps = sorted(
            x
            for x, top, bottom in fences
            if left + _FREE < x < right - _FREE
            and top <= segment.centre[1] <= bottom
            and not ((own[:, 0] < x - 1) & (own[:, 2] > x + 1)).any()
        )
        cut += _cut_columns(segment, gaps, words)
    return cut


def _spans(line: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    whole = hull(segment.box for segment in segments)
    return len(line) == 1 and line[0].box[2] - line[0].box[0] > _SPANNING * (whole[2] - whole[0])


def _white(lines: Sequence[Sequence[Segment]], words: PageWords) -> Iterator[tuple[float, float]]:
    """Yield both ends of each white stripe that runs through all lines, in points."""
    pieces = [segment for line in lines for segment in line]
    least = _LEAST_WHITE * median((s.box[2] - s.box[0]) / len(s.text) for s in pieces)
    extents = sorted(
        (float(words.boxes[index, 0]), float(words.boxes[index, 2]))
        for segment in pieces
        for index in segment.words
    )
    end = extents[0][1]
    for left, right in extents[1:]:
        if left - end >= least and _has_both_sides((left + end) / 2, lines):
            yield end, left
        end = max(end, right)


def _has_both_sides(x: float, lines: Sequence[Sequence[Segment]]) -> bool:
    both = sum(line[0].box[0] < x < line[-1].box[2] for line in lines)
    return both >= _BOTH_SIDES * len(lines)


def _cut_columns(segment: Segment, gaps: Sequence[float], words: PageWords) -> Iterator[Segment]:
    inside = [gap for gap in gaps if segment.box[0] < gap < segment.box[2]]
    if not inside:
        yield segment
        return
    for left, right in zip((float("-inf"), *inside), (*inside, float("inf")), strict=True):
        part = tuple(i for i in segment.words if left <= float(words.boxes[i, 0]) < right)
        if segment.cells:  # the dots between these are of neither
            part = tuple(i for i in part if not RUN.fullmatch(words.texts[i]))
        if part:
            yield replace(
                segment,
                words=part,
                text=" ".join(words.texts[index] for index in part),
                box=words.hull(part).as_tuple(),
                cells=(),
            )


def first_column_of(
    lines: Sequence[Sequence[Segment]], columns: Sequence[Extent] = ()
) -> tuple[float, float]:
    """Return the left and right end of the first column, seen on the fullest lines.

    columns: by the lines between them; where there are some, it is the first of these.
    """
    if columns:
        return columns[0]
    most = max(len(line) for line in lines)
    firsts = [line[0] for line in lines if len(line) == most]
    return min(s.box[0] for s in firsts), max(s.box[2] for s in firsts)


def reaches(line: Sequence[Segment], column: tuple[float, float]) -> bool:
    """Whether a line has words in a column."""
    return any(s.box[0] < column[1] and s.box[2] > column[0] for s in line)


def overlaps(segment: Segment, column: Extent) -> bool:
    """Whether words reach into a column."""
    left, right = column
    return segment.box[0] < right - SAME_RULE and segment.box[2] > left + SAME_RULE


def is_inside(segment: Segment, column: Extent) -> bool:
    """Whether words stand in one column alone."""
    return column[0] - SAME_RULE <= segment.box[0] and segment.box[2] <= column[1] + SAME_RULE


def homes_of(segment: Segment, columns: Sequence[Extent], fences: Sequence[Fence]) -> list[int]:
    """Return the columns of the cell that a segment is in: those that nothing parts there."""
    homes = [n for n, column in enumerate(columns) if overlaps(segment, column)]
    x = segment.centre[0]
    homes = homes or [n for n, (left, right) in enumerate(columns) if left <= x <= right][:1]
    if homes:
        y = segment.centre[1]
        while homes[0] and not is_fenced(columns[homes[0] - 1][1], y, fences):
            homes.insert(0, homes[0] - 1)
        while homes[-1] < len(columns) - 1 and not is_fenced(columns[homes[-1]][1], y, fences):
            homes.append(homes[-1] + 1)
    return homes


def columns_at(extent: Extent, columns: Sequence[Extent]) -> list[int]:
    """Return the columns that something stands in, the nearest if it is in none."""
    left, right = extent
    shared = [min(right, end) - max(left, start) for start, end in columns]
    there = [
        place
        for place, (start, end) in enumerate(columns)
        if shared[place] > MOST_OF * min(right - left, end - start)
    ]
    return there or [shared.index(max(shared))]


def extent_of(cell: Sequence[Segment]) -> Extent:
    """Return where a cell begins and ends, from left to right."""
    return min(s.box[0] for s in cell), max(s.box[2] for s in cell)


def widen(columns: list[Extent], cell: Extent) -> None:
    """Widen the column that a cell stands in, or begin one; nothing for one over several."""
    left, right = cell
    met = [c for c in columns if left < c[1] and right > c[0]]
    if len(met) > 1:
        return
    if met:
        columns.remove(met[0])
        left, right = min(left, met[0][0]), max(right, met[0][1])
    columns.append((left, right))
