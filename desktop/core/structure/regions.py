"""Regions that the layout model saw, mended by how the lines of text in them stand."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from desktop.core.structure.raw import RawRegion, Segment, hull, visual_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.values import BoxTuple

_PROSE = frozenset({"text", "list-item", "footnote"})
_LEVEL, _BEFORE = 3.0, 4.0  # points: of one line; left of what stands below a heading
_LEAST_LINES, _LEAST_NAMES = 6, 3
_MOST_WORDS = 4
"""In a line of the first column, which names the rows of a table."""
_BESIDE = 0.5
"""Of the lines of names: so many have words of other columns on their height."""
_MOST_APART = 6.0  # heights of a line between two rows of a table
_LEAST_HEADED = 2
"""Headings in each of two columns."""
_MUCH = 0.25
"""Of a text's width: so much an image in the midst of it fills."""
_GUTTER, _INDENT = 8.0, 12.0  # points


def mended_regions(
    regions: Sequence[RawRegion], segments: Sequence[Segment], images: Sequence[BoxTuple] = ()
) -> list[RawRegion]:
    """Return the regions of a page with tables that no lines part, and no text over two columns.

    Nor any around an image: what was seen as a text there is several.
    """
    regions = [
        region
        for region in regions
        if region.kind != "text" or not any(_is_in_midst(box, region.box) for box in images)
    ]
    regions = _apart_at_headings(_apart_at_gutter(_not_seen_twice(regions), segments))
    return _with_headed_tables(regions, segments)


def _with_headed_tables(
    regions: Sequence[RawRegion], segments: Sequence[Segment]
) -> list[RawRegion]:
    """Return regions with a table below each line of headings that names are in line with.

    "Problem, Cause, Correction": what stands below them was seen as texts and lists of its own.
    """
    found = list(regions)
    for heads in _lines_of_headings(regions):
        rows = _rows_below(heads, segments)
        if not _are_named(heads, rows):
            continue
        box = hull([*(head.box for head in heads), *(s.box for row in rows for s in row)])
        inside = [each for each in found if _is_within(each.box, box)]
        if all(each.kind in _PROSE or each in heads for each in inside):
            found = [each for each in found if each not in inside]
            found.append(RawRegion("table", box))
    return found


def _lines_of_headings(regions: Sequence[RawRegion]) -> list[list[RawRegion]]:
    """Return headings that stand beside each other, each line from left to right."""
    lines: list[list[RawRegion]] = []
    heads = (region for region in regions if region.kind == "section-header")
    for head in sorted(heads, key=lambda region: (_middle(region.box), region.box[0])):
        if lines and abs(_middle(lines[-1][0].box) - _middle(head.box)) <= _LEVEL:
            lines[-1].append(head)
        else:
            lines.append([head])
    return [sorted(line, key=lambda each: each.box[0]) for line in lines if len(line) > 1]


