"""Tables that lines close in on all sides, whatever the layout model saw around them."""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.geometry import Box
from desktop.core.structure.raw import RawRegion, Segment, hull, visual_rows
from desktop.core.structure.table_columns import fenced_columns
from desktop.core.structure.table_lines import column_fences, edges_across, row_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.table_columns import Extent
    from desktop.core.structure.table_lines import Fence
    from desktop.core.structure.values import BoxTuple

_THIN, _SHORT = 2.0, 4.0  # points: a line is so thin, and longer than that
_MEET = 2.0  # points between lines that meet
_MOST_ABOVE = 6  # lines of text above the headings of a table
_NEAR_RULE, _APART = 12.0, 3.0  # points: rules of a table, and white between those of two
_MOST_STROKES, _MOST_LINES = 4_000, 1_500
"""Lines across, and upright ones, as drawn and put together; a wiring diagram has more."""
_MOST_OF = 0.9
"""Of its side: so much a frame has drawn."""
_LEAST_COLUMNS, _LEAST_ROWS, _LEAST_WORDS = 3, 2, 6
_FILLED = 0.6
"""Of the lines of text in a grid: so many have words in several columns."""
_LEAST_FILLED, _WELL_FILLED = 0.5, 0.7
"""Of its cells; with so many its lines may have words in one column alone: cells are centred."""
_SEVERAL_ROWS = 5
_INSIDE = 0.8
_LEAST_HELD = 0.2
"""Of a table's words: so many were seen in one."""
_LINES_APART = 3
"""So many lines of text above a table, or below, are none of its title or its note."""
_PROSE = 5  # words
_LEAST_LETTERS, _MANY_ROWS, _LEAST_CELLS = 4, 8, 9
_ROWS = 0.4
"""Of the lines around a table: so many with several cells are rows themselves."""
_NEAR = 1.5  # heights of a line
_LEAST_FRAME, _LEAST_FRAMED = 12.0, 3  # points; rows of frames apart


def with_grids(
    regions: Sequence[RawRegion], drawings: Sequence[BoxTuple], segments: Sequence[Segment]
) -> list[RawRegion]:
    """Return the regions of a page with tables of their own where they took in too much.

    A table that lines close in ends there: where text stands beside it, between two of them, or on
    several lines around it, in what was seen as one table, and in what was seen as a picture.
    """
    regions = [part for each in regions for part in _side_by_side(each, drawings, segments)]
    whole = [region for region in regions if region.kind in ("table", "picture")]
    if not whole:
        return list(regions)
    grids = [grid for grid in drawn_grids(drawings) if _is_table(grid, drawings, segments)]
    kept: list[RawRegion] = []
    for region in regions:
        inside = [grid for grid in grids if _holds(region, grid, segments)]
        if region.kind == "picture":
            inside = [grid for grid in inside if not _is_drawing(grid, drawings, segments)]
        if region not in whole or not inside:
            kept.append(region)
            continue
        around = [s for s in segments if s.stands_in(region.box, margin=2)]
        rest = [s for s in around if not any(s.stands_in(grid) for grid in inside)]
        if not rest or (region.kind == "table" and not _took_too_much(inside, rest)):
            kept.append(region)
            continue
        inside = [_with_head(grid, rest) for grid in inside]
        rest = [s for s in rest if not any(s.stands_in(grid) for grid in inside)]
        kept += [RawRegion("table", grid) for grid in inside]
        far = _NEAR if region.kind == "picture" else float("inf")
        beside = [s for s in rest if not any(_is_in_line(s, grid, far) for grid in inside)]
        if beside and not _is_prose(beside):
            kept.append(RawRegion("picture", hull(s.box for s in beside)))
        elif region.kind == "picture" and not rest:
            kept.append(region)
    return kept


def with_whole_grids(
    regions: Sequence[RawRegion], drawings: Sequence[BoxTuple], segments: Sequence[Segment]
) -> list[RawRegion]:
    """Return the regions of a page with tables grown to what lines part, where some was left out.

    Whatever else was seen on their columns and rows is a part of them. Where no table was seen,
    lines along all sides make one of texts.
    """
    grown = list(regions)
    grids = drawn_grids(drawings, closed=False) if regions else []
    for grid in grids:
        words = [segment for segment in segments if segment.stands_in(grid)]
        if len(words) < _LEAST_WORDS:
            continue
        tables = [
            region
            for region in grown
            if region.kind == "table" and any(s.stands_in(region.box, margin=2) for s in words)
        ]
        parts = [r for r in grown if Box(*r.box).overlap_share(Box(*grid)) > _INSIDE]
        may_be_one = _is_more_of(words, tables) if tables else _is_of_texts(grid, parts, drawings)
        is_one = may_be_one and _is_table(grid, drawings, segments)
        if is_one and (tables or _has_columns(grid, drawings, segments)):
            whole = RawRegion("table", hull((grid, *(region.box for region in tables))))
            grown = [*(r for r in grown if r not in parts and r not in tables), whole]
    return grown


