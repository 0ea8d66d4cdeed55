"""Text that no layout region holds, put together: paragraphs, and rows written one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.structure.segments import visual_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.segments import Segment

_SAME_COLUMN = 3.0  # points


def loose_groups(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments without a region: lines of one block, or close lines below each other."""
    groups: list[list[Segment]] = []
    for segment in segments:
        if groups and _belongs(groups[-1][-1], segment):
            groups[-1].append(segment)
        else:
            groups.append([segment])
    return _with_rows_together(groups)


def _with_rows_together(groups: Sequence[list[Segment]]) -> list[list[Segment]]:
    """Put rows of one table together that the PDF wrote as a text block each."""
    joined: list[list[Segment]] = []
    for group in groups:
        if joined and _is_next_row(joined[-1], group):
            joined[-1] = joined[-1] + group
        else:
            joined.append(group)
    return joined


def _is_next_row(above: Sequence[Segment], row: Sequence[Segment]) -> bool:
    """Whether a line of cells stands close below another one, in the same columns."""
    last = visual_rows(above)[-1]
    if len(row) < 2 or len(last) != len(row) or len(visual_rows(row)) > 1:
        return False
    height = max(segment.box[3] - segment.box[1] for segment in last)
    gap = min(s.box[1] for s in row) - max(s.box[3] for s in last)
    cells = sorted(row, key=lambda segment: segment.box[0])
    return -height < gap < height and all(
        abs(one.box[0] - other.box[0]) < _SAME_COLUMN
        for one, other in zip(last, cells, strict=True)
    )


def _belongs(previous: Segment, segment: Segment) -> bool:
    if previous.block != segment.block:
        return False
    if segment.block >= 0:
        return True
    height = max(previous.box[3] - previous.box[1], 1.0)
    gap = segment.box[1] - previous.box[3]
    beside = abs(segment.centre[1] - previous.centre[1]) < 0.5 * height
    overlap = min(previous.box[2], segment.box[2]) - max(previous.box[0], segment.box[0])
    same_size = 0.7 < segment.size / max(previous.size, 1.0) < 1.4
    return beside or (same_size and gap < 0.75 * height and overlap > 0)