def _rows_below(heads: Sequence[RawRegion], segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the lines of text below headings, as far down as all stand in their columns."""
    bottom = max(head.box[3] for head in heads)
    below = [s for s in segments if s.box[1] >= bottom - _LEVEL and not s.turned]
    rows: list[list[Segment]] = []
    for row in visual_rows(below):
        height = max(s.box[3] - s.box[1] for s in row)
        last = max(s.box[3] for s in rows[-1]) if rows else bottom
        if any(_column(s, heads) is None for s in row) or row[0].box[1] - last > (
            _MOST_APART * height
        ):
            break
        rows.append(row)
    return rows


def _column(segment: Segment, heads: Sequence[RawRegion]) -> int | None:
    """Return which heading's column a segment stands in, None if it is in none or in two."""
    lefts = [head.box[0] - _BEFORE for head in heads]
    place = sum(segment.box[0] >= left for left in lefts) - 1
    is_over = place + 1 < len(lefts) and segment.box[2] > lefts[place + 1]
    return None if place < 0 or is_over else place


def _are_named(heads: Sequence[RawRegion], rows: Sequence[Sequence[Segment]]) -> bool:
    """Whether the lines of the first column are short names that others stand beside."""
    named = [row for row in rows if _column(row[0], heads) == 0]
    if len(rows) < _LEAST_LINES or len(named) < _LEAST_NAMES:
        return False
    words = mean(len(row[0].text.split()) for row in named)
    beside = sum(len(row) > 1 for row in named)
    others = {_column(segment, heads) for row in rows for segment in row}
    return words <= _MOST_WORDS and beside >= _BESIDE * len(named) and len(others) == len(heads)


def _apart_at_gutter(regions: Sequence[RawRegion], segments: Sequence[Segment]) -> list[RawRegion]:
    """Return regions with text that goes over two columns of the page cut between them."""
    found: list[RawRegion] = []
    for region in regions:
        inside = [s for s in segments if s.stands_in(region.box, margin=2)]
        gutter = _gutter(inside) if region.kind in _PROSE else 0.0
        if gutter and (
            _parts_columns(gutter, region, regions) or _are_headed_in_bold(inside, gutter)
        ):
            for part in (True, False):
                box = hull(s.box for s in inside if (s.centre[0] < gutter) is part)
                found.append(RawRegion(region.kind, box))
        else:
            found.append(region)
    return found


def _not_seen_twice(regions: Sequence[RawRegion]) -> list[RawRegion]:
    """Return regions without texts that are lines in the midst of another text."""
    texts = [region.box for region in regions if region.kind == "text"]

    def is_line_of(box: BoxTuple, text: BoxTuple) -> bool:
        begins = text[0] - _LEVEL <= box[0] <= text[0] + _INDENT
        return begins and text[1] < box[1] and box[3] < text[3]

    return [
        region
        for region in regions
        if region.kind != "text" or not any(is_line_of(region.box, text) for text in texts)
    ]


def _apart_at_headings(regions: Sequence[RawRegion]) -> list[RawRegion]:
    """Return regions with text that was seen around a heading cut above and below it."""
    heads = [region.box for region in regions if region.kind == "section-header"]
    found: list[RawRegion] = []
    for region in regions:
        x0, top, x1, bottom = region.box
        inside = [box for box in heads if top < box[1] < box[3] < bottom]
        inside = [box for box in inside if _is_within(box, region.box)]
        if region.kind not in _PROSE or not inside:
            found.append(region)
            continue
        ends = [(box[1], box[3]) for box in sorted(inside, key=lambda box: box[1])]
        for above, below in (*ends, (bottom, bottom)):
            if above > top:
                found.append(RawRegion(region.kind, (x0, top, x1, above)))
            top = max(top, below)
    return found


def _gutter(segments: Sequence[Segment]) -> float:
    """Return the middle of the widest white between the cells of all lines, 0 if there is none."""
    extents = sorted((s.box[0], s.box[2]) for s in segments)
    end, widest, middle = extents[0][1] if extents else 0.0, _GUTTER, 0.0
    for left, right in extents:
        if left - end > widest:
            widest, middle = left - end, (left + end) / 2
        end = max(end, right)
    return middle


def _are_headed_in_bold(segments: Sequence[Segment], gutter: float) -> bool:
    """Whether several of the lines on both sides of a gutter, and fewer than half, are bold."""
    sides = [[s for s in segments if (s.centre[0] < gutter) is left] for left in (True, False)]
    for side in sides:
        left = min(s.box[0] for s in side)
        lines = [s.bold for s in side if s.box[0] - left <= _LEVEL]
        if not _LEAST_HEADED <= sum(lines) <= len(lines) / 2:
            return False
    return True


def _parts_columns(x: float, region: RawRegion, regions: Sequence[RawRegion]) -> bool:
    """Whether a stripe of white runs past a region, with headings on both of its sides.

    As far up and down as no other region goes over it but such as are wrong themselves.
    """
    over = [r.box for r in regions if r.box[0] < x < r.box[2] and r.kind not in _PROSE]
    middle = _middle(region.box)
    top = max((y1 for _, _, _, y1 in over if y1 < middle), default=0.0)
    bottom = min((y0 for _, y0, _, _ in over if y0 > middle), default=float("inf"))
    heads = [r.box for r in regions if r.kind == "section-header"]
    near = [box for box in heads if top <= _middle(box) <= bottom]
    on_left = sum(box[2] <= x for box in near)
    return on_left >= _LEAST_HEADED <= len(near) - on_left


def _is_in_midst(image: BoxTuple, text: BoxTuple) -> bool:
    """Whether an image fills much of a text's width, with text above and below it."""
    wide = image[2] - image[0] >= _MUCH * (text[2] - text[0])
    high = image[3] - image[1] > _GUTTER
    return wide and high and text[1] < image[1] and image[3] < text[3] and _is_within(image, text)


def _middle(box: BoxTuple) -> float:
    return (box[1] + box[3]) / 2


def _is_within(box: BoxTuple, other: BoxTuple) -> bool:
    """Whether the middle of a box is in another one."""
    x, y = (box[0] + box[2]) / 2, _middle(box)
    return other[0] <= x <= other[2] and other[1] <= y <= other[3]