def _is_more_of(words: Sequence[Segment], tables: Sequence[RawRegion]) -> bool:
    """Whether words between lines were seen in tables in part, and the rest is beside these."""
    left_out = [s for s in words if not any(s.stands_in(r.box, margin=2) for r in tables)]
    top, bottom = min(r.box[1] for r in tables), max(r.box[3] for r in tables)
    beside = sum(s.box[1] < bottom and s.box[3] > top for s in left_out)
    held = len(words) - len(left_out)
    return held >= _LEAST_HELD * len(words) and 0 < beside >= _INSIDE * len(left_out)


def _is_of_texts(grid: BoxTuple, parts: Sequence[RawRegion], drawings: Sequence[BoxTuple]) -> bool:
    """Whether lines along all sides close in what was seen as texts."""
    return all(part.kind != "picture" for part in parts) and grid in drawn_grids(drawings)


def _has_columns(grid: BoxTuple, drawings: Sequence[BoxTuple], segments: Sequence[Segment]) -> bool:
    """Whether lines part several columns of words; a drawing's labels are none."""
    columns = fenced_columns(grid, column_fences(grid, drawings))
    return len(columns) >= _LEAST_COLUMNS and not _is_drawing(grid, drawings, segments)


def lines_between_frames(
    box: BoxTuple, drawings: Sequence[BoxTuple], segments: Sequence[Segment]
) -> tuple[tuple[float, ...], tuple[Fence, ...]]:
    """Return what parts a drawing that is a table of frames apart: heights of rows, and columns.

    Several rows of as many frames each, those of a column below each other, hold all its words.
    ((), ()) if it is another drawing.
    """
    drawn = {
        each
        for each in drawings
        if min(each[2] - each[0], each[3] - each[1]) > _LEAST_FRAME
        and Box(*each).overlap_share(Box(*box)) > _LEAST_FILLED
        and any(segment.stands_in(each) for segment in segments)
    }
    frames = sorted(drawn, key=lambda each: (each[1] + each[3], each[0]))
    rows: list[list[BoxTuple]] = []
    for frame in frames:
        if rows and rows[-1][0][1] < (frame[1] + frame[3]) / 2 < rows[-1][0][3]:
            rows[-1].append(frame)
        else:
            rows.append([frame])
    rows = [sorted(row) for row in rows]
    several = len(rows) >= _LEAST_FRAMED and {len(row) for row in rows} == {len(rows[0])}
    held = all(any(s.stands_in(each) for each in frames) for s in segments)
    if not (several and len(rows[0]) > 1 and held):
        return (), ()
    columns = list(zip(*rows, strict=True))
    ends = [(min(f[0] for f in column), max(f[2] for f in column)) for column in columns]
    if any(right >= left for (_, right), (left, _) in pairwise(ends)):
        return (), ()
    tops = [(min(f[1] for f in row), max(f[3] for f in row)) for row in rows]
    heights = tuple((low + top) / 2 for (_, low), (top, _) in pairwise(tops))
    fences = ((right + left) / 2 for (_, right), (left, _) in pairwise(ends))
    return heights, tuple((x, tops[0][0], tops[-1][1]) for x in fences)


def _side_by_side(
    region: RawRegion, drawings: Sequence[BoxTuple], segments: Sequence[Segment]
) -> list[RawRegion]:
    """Return the tables side by side that were seen as one: their rules end in between.

    As the cells of one table may have lines of their own, both must begin with the same headings.
    """
    inside = [segment for segment in segments if segment.stands_in(region.box, margin=2)]
    if region.kind != "table" or not (inside and drawings):
        return [region]
    x0, y0, x1, y1 = region.box
    edges = edges_across([each for each in drawings if each[3] - each[1] <= _THIN])
    edges = edges[(edges[:, 2] > y0 - _NEAR_RULE) & (edges[:, 2] < y1 + _NEAR_RULE)]
    for left, right in _ends_between(edges[(edges[:, 0] < x1) & (edges[:, 1] > x0)]):
        before = [s for s in inside if s.box[2] <= right]
        after = [s for s in inside if s.box[0] >= left]
        if len(before) + len(after) == len(inside) and _begin_alike(before, after):
            parts = (RawRegion("table", hull(s.box for s in part)) for part in (before, after))
            return [each for part in parts for each in _side_by_side(part, drawings, segments)]
    return [region]


