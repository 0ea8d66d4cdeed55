"""Which lines of a page go together: by region, as names with values, or below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.geometry import Box
from desktop.core.structure.headings import is_numbered_heading
from desktop.core.structure.raw import RawRegion, Segment, gap_between, hull, visual_rows
from desktop.core.structure.ruled_rows import LEAST_ROWS
from desktop.core.structure.signs import BULLETS, starts_item
from desktop.core.structure.text_parts import SAME_LEFT, is_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

_COLUMNS = 3
_NEXT_LINE = 0.35  # heights of a line
_NAMED = 0.6
"""Of some lines of text: so many have a value beside them."""
_TO_ITEM = 3.0  # sizes of a bullet to its text
_ANY_DIRECTION = frozenset({"table", "picture"})


def by_region(
    segments: Sequence[Segment], regions: Sequence[RawRegion]
) -> tuple[list[list[Segment]], list[Segment]]:
    """Give each segment to the smallest region that holds its centre, bullets to their text."""
    groups: list[list[Segment]] = [[] for _ in regions]
    rest = []
    for segment in segments:
        holders = [
            (Box(*region.box).area, index)
            for index, region in enumerate(regions)
            if segment.stands_in(region.box, margin=2)
        ]
        if holders:
            groups[min(holders)[1]].append(segment)
        else:
            rest.append(segment)
    for region, group in zip(regions, groups, strict=True):
        if region.kind not in _ANY_DIRECTION:
            rest += _take_across(group)
    for bullet in [s for s in rest if s.text in BULLETS]:
        texts = ((_behind(bullet, group), group) for group in groups)
        near, group = min(texts, key=lambda pair: pair[0], default=(float("inf"), []))
        if near < _TO_ITEM * bullet.size:
            group.append(bullet)
            rest.remove(bullet)
    return groups, rest


def _behind(bullet: Segment, group: Sequence[Segment]) -> float:
    """Return how far the nearest text is that stands right of a bullet, on its height."""
    level = (s.box[0] - bullet.box[2] for s in group if s.box[1] < bullet.centre[1] < s.box[3])
    return min((gap for gap in level if gap > -1), default=float("inf"))


def _take_across(group: list[Segment]) -> list[Segment]:
    """Remove and return the segments that run across most others: a number in the margin."""
    turned = sum(segment.turned for segment in group)
    across = [s for s in group if s.turned == (2 * turned <= len(group))] if turned else []
    if len(across) < len(group):
        group[:] = [segment for segment in group if segment not in across]
        return across
    return []


def with_values_beside(
    regions: Sequence[tuple[RawRegion, list[Segment]]],
) -> list[tuple[RawRegion, list[Segment]]]:
    """Join a column of names and the values beside it, which were seen as texts of their own."""
    ordered = sorted(regions, key=lambda pair: pair[0].box[0])
    taken: set[int] = set()
    joined: list[tuple[RawRegion, list[Segment]]] = []
    named: list[tuple[RawRegion, list[Segment]]] = []
    for index, (region, group) in enumerate(ordered):
        if index in taken:
            continue
        beside = {
            other: values
            for other, (seen, values) in enumerate(ordered)
            if other > index and other not in taken and _are_values_of(region, group, seen, values)
        }
        values = [segment for segments in beside.values() for segment in segments]
        if values and _name(group, values):
            taken.update(beside)
            group = [*group, *values]
            region = RawRegion("text", hull((region.box, *(ordered[at][0].box for at in beside))))
            named.append((region, group))
        else:
            joined.append((region, group))
    return joined + _one_below_the_other(named)


def _one_below_the_other(
    regions: Sequence[tuple[RawRegion, list[Segment]]],
) -> list[tuple[RawRegion, list[Segment]]]:
    """Join names and values with those right below that begin at the same place."""
    joined: list[tuple[RawRegion, list[Segment]]] = []
    for region, group in sorted(regions, key=lambda pair: pair[0].box[1]):
        above, before = joined[-1] if joined else (region, [])
        height = max(s.box[3] - s.box[1] for s in group)
        beside = abs(above.box[0] - region.box[0]) <= SAME_LEFT
        if before and beside and abs(region.box[1] - above.box[3]) < height:
            joined[-1] = RawRegion("text", hull((above.box, region.box))), before + group
        else:
            joined.append((region, group))
    return joined


def _are_values_of(
    region: RawRegion, names: Sequence[Segment], beside: RawRegion, values: Sequence[Segment]
) -> bool:
    """Whether each line of one text is level with a line of another, and on its right."""
    if region.kind != "text" or beside.kind not in ("text", "list-item"):
        return False
    if not (names and values):
        return False
    if beside.box[1] > region.box[3] or beside.box[3] < region.box[1]:
        return False
    left, right = visual_rows(names), visual_rows(values)
    level = [[name for name in left if _on_one_line(line[0], name[0])] for line in right]
    ends = [name[-1].box[2] for names in level for name in names]
    return all(level) and beside.box[0] >= max(ends)


def _name(names: Sequence[Segment], values: Sequence[Segment]) -> bool:
    """Whether text names what stands beside it: no prose, or each of several lines a value."""
    left, right = visual_rows(names), visual_rows(values)
    if not any(is_prose(line[0]) for line in left):
        return True
    several = len(right) >= max(LEAST_ROWS, _NAMED * len(left))
    return several and not any(is_prose(line[0]) for line in right)


def _on_one_line(one: Segment, other: Segment) -> bool:
    height = min(one.box[3] - one.box[1], other.box[3] - other.box[1])
    return one.block == other.block and abs(one.centre[1] - other.centre[1]) < 0.3 * height


def loose_groups(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments without a region: lines of one block, or close lines below each other.

    A PDF may have each line of a paragraph in a block of its own.
    """
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


def _goes_on(line: Segment, below: Segment) -> bool:
    """Whether a line is right below a line of text that is set alike."""
    height = line.box[3] - line.box[1]
    alike = (line.size, line.bold) == (below.size, below.bold) and not starts_item(below.text)
    near = -height < below.box[1] - line.box[3] < _NEXT_LINE * height
    return alike and near and abs(line.box[0] - below.box[0]) <= SAME_LEFT and is_prose(line)


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
    cells = sorted(row, key=lambda segment: segment.box[0])
    return -height < gap_between(last, row) < height and all(
        abs(one.box[0] - other.box[0]) < SAME_LEFT for one, other in zip(last, cells, strict=True)
    )


def _belongs(previous: Segment, segment: Segment) -> bool:
    if previous.block != segment.block:
        return segment.block >= 0 and _goes_on(previous, segment)
    if segment.block >= 0:
        return True
    if is_numbered_heading(segment.text) or is_numbered_heading(previous.text):
        return False
    height = max(previous.box[3] - previous.box[1], 1.0)
    gap = segment.box[1] - previous.box[3]
    beside = abs(segment.centre[1] - previous.centre[1]) < 0.5 * height
    beside = beside and not (is_prose(previous) and is_prose(segment))
    overlap = min(previous.box[2], segment.box[2]) - max(previous.box[0], segment.box[0])
    same_size = 0.7 < segment.size / max(previous.size, 1.0) < 1.4
    return beside or (same_size and gap < 0.75 * height and overlap > 0)
