"""In which order the parts of a page are read, columns included."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from desktop.core.structure.segments import hull, visual_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.structure.segments import Segment
    from desktop.core.structure.values import BoxTuple

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


_LEAST_LINES = 4
# Letters wide: in no font is the white between two words wider than one.
_LEAST_WHITE = 1.2
# A line of one piece this wide is a title or a note, which columns need not respect.
_SPANNING = 0.5
_BOTH_SIDES = 0.5


def in_columns(segments: Sequence[Segment], words: PageWords) -> list[Segment]:
    """Return the segments of a table, cut where the same white runs through all its lines."""
    lines = [line for line in visual_rows(segments) if not _spans(line, segments)]
    if len(lines) < _LEAST_LINES:
        return list(segments)
    gaps = list(_white(lines, words))
    return [part for segment in segments for part in _cut_columns(segment, gaps, words)]


def _spans(line: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    whole = hull(segment.box for segment in segments)
    return len(line) == 1 and line[0].box[2] - line[0].box[0] > _SPANNING * (whole[2] - whole[0])


def _white(lines: Sequence[Sequence[Segment]], words: PageWords) -> Iterator[float]:
    """Yield the middle of each white stripe that runs through all lines, in points."""
    pieces = [segment for line in lines for segment in line]
    least = _LEAST_WHITE * median((s.box[2] - s.box[0]) / len(s.text) for s in pieces)
    extents = sorted(
        (float(words.boxes[index, 0]), float(words.boxes[index, 2]))
        for segment in pieces
        for index in segment.words
    )
    end = extents[0][1]
    for left, right in extents[1:]:
        if left - end >= least and _is_inside((left + end) / 2, lines):
            yield (left + end) / 2
        end = max(end, right)


def _is_inside(x: float, lines: Sequence[Sequence[Segment]]) -> bool:
    both = sum(line[0].box[0] < x < line[-1].box[2] for line in lines)
    return both >= _BOTH_SIDES * len(lines)


def _cut_columns(segment: Segment, gaps: Sequence[float], words: PageWords) -> Iterator[Segment]:
    inside = [gap for gap in gaps if segment.box[0] < gap < segment.box[2]]
    if not inside:
        yield segment
        return
    for left, right in zip((float("-inf"), *inside), (*inside, float("inf")), strict=True):
        part = tuple(i for i in segment.words if left <= float(words.boxes[i, 0]) < right)
        if part:
            yield replace(
                segment,
                words=part,
                text=" ".join(words.texts[index] for index in part),
                box=words.hull(part).as_tuple(),
            )