def _ends_between(edges: NDArray[np.float64]) -> list[Extent]:
    """Return the white that no rule crosses, with rules on both sides. edges: left, right, y."""
    ordered = edges[np.argsort(edges[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1]) if len(ordered) else ordered[:, 1]
    pairs = zip(ends[:-1].tolist(), ordered[1:, 0].tolist(), strict=True)
    return [(left, right) for left, right in pairs if right - left > _APART]


def _begin_alike(before: Sequence[Segment], after: Sequence[Segment]) -> bool:
    """Whether two tables begin with the same headings; text may stand above those of one."""
    tops = [
        [[segment.text for segment in line] for line in visual_rows(part)[:_MOST_ABOVE]]
        for part in (before, after)
    ]
    return any(len(line) > 1 and line in tops[1] for line in tops[0])


def _holds(region: RawRegion, grid: BoxTuple, segments: Sequence[Segment]) -> bool:
    """Whether nearly all words of a table are in a region; it may cut the frame."""
    words = [segment for segment in segments if segment.stands_in(grid)]
    return sum(s.stands_in(region.box, margin=2) for s in words) >= _INSIDE * len(words)


def _is_in_line(segment: Segment, grid: BoxTuple, far: float) -> bool:
    """Whether text stands above a table, or below: as its title or its note do.

    far: how many of its heights at most.
    """
    (x, y), (left, top, right, bottom) = segment.centre, grid
    gap = max(top - segment.box[3], segment.box[1] - bottom)
    is_near = gap <= far * (segment.box[3] - segment.box[1])
    return left <= x <= right and not top <= y <= bottom and is_near


def drawn_grids(drawings: Sequence[BoxTuple], *, closed: bool = True) -> list[BoxTuple]:
    """Return the boxes of lines that meet each other, from top to bottom.

    closed: only frames, those with lines along all sides.
    """
    return [box for box, is_frame in _grids(tuple(drawings)) if is_frame or not closed]


@lru_cache(maxsize=2)  # asked for several times while a page is understood
def _grids(drawings: tuple[BoxTuple, ...]) -> list[tuple[BoxTuple, bool]]:
    """Return the boxes of lines that meet each other, and whether these are on all sides."""
    boxes = _sides(np.array(drawings, np.float64).reshape(-1, 4).round(1))
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    flat, thin = (high <= _THIN) & (wide > _SHORT), (wide <= _THIN) & (high > _SHORT)
    if max(flat.sum(), thin.sum()) > _MOST_STROKES:
        return []
    across = _joined(boxes[flat])
    upright = _joined(boxes[thin][:, [1, 0, 3, 2]])[:, [1, 0, 3, 2]]
    if not (0 < len(across) <= _MOST_LINES and 0 < len(upright) <= _MOST_LINES):
        return []
    meet = (
        (across[:, None, 0] <= upright[None, :, 2] + _MEET)
        & (across[:, None, 2] >= upright[None, :, 0] - _MEET)
        & (across[:, None, 1] <= upright[None, :, 3] + _MEET)
        & (across[:, None, 3] >= upright[None, :, 1] - _MEET)
    )
    found: list[tuple[BoxTuple, bool]] = []
    left = np.ones(len(across), np.bool_)
    while left.any():
        rows = np.zeros(len(across), np.bool_)
        rows[int(left.argmax())] = True
        size = 0
        while rows.sum() > size:
            size = int(rows.sum())
            columns = meet[rows].any(axis=0)
            rows |= meet[:, columns].any(axis=1)
        left &= ~rows
        if columns.any():
            box = hull(map(tuple, (*across[rows].tolist(), *upright[columns].tolist())))
            found.append((box, _is_frame(across[rows], upright[columns])))
    return sorted(found, key=lambda grid: grid[0][1])


def _sides(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return drawn lines, and the four sides of each frame and cell that was drawn at once."""
    whole = boxes[((boxes[:, 2:] - boxes[:, :2]) > _SHORT).all(axis=1)]
    sides = [
        whole[:, places] for places in ([0, 1, 2, 1], [0, 3, 2, 3], [0, 1, 0, 3], [2, 1, 2, 3])
    ]
    return np.unique(np.concatenate([boxes, *sides]), axis=0)


def _joined(lines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return lines across with those that go on in each other as one: of cells side by side."""
    joined: list[list[float]] = []
    open_lines: list[list[float]] = []
    for x0, y0, x1, y1 in lines[np.lexsort((lines[:, 0], lines[:, 1]))].tolist():
        open_lines = [line for line in open_lines if y0 - line[1] <= _THIN]
        for line in open_lines:
            if x0 <= line[2] + _MEET and x1 >= line[0] - _MEET:
                line[:] = [min(line[0], x0), line[1], max(line[2], x1), max(line[3], y1)]
                break
        else:
            open_lines.append([x0, y0, x1, y1])
            joined.append(open_lines[-1])
    return np.array(joined, np.float64).reshape(-1, 4)


def _is_frame(across: NDArray[np.float64], upright: NDArray[np.float64]) -> bool:
    """Whether the outermost of some lines are drawn along all sides."""
    left, right = upright[:, 0].min(), upright[:, 2].max()
    top, bottom = across[:, 1].min(), across[:, 3].max()
    sides = (
        (across[across[:, 1] <= top + _MEET][:, [0, 2]], left, right),
        (across[across[:, 3] >= bottom - _MEET][:, [0, 2]], left, right),
        (upright[upright[:, 0] <= left + _MEET][:, [1, 3]], top, bottom),
        (upright[upright[:, 2] >= right - _MEET][:, [1, 3]], top, bottom),
    )
    return all(_length(lines) >= _MOST_OF * (end - start) for lines, start, end in sides)


def _length(lines: NDArray[np.float64]) -> float:
    """Return how far some lines, from where to where each, go together."""
    ordered = lines[np.argsort(lines[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(0.0, ordered[1:, 0] - ends[:-1])
    return float(ends[-1] - ordered[0, 0] - gaps.sum())


def _is_table(grid: BoxTuple, drawings: Sequence[BoxTuple], segments: Sequence[Segment]) -> bool:
    """Whether a frame has columns and rows, most of them with words in several columns."""
    inside = [segment for segment in segments if segment.stands_in(grid)]
    columns = fenced_columns(grid, column_fences(grid, drawings))
    rules = row_rules(grid, drawings)
    if len(inside) < _LEAST_WORDS or len(columns) < 2 or len(rules) <= _LEAST_ROWS:
        return False
    lines = visual_rows(inside)
    in_line = sum(len(line) > 1 for line in lines) >= _FILLED * len(lines)
    cells = {(bisect(rules, s.centre[1]), *_columns(s, columns)) for s in inside}
    rows = len(rules) - 1
    if len(cells) < _LEAST_FILLED * len(columns) * rows:
        return False
    is_full = rows >= _SEVERAL_ROWS and len(cells) >= _WELL_FILLED * len(columns) * rows
    return len(columns) >= _LEAST_COLUMNS or (rows >= _LEAST_COLUMNS and (in_line or is_full))


def _is_drawing(grid: BoxTuple, drawings: Sequence[BoxTuple], segments: Sequence[Segment]) -> bool:
    """Whether what lines close in has labels like those of terminals and pipes."""
    lengths = [len(segment.text) for segment in segments if segment.stands_in(grid)]
    short = median(lengths) < _LEAST_LETTERS and len(row_rules(grid, drawings)) <= _MANY_ROWS
    return short or len(lengths) < _LEAST_CELLS


def _columns(segment: Segment, columns: Sequence[Extent]) -> list[int]:
    """Return the place of the column that text is in."""
    return [n for n, (left, right) in enumerate(columns) if left <= segment.centre[0] <= right][:1]


def _with_head(grid: BoxTuple, rest: Sequence[Segment]) -> BoxTuple:
    """Return the box of a table with the cells right above its frame: headings on a ground."""
    left, top, right, bottom = grid
    over = [s for s in rest if left < s.centre[0] < right and s.centre[1] < top]
    for line in reversed(visual_rows(over)):
        height = max(s.box[3] - s.box[1] for s in line)
        if len(line) < 2 or top - max(s.box[3] for s in line) > _NEAR * height:
            break
        top = min(s.box[1] for s in line)
    return (left, top, right, bottom)


def _took_too_much(grids: Sequence[BoxTuple], rest: Sequence[Segment]) -> bool:
    """Whether text around some tables is of none of them. grids: from top to bottom.

    With a name on its left, or with other rows around it, a table is a cell of a larger one.
    """
    lines = visual_rows(rest)
    end = max(grid[2] for grid in grids)
    below = visual_rows([s for s in rest if s.box[0] < end])
    of_rows = bool(below) and sum(len(line) > 1 for line in below) >= _ROWS * len(below)
    left = any(
        s.box[2] < x0 and top < s.centre[1] < bottom for s in rest for x0, top, _, bottom in grids
    )
    if of_rows or left:
        return False
    beside = any(top < s.centre[1] < bottom for s in rest for _, top, _, bottom in grids)
    between = any(
        above[3] < s.centre[1] < below[1] for s in rest for above, below in pairwise(grids)
    )
    over = [line for line in lines if line[0].centre[1] < grids[0][1]]
    under = [line for line in lines if line[0].centre[1] > max(grid[3] for grid in grids)]
    return beside or between or len(over) >= _LINES_APART or len(under) >= _LINES_APART


def _is_prose(segments: Sequence[Segment]) -> bool:
    """Whether most lines are of text rather than labels."""
    words = [sum(word.isalpha() for word in s.text.split()) for s in segments]
    return 2 * sum(count >= _PROSE for count in words) > len(words)
