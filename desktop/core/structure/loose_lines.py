"""Text that no layout region holds, put together: paragraphs, and rows written one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.structure.segments import visual_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.segments import Segment

_SAME_COLUMN = 3.0  # points
# "6.9 Boot modes", "CHAPTER 4: THE BOARD"
_NUMBERED = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?!(?:[GMk]Hz|Ohm|VDC|VAC)\b)[^\W\d_a-z][\w/-]{2,}"
    r"|(?:CHAPTER|Chapter|KAPITEL|Kapitel)\s+\d)"
)
_LONGEST_HEADING = 12  # words
_COLUMNS = 3
_LEAST_PROSE = 5  # words


def is_numbered_heading(text: str) -> bool:
    """Whether a line reads like a heading; on a scan its font does not tell."""
    if len(text.split()) > _LONGEST_HEADING or text.endswith((".", ":", ";", ",")):
        return False
    return bool(_NUMBERED.match(text))


def loose_groups(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments without a region: lines of one block, or close lines below each other."""
    groups: list[list[Segment]] = []
    for segment in segments:
        # Lines of two columns take turns where OCR read them.
        near = groups[-1:] if segment.block >= 0 else groups[: -_COLUMNS - 1 : -1]
        group = next((group for group in near if _belongs(group[-1], segment)), None)
        if group is None:
            groups.append([segment])
        else:
            group.append(segment)
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
    if is_numbered_heading(segment.text) or is_numbered_heading(previous.text):
        return False
    height = max(previous.box[3] - previous.box[1], 1.0)
    gap = segment.box[1] - previous.box[3]
    beside = abs(segment.centre[1] - previous.centre[1]) < 0.5 * height
    beside = beside and not (_is_prose(previous) and _is_prose(segment))
    overlap = min(previous.box[2], segment.box[2]) - max(previous.box[0], segment.box[0])
    same_size = 0.7 < segment.size / max(previous.size, 1.0) < 1.4
    return beside or (same_size and gap < 0.75 * height and overlap > 0)


def _is_prose(segment: Segment) -> bool:
    """Whether a piece is a line of text rather than a cell."""
    return len(segment.text.split()) >= _LEAST_PROSE
