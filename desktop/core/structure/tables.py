"""The rows and cells of a table, by its ruled lines, by its words, or as a scan shows them."""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import itemgetter
from statistics import mean, median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from desktop.core.structure.raw import RawRegion, Segment, gap_between, hull, visual_rows
from desktop.core.structure.signs import CELL_SEPARATOR, CONTEXT_SEPARATOR, LEADERS
from desktop.core.whole_words import CUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.values import BoxTuple

_SAME_RULE = 2.0  # points
_OVERHANG = 12.0
# Rules of single cells lie side by side; together they go over this share of the table. Those that
# part headings as well need less of it.
_LEAST_COVER, _LEAST_HEADED = 0.6, 0.4
_LEAST_ROWS, _LEAST_FENCED = 3, 2
# A line with such a share of the columns may begin a row (with all of them only where there are
# several below the headings), or one with words in the first column; most rows have one. Several
# of them between two rules are rows of their own, whatever is looked at: the rules part groups.
_FULL = (0.5, 0.75, 1.0)
_MOST_STARTS = 1.34
# Of a line's height: how much further apart rows are than the lines of one; so many of both, and
# the lines of one row have so many of the cells of others.
_JUMP, _FAR_APART, _LEAST_APART, _FEWER = 0.25, 0.5, 2, 0.75
# A line goes across a column if it covers so much of it.
_MOST_ACROSS = 0.8
# Of the lines with words in a column between two upright lines: so many have some on both sides
# of the white that parts it in two.
_MOST_PARTED = 0.75
_LEAST_PARTED = 3
# Of the first lines of cells: so few begin with a small letter; and so many of the others.
_HARDLY_ANY, _GOING_ON = 0.2, 0.5
# Heights of a line: words closer together, in one column, are of one cell. Lines of other columns
# that go so far into each other are of cells that are centred in one row.
_WORD_GAP, _INTO = 0.5, 0.2
# Heights of a line: text that stands further apart is not of one cell.
_ONE_CELL = 0.6
# Heights of a line: lines of two cells in one row are not further off each other.
_LEVEL = 0.15
# Heights of a line between it and the next one of a cell; what a name with a colon is for may have
# several paragraphs.
_NEXT_LINE, _NEXT_PARAGRAPH = 0.45, 1.2


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
    apart = np.flatnonzero(np.diff(edges[:, 2]) > _SAME_RULE) + 1
    groups = np.split(edges, apart) if len(edges) else []
    least = _LEAST_COVER * (x1 - x0)
    return tuple(float(group[:, 2].mean()) for group in groups if _covered(group) >= least)


def table_rules(
    box: BoxTuple,
    drawings: Sequence[BoxTuple],
    lines: Sequence[list[Segment]],
    columns: Sequence[Extent],
    fences: Sequence[Fence] = (),
) -> tuple[float, ...]:
    """Return the heights of the rules between the rows of a table.

    Where drawn lines part the rows, the edge of a shaded area does so only between two lines of
    text that both begin in the first column, with words in others or as a title: each line of a
    cell may be shaded by itself.

    lines: of text, from top to bottom. columns: by the lines between them, see `fenced_columns`.
    fences: upright lines; drawn for each row, they tell the rows where no rules do.
    """
    edges = row_rules(box, drawings)
    drawn = row_rules(box, [each for each in drawings if each[3] - each[1] <= _SAME_RULE])
    if not drawn or between_rules(lines, drawn, columns) is None:
        beside = tuple(sorted({*edges, *rules_beside(fences)}))
        told = between_rules(lines, edges, columns) or not between_rules(lines, beside, columns)
        return edges if told else beside
    first_column = _first_column(lines)
    named = [line for line in lines if _reaches(line, first_column)]
    starts = [
        line[0].centre[1]
        for before, line in zip([None, *named], named, strict=False)
        if _count(line, columns) > 1 or (line[0].bold and not (before and before[0].bold))
    ]
    begun = Counter(np.searchsorted(drawn, starts).tolist())
    parting = (y for y in edges if begun[int(np.searchsorted(drawn, y))] > 1)
    return tuple(sorted({*drawn, *parting}))


Fence = tuple[float, float, float]
"""A line between two columns: x, and from where to where it goes down, in points."""
Extent = tuple[float, float]
"""Left and right end of a column, in points."""

_LEAST_FENCE = 5.0  # points; the ends of a stroke under a word are shorter
_FREE = 1.0  # points between a line and words


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
    left = min(x0, float(across[:, 0].min(initial=x0))) - _SAME_RULE
    right = max(x1, float(across[:, 1].max(initial=x1))) + _SAME_RULE
    upright = edges_across(drawn[:, [1, 0, 3, 2]])  # top, bottom, x
    tops, bottoms = np.maximum(upright[:, 0], y0), np.minimum(upright[:, 1], y1)
    kept = (upright[:, 2] > left) & (upright[:, 2] < right) & (bottoms - tops > _LEAST_FENCE)
    found = np.unique(np.column_stack([upright[:, 2], tops, bottoms])[kept].round(1), axis=0)
    return tuple((float(x), float(top), float(bottom)) for x, top, bottom in found)


def fenced_columns(
    box: BoxTuple, fences: Sequence[Fence], lines: Sequence[Sequence[Segment]] = ()
) -> tuple[Extent, ...]:
    """Return the columns that lines separate, () if none do.

    They run down most of a table's height. Where some do, those that part its headings may leave
    more gaps, for cells that go over several columns, and so may those that part the words of
    several lines of text.

    lines: of text, cut at the upright lines.
    """
    groups = _above_each_other(fences)
    least = _LEAST_COVER * (box[3] - box[1])
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
        if all(abs(x - other) > _LEAST_FENCE for other in parting)
        and sum(_part_words(group, line) for line in lines) >= _LEAST_FENCED
        and not any(_run_through(group, segment) for line in lines for segment in line)
    ]
    parting.sort()
    before = [box[0]] if box[0] < parting[0] - _SAME_RULE else []
    after = [box[2]] if box[2] > parting[-1] + _SAME_RULE else []
    bounds = pairwise((*before, *parting, *after))
    return tuple((left, right) for left, right in bounds if right - left > _LEAST_FENCE)


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
        left + _SAME_RULE < x < right - _SAME_RULE and top <= segment.centre[1] <= end
        for x, top, end in group
    )


def _above_each_other(fences: Sequence[Fence]) -> list[list[Fence]]:
    """Return the lines at one place across a table, from left to right."""
    groups: list[list[Fence]] = []
    for fence in sorted(fences):
        if groups and fence[0] - groups[-1][-1][0] <= _SAME_RULE:
            groups[-1].append(fence)
        else:
            groups.append([fence])
    return groups


def _covered_down(group: Sequence[Fence]) -> float:
    """Return how much of the height some lines above each other cover together."""
    return _covered(np.array([fence[1:] for fence in sorted(group, key=itemgetter(1))]))


def _part_head(group: Sequence[Fence], box: BoxTuple) -> bool:
    """Whether one of some lines above each other begins where the table does."""
    return any(top <= box[1] + _SAME_RULE for _, top, _ in group)


def rules_beside(fences: Sequence[Fence]) -> tuple[float, ...]:
    """Return where each upright line of a table ends and the next begins: one for each row."""
    joints = sorted(
        above[2]
        for column in _above_each_other(fences)
        for above, below in pairwise(sorted(column, key=itemgetter(1, 2)))
        if abs(above[2] - below[1]) <= _SAME_RULE
    )
    ends = [y for before, y in pairwise((0.0, *joints)) if y - before > _SAME_RULE]
    return tuple(
        y
        for y in ends
        if not any(top < y - _SAME_RULE and y + _SAME_RULE < bottom for _, top, bottom in fences)
    )


def column_gutters(
    box: BoxTuple, lines: Sequence[list[Segment]], columns: Sequence[Extent]
) -> tuple[Fence, ...]:
    """Return the white stripes between columns of words that no line parts, as fences.

    They go down beside the lines of text that have words on both sides of them, the headings on top
    first. lines: from top to bottom. columns: by the lines between them, see `fenced_columns`.
    """
    gutters: list[Fence] = []
    for column in columns:
        inside = [[s for s in line if _overlaps(s, column)] for line in lines]
        cells = _apart(inside[0]) if lines else []
        for left, right in pairwise(cells):
            gutters += _gutter(box, inside, (left.box[2], right.box[0]))
    return tuple(gutters)


def _apart(line: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a line that begin a cell: not right behind another."""
    return [*line[:1], *(s for before, s in pairwise(line) if not _near(before, s))]


def _near(segment: Segment, other: Segment) -> bool:
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


Cut = tuple[float, frozenset[int]]
"""The height of lines drawn through a table, and the columns that they go across."""


def column_cuts(
    box: BoxTuple, drawings: Sequence[BoxTuple], rules: Sequence[float], columns: Sequence[Extent]
) -> tuple[Cut, ...]:
    """Return what parts the rows in each column, () if everything does in all columns.

    Where a line has a gap, a cell goes over the rows on both of its sides. rules: also by shaded
    areas, see `table_rules`. columns: by the lines between them, see `fenced_columns`.
    """
    edges = edges_across([each for each in drawings if each[3] - each[1] <= _SAME_RULE])
    edges = edges[(edges[:, 2] > box[1]) & (edges[:, 2] < box[3])]
    edges = edges[(edges[:, 0] < columns[-1][1]) & (edges[:, 1] > columns[0][0])]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    apart = np.flatnonzero(np.diff(edges[:, 2]) > _SAME_RULE) + 1
    cuts = []
    for group in np.split(edges, apart) if len(edges) else []:
        across = frozenset(n for n, each in enumerate(columns) if _goes_across(group, each))
        if across:
            cuts.append((float(group[:, 2].mean()), across))
    if all(len(across) == len(columns) for _, across in cuts):
        return ()
    everywhere = frozenset(range(len(columns)))
    shaded = (y for y in rules if all(abs(y - height) > _SAME_RULE for height, _ in cuts))
    return tuple(sorted([*cuts, *((y, everywhere) for y in shaded)], key=lambda cut: cut[0]))


def _goes_across(edges: NDArray[np.float64], column: Extent) -> bool:
    left, right = column
    inside = np.clip(edges, [left, left, -np.inf], [right, right, np.inf])
    inside = inside[inside[:, 1] > inside[:, 0]]
    return len(inside) > 0 and _covered(inside) >= _MOST_ACROSS * (right - left)


def between_rules(
    lines: Sequence[list[Segment]], rules: Sequence[float], columns: Sequence[Extent] = ()
) -> list[list[list[Segment]]] | None:
    """Return the lines of text of each row, None if the rules do not separate rows.

    lines: from top to bottom. columns: by the lines between them, see `fenced_columns`.
    """
    heights = np.array([np.mean([s.centre[1] for s in line]) for line in lines])
    places = np.searchsorted(np.array(rules), heights)
    starts = np.flatnonzero(np.diff(places)) + 1
    rows = [list(lines[i:j]) for i, j in pairwise([0, *starts.tolist(), len(lines)])]
    return rows if _are_rows(rows, columns) else None


def _are_rows(rows: Sequence[Sequence[list[Segment]]], columns: Sequence[Extent]) -> bool:
    """Whether lines that rules part are rows rather than groups of rows."""
    if len(rows) < (_LEAST_FENCED if columns else _LEAST_ROWS):
        return False
    lines = [line for row in rows for line in row]
    cells = [[_count(line, columns) for line in row] for row in rows]
    most = max(map(max, cells))
    shares = _FULL if len(rows) >= _LEAST_ROWS else _FULL[:-1]
    begins = [[[count >= share * most for count in row] for row in cells] for share in shares]
    begins.append([[count > 1 for count in row] for row in cells])
    # where the cells of a row are centred, lines stand above its first column
    first_column = _first_column(lines)
    begins.append([[_reaches(line, first_column) for line in row] for row in rows])
    inner = _inner_ends(lines, columns) if columns else ()
    begins.append(
        [[not (n and _goes_on(row[:n], row[n], inner)) for n in range(len(row))] for row in rows]
    )
    if any(_runs_on(rows, column) for column in columns):
        return True
    return any(_begin_once(list(map(_of_one, rows, starts))) for starts in begins)


def _runs_on(rows: Sequence[Sequence[list[Segment]]], column: Extent) -> bool:
    """Whether the text of a column begins anew below each rule, and goes on in small letters.

    Between rules that part groups of rows, small letters begin either all rows or none.
    """
    cells = [[s.text[:1] for line in row for s in line if _inside(s, column)] for row in rows]
    cells = [cell for cell in cells if cell]
    first, others = [cell[0] for cell in cells], [c for cell in cells for c in cell[1:]]
    several = sum(len(cell) > 1 for cell in cells)
    return (
        several >= _LEAST_ROWS
        and sum(map(str.islower, first)) <= _HARDLY_ANY * len(first)
        and sum(map(str.islower, others)) >= _GOING_ON * len(others)
    )


def _of_one(row: Sequence[Sequence[Segment]], starts: Sequence[bool]) -> Sequence[bool]:
    """Return which lines may begin a row: one alone where as many others interlock."""
    interlocked = sum(_interlock(*pair) for pair in pairwise(row))
    return [True] if interlocked and sum(starts) - 1 <= interlocked else starts


def _interlock(line: Sequence[Segment], below: Sequence[Segment]) -> bool:
    """Whether lines reach into each other without words of one below those of the other."""
    height = min(s.box[3] - s.box[1] for s in (*line, *below))
    apart = not any(_reaches(below, (s.box[0], s.box[2])) for s in line)
    return apart and gap_between(line, below) < -_INTO * height


def _count(line: Sequence[Segment], columns: Sequence[Extent]) -> int:
    """Return how many cells have words in a line; words close together in a column are of one."""
    close = sum(
        _near(*pair) and any(all(_inside(s, column) for s in pair) for column in columns)
        for pair in pairwise(line)
    )
    return len(line) - close


def _inner_ends(
    lines: Sequence[Sequence[Segment]], columns: Sequence[Extent]
) -> tuple[Extent, ...]:
    """Return how far words reach in each column, as far from its right line as from its left."""
    segments = [segment for line in lines for segment in line]
    ends = []
    for left, right in columns:
        inside = [s.box[0] - left for s in segments if _inside(s, (left, right))]
        ends.append((left, right - max(0.0, min(inside, default=0.0))))
    return tuple(ends)


def _goes_on(
    above: Sequence[Sequence[Segment]], line: Sequence[Segment], columns: Sequence[Extent]
) -> bool:
    """Whether every cell of a line goes on from the lines above, where its first word had no room.

    A cell with nothing above it may be centred in its row.
    columns: how far words reach in each, () if no lines part them.
    """
    segments = [segment for each in above for segment in each]
    full = []
    for left, right in columns:
        ended = [s for s in segments if _inside(s, (left, right))]
        begun = [s for s in line if _inside(s, (left, right))]
        if ended and begun:
            word = len(begun[0].text.split()[0]) + 1
            wide = (begun[0].box[2] - begun[0].box[0]) * word / max(len(begun[0].text), word)
            full.append(ended[-1].box[2] + wide > right)
    return bool(columns) and all(full)


def _begin_once(starts: Sequence[Sequence[bool]]) -> bool:
    """Whether most rows have one line that may begin them, and few have several.

    starts: of each row, which of its lines may begin it.
    """
    known = [sum(row) for row in starts if any(row)]
    return 2 * len(known) >= len(starts) and float(np.mean(known)) <= _MOST_STARTS


def edges_across(drawings: Sequence[BoxTuple] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return left, right and height of the upper and lower edge of each drawing, shape (2n, 3)."""
    boxes = np.array(drawings, np.float64).reshape(-1, 4)
    upper, lower = boxes[:, [0, 2, 1]], boxes[:, [0, 2, 3]]
    return np.concatenate([upper, lower])


def _covered(group: NDArray[np.float64]) -> float:
    """Return how much of the width some edges cover together."""
    ordered = group[np.argsort(group[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(0.0, ordered[1:, 0] - ends[:-1])
    return float(ends[-1] - ordered[0, 0] - gaps.sum())


_SAME_COLUMN = 8.0  # points
_MOST_OF = 0.4
"""Of the narrower of two, from which on one stands below the other."""
_LEAST_GRID = 8  # lines
_ONE_HEIGHT = 2.0
# So many cells of so few words make a row of headings.
_HEADINGS, _HEADING_WORDS = 2, 2
_OPTION, _VALUE = re.compile(r"--?[A-Za-z]"), re.compile(r"\W*\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CODE = re.compile(r"[A-Z]{1,4}[./-]?\d[\w./-]*")
_LEAST_CODES = 3
_LEAST_REPEATED = 2  # values
_LEAST_NUMBERED = 4  # entries of a legend
_INDENT = 6.0  # points
_LEAST_HEADED_ANEW = 3  # columns
_LONGEST_VALUE = 40  # words; more of them explain


@dataclass(frozen=True, slots=True)
class TableRow:
    """One logical row: its cells from left to right, each with its segments."""

    cells: tuple[tuple[Segment, ...], ...]

    @property
    def text(self) -> str:
        """The cells joined by a bar."""
        return CELL_SEPARATOR.join(" ".join(s.text for s in cell) for cell in self.cells)

    @property
    def left(self) -> float:
        """Where its first cell begins."""
        return self.cells[0][0].box[0]

    def is_indented_below(self, row: TableRow, columns: Sequence[Extent]) -> bool:
        """Whether it begins further right than a row of one cell above it, in the same column."""
        end = columns[0][1] if columns else self.left
        return len(row.cells) == 1 and row.left + _INDENT <= self.left < end

    def parts(self, extents: Sequence[Extent]) -> list[TableRow]:
        """Return its cells in each of some groups of columns, [] if one goes over two of them."""
        parts: list[list[tuple[Segment, ...]]] = [[] for _ in extents]
        for cell in self.cells:
            left, right = _extent(cell)
            met = [n for n, (start, end) in enumerate(extents) if left < end and right > start]
            if len(met) != 1:
                return []
            parts[met[0]].append(cell)
        return [TableRow(tuple(part)) for part in parts]

    @property
    def boxes(self) -> tuple[BoxTuple, ...]:
        """One box per visual line of the row, apart where the cells between are far from it.

        There, lines of other rows may stand: a cell over several rows is centred.
        """
        places = {segment: place for place, cell in enumerate(self.cells) for segment in cell}
        boxes = []
        for line in visual_rows(list(places)):
            parts = [[line[0]]]
            for before, segment in pairwise(line):
                between = self.cells[places[before] + 1 : places[segment]]
                if any(_is_far(cell, segment) for cell in between):
                    parts.append([])
                parts[-1].append(segment)
            boxes += [hull(segment.box for segment in part) for part in parts]
        return tuple(boxes)


def _is_far(cell: Sequence[Segment], segment: Segment) -> bool:
    """Whether a cell has no line at the height of a segment, nor next to that."""
    height = segment.box[3] - segment.box[1]
    return all(
        max(s.box[1] - segment.box[3], segment.box[1] - s.box[3]) > _ONE_CELL * height for s in cell
    )


@dataclass(frozen=True, slots=True)
class TableHead:
    """What the rows of a table are called, here and where it goes on over the page.

    caption: caption and title in words. headings: of the columns, as words of a row. columns:
    where they stand; drawn: seen by the lines between them; named: the heading of each, one that
    stands over several being that of each of them, "" where there is none. parts: what a row inside
    the table adds to them. rows: the text of those that say so.
    """

    caption: str
    headings: str
    columns: tuple[Extent, ...]
    drawn: bool = False
    named: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        caption: str,
        header: TableRow | None,
        rows: Sequence[TableRow],
        drawn: Sequence[Extent],
        fences: Sequence[Fence] = (),
        below: TableRow | None = None,
    ) -> TableHead:
        """Read the head of a table.

        drawn: its columns by the lines between them, if it has any. fences: these lines; where one
        is missing, a heading is over the columns on both of its sides. below: what parts such a
        heading, see `row_below_head`.
        """
        columns = tuple(drawn) or column_extents(rows)
        if header is None:
            return cls(caption, "", columns, bool(drawn))
        texts = header.text.split(CELL_SEPARATOR)
        if len(texts) != len(columns):
            lines = fences if drawn else ()
            texts = _headings_of(header, columns, lines, parted=below is not None)
        if below is None:
            return cls(
                caption, header.text, columns, bool(drawn), tuple(texts), rows=(header.text,)
            )
        pairs = zip(texts, _headings_of(below, columns, fences), strict=True)
        named = tuple(" ".join(filter(None, pair)) for pair in pairs)
        rows_of_head = (header.text, below.text)
        headings = CELL_SEPARATOR.join(named)
        return cls(caption, headings, columns, bool(drawn), named, rows=rows_of_head)

    @property
    def text(self) -> str:
        """Caption and column headings."""
        return CONTEXT_SEPARATOR.join(part for part in (self.caption, self.headings) if part)

    def over(self, row: TableRow, section: str = "", fences: Sequence[Fence] = ()) -> str:
        """Return what stands above a row: caption, section, and the headings of its own cells.

        fences: of the table that the row is in; where one is missing, a cell goes over several
        columns and has the headings of all.
        """
        groups = self._groups(row, fences) if self.named else []
        extents = [(self.columns[group[0]][0], self.columns[group[-1]][1]) for group in groups]
        places = [_columns_at(_extent(cell), extents) for cell in row.cells] if groups else []
        taken = [at for over in places for at in over]
        headings = self.headings
        if places and (len(set(taken)) == len(taken) or len(groups) < len(self.columns)):
            own: list[str] = []
            told: set[int] = set()  # the first of two cells below one heading has it
            for over in places:
                there = [n for at in over if at not in told for n in groups[at]]
                names = [self.named[n] for n in there]
                names += [self.parts[n] for n in there if self.parts and len(there) == 1]
                own.append(" ".join(dict.fromkeys(filter(None, names))))
                told.update(over)
            headings = CELL_SEPARATOR.join(own) if any(own) else ""
        return CONTEXT_SEPARATOR.join(part for part in (self.caption, section, headings) if part)

    def below(self, row: TableRow, rows: Sequence[TableRow], fences: Sequence[Fence]) -> TableHead:
        """Return what the rows below one inside the table are called.

        One in bold without a cell in the first column heads those below it anew, and with cells
        in some of the columns it parts these, as far down as they are parted.
        """
        if not (self.named and self.drawn) or len(self.columns) < _LEAST_HEADED_ANEW:
            return self
        groups = _parted(row, self.columns, fences)
        extents = [(self.columns[group[0]][0], self.columns[group[-1]][1]) for group in groups]
        cells = {at: cell for cell in row.cells for at in _columns_at(_extent(cell), extents)}
        is_whole = len(cells) == len(groups) - 1
        several = len(cells) == len(row.cells) and (len(cells) > 1 or (cells and is_whole))
        if 0 not in cells and several and is_set_apart(row, rows):
            texts = [""] * len(self.columns)
            for at, cell in cells.items():
                for place in groups[at]:
                    texts[place] = " ".join(segment.text for segment in cell)
            if is_whole:
                return replace(self, named=(self.named[0], *texts[1:]), parts=())
            return replace(self, parts=tuple(texts))
        joined = (groups[at] for at in cells if len(groups[at]) > 1)
        if self.parts and any(self.parts[place] for group in joined for place in group):
            return replace(self, parts=())
        return self

    def repeated(self) -> tuple[Extent, ...]:
        """Return where each group of columns is, if all have the same headings: "T | R | T | R".

        They may differ in numbers ("230 V part no."). Empty if there is one group alone. A column
        without a heading may stand between two of them, not before the first: there, it names the
        rows of all.
        """
        named = [place for place, name in enumerate(self.named) if name]
        texts = ["".join(filter(str.isalpha, name)) or name for name in filter(None, self.named)]
        if len(self.named) != len(self.columns) or named[:1] != [0]:
            return ()
        for size in range(2, len(texts) // 2 + 1):
            is_repeated = texts == texts[:size] * (len(texts) // size)
            if is_repeated and len(set(texts[:size])) > 1:
                starts = named[::size]
                ends = [start - 1 for start in starts[1:]] + [len(self.columns) - 1]
                pairs = zip(starts, ends, strict=True)
                return tuple((self.columns[i][0], self.columns[j][1]) for i, j in pairs)
        return ()

    def _groups(self, row: TableRow, fences: Sequence[Fence]) -> list[list[int]]:
        """Return the columns that go together at the height of a row, [] if that is not known.

        A row with as many cells as there are headings has them in their order.
        """
        single = [[place] for place in range(len(self.columns))]
        if not self.drawn:
            return single if _is_aligned(row, self.columns) else []
        groups = _parted(row, self.columns, fences)
        if 1 < len(groups) == len(row.cells):
            return groups
        alike = len(row.cells) in (1, len(self.headings.split(CELL_SEPARATOR)))
        return groups if groups == single or not (alike or len(groups) == 1) else []

    def heads_some(self, rows: Sequence[TableRow]) -> bool:
        """Whether rows right below stand in some of the columns, from the first one on."""
        columns = column_extents(rows)
        begin = [left for left, _ in self.columns]
        return (
            bool(self.text)
            and 1 < len(columns) <= len(begin)
            and all(abs(left - begin[at]) <= _SAME_COLUMN for at, (left, _) in enumerate(columns))
        )

    def heads(
        self, rows: Sequence[TableRow], fences: Sequence[Fence], drawn: Sequence[Extent]
    ) -> bool:
        """Whether rows at the top of the next page stand in the same columns. drawn: theirs."""
        here = drawn if self.drawn else column_extents(rows)
        ours = [columns for columns in (self.columns, self._headed()) if columns]
        fenced = self.drawn and any(_are_fenced(columns, fences) for columns in ours)
        return fenced or any(_begin_alike(here, columns) for columns in ours)

    def _headed(self) -> Sequence[Extent]:
        """Return the columns that have a heading of their own, with those that it is over."""
        if not self.named or len(self.named) != len(self.columns):
            return []
        headed: list[Extent] = []
        for place, (left, right) in enumerate(self.columns):
            if place and self.named[place] in ("", self.named[place - 1]):
                headed[-1] = (headed[-1][0], right)
            else:
                headed.append((left, right))
        return headed if len(headed) > 1 else []


def _are_fenced(columns: Sequence[Extent], fences: Sequence[Fence]) -> bool:
    ends = (columns[0][0], *(right for _, right in columns))
    return all(any(abs(x - end) <= _SAME_RULE for x, _, _ in fences) for end in ends)


def _begin_alike(columns: Sequence[Extent], others: Sequence[Extent]) -> bool:
    pairs = zip(columns, others, strict=False)
    return len(columns) == len(others) and all(
        abs(one[0] - other[0]) <= _SAME_COLUMN for one, other in pairs
    )


def column_extents(rows: Sequence[TableRow]) -> tuple[Extent, ...]:
    """Return the columns that the cells of all rows stand in, from left to right.

    Seen first on the rows with the most cells; a cell over several columns belongs to none.
    """
    columns: list[Extent] = []
    for row in sorted(rows, key=lambda row: -len(row.cells)):
        for cell in row.cells:
            _widen(columns, _extent(cell))
    return tuple(sorted(columns))


def _widen(columns: list[Extent], cell: Extent) -> None:
    """Widen the column that a cell stands in, or begin one; nothing for one over several."""
    left, right = cell
    met = [c for c in columns if left < c[1] and right > c[0]]
    if len(met) > 1:
        return
    if met:
        columns.remove(met[0])
        left, right = min(left, met[0][0]), max(right, met[0][1])
    columns.append((left, right))


def _extent(cell: Sequence[Segment]) -> Extent:
    return min(s.box[0] for s in cell), max(s.box[2] for s in cell)


def _headings_of(
    header: TableRow,
    columns: Sequence[Extent],
    fences: Sequence[Fence] = (),
    *,
    parted: bool = False,
) -> list[str]:
    """Return the heading of each column; one that stands over several is part of each of theirs.

    parted: whether a row below parts those for which upright lines leave gaps: then all of them
    go as far as the gaps, else those alone whose words do, or that have no other one there and
    are not in the first column, where they may name the rows.
    """
    named: list[list[str]] = [[] for _ in columns]
    segments = [segment for cell in header.cells for segment in cell]
    own = [_columns_at((segment.box[0], segment.box[2]), columns) for segment in segments]
    pairs = sorted(
        zip(segments, own, strict=True), key=lambda pair: (pair[0].centre[1], pair[0].box[0])
    )
    for segment, there in pairs:
        homes = _homes(segment, columns, fences) if fences else []
        beside = {
            place
            for other, places in pairs
            if other.box[1] < segment.centre[1] < other.box[3]
            for place in places
        }
        alone = there[0] > 0 and beside.isdisjoint({*homes} - {*there})
        if homes and (parted or len(there) > 1 or alone):
            there = homes
        for place in there:
            named[place].append(segment.text)
    _spread(named, segments, columns)
    return list(map(" ".join, named))


def _spread(
    named: Sequence[list[str]], segments: Sequence[Segment], columns: Sequence[Extent]
) -> None:
    """Give a heading over several columns to more of them, up to where the next one stands.

    As far as the headings below it are alike but for their numbers: "<6 mm", "6-12 mm", ">12 mm".

    named: the headings of each column. segments: of all headings.
    """
    places = [_columns_at((s.box[0], s.box[2]), columns) for s in segments]
    for heading, over in zip(segments, places, strict=True):
        names: list[list[str]] = [[] for _ in columns]
        taken: set[int] = set()
        for segment, there in zip(segments, places, strict=True):
            is_below = segment.box[1] >= heading.centre[1]
            taken.update(() if is_below else there)
            for place in there if is_below else ():
                names[place].append("".join(filter(str.isalpha, segment.text)))
        alike = [name == names[over[0]] != [] for name in names]
        if len(over) < 2 or not all(alike[place] for place in over):
            continue
        first, last = over[0], over[-1]
        while last + 1 < len(columns) and alike[last + 1] and last + 1 not in taken:
            last += 1
        while first and alike[first - 1] and first - 1 not in taken:
            first -= 1
        for names_there in named[first : last + 1]:
            if heading.text not in names_there:
                names_there.insert(0, heading.text)


def _columns_at(extent: Extent, columns: Sequence[Extent]) -> list[int]:
    """Return the columns that something stands in, the nearest if it is in none."""
    left, right = extent
    shared = [min(right, end) - max(left, start) for start, end in columns]
    there = [
        place
        for place, (start, end) in enumerate(columns)
        if shared[place] > _MOST_OF * min(right - left, end - start)
    ]
    return there or [shared.index(max(shared))]


def _parted(row: TableRow, columns: Sequence[Extent], fences: Sequence[Fence]) -> list[list[int]]:
    """Return the columns of each cell of a row: those that no upright line parts at its height."""
    boxes = [segment.box for cell in row.cells for segment in cell]
    middle = (min(box[1] for box in boxes) + max(box[3] for box in boxes)) / 2
    groups = [[0]]
    for place, (_, right) in enumerate(columns[:-1], 1):
        if _is_fenced(right, middle, fences):
            groups.append([place])
        else:
            groups[-1].append(place)
    return groups


def _is_aligned(row: TableRow, columns: Sequence[Extent]) -> bool:
    """Whether each cell begins or ends where a column does; one over several columns does not."""
    return all(
        any(
            abs(left - start) <= _SAME_COLUMN or abs(right - end) <= _SAME_COLUMN
            for start, end in columns
        )
        for left, right in map(_extent, row.cells)
    )


def table_rows(
    segments: Sequence[Segment],
    rules: Sequence[float] = (),
    columns: Sequence[Extent] = (),
    fences: Sequence[Fence] = (),
    cuts: Sequence[Cut] = (),
) -> list[TableRow]:
    """Return the logical rows of a table; lines that continue a cell join its row.

    rules: heights of the lines drawn through it, see `row_rules`. columns: between the upright
    ones, see `fenced_columns`. fences: these. cuts: where lines part rows in some of the columns,
    see `column_cuts`.
    """
    lines = visual_rows(segments)
    if not lines:
        return []
    if cuts and (spanned := _spanned_rows(segments, columns, fences, cuts)):
        return spanned
    first_column = _first_column(lines)
    ruled = between_rules(lines, rules, columns) if rules else None
    rows = _by_white(lines, first_column) if ruled is None else ruled
    parted = [part for row in rows for part in _rows_below_a_name(row, first_column)]
    return [TableRow(_between_fences(row, columns) or _cells(row)) for row in parted]


def _by_white(lines: Sequence[list[Segment]], first_column: Extent) -> list[list[list[Segment]]]:
    """Return the lines of each row of a table whose rows no rules part."""
    rows: list[list[list[Segment]]] = []
    previous: list[Segment] = []
    white = _white_between_rows(lines, first_column)
    named = [line for line in lines if len(line) > 1]
    colons = sum(line[0].text.endswith(":") for line in named)
    near_enough = _NEXT_PARAGRAPH if 2 * colons > len(named) else _NEXT_LINE
    for line in lines:
        near = bool(white and previous) and gap_between(previous, line) < white
        if rows and (near or _continues(line, previous, first_column, near_enough)):
            rows[-1].append(line)
        else:
            rows.append([line])
        previous = line
    return rows


def _rows_below_a_name(row: list[list[Segment]], first_column: Extent) -> list[list[list[Segment]]]:
    """Return the lines between two rules as rows that one name is for, if they repeat each other.

    Where a cell goes on over several lines, these seldom have equally many values of one kind.
    """
    names = [[s for s in line if _reaches([s], first_column)] for line in row]
    values = [[s for s in line if s not in own] for line, own in zip(row, names, strict=True)]
    if all(names) and _count_alike(names) and all(_repeats(*pair) for pair in pairwise(values)):
        return [[line] for line in row]
    values = [line for line in values if line]
    named = list(filter(None, names))
    repeat = len(values) > len(named) > 0 and all(_repeats(*pair) for pair in pairwise(values))
    return [[*named, line] for line in values] if repeat else [row]


def _count_alike(names: Sequence[Sequence[Segment]]) -> bool:
    """Whether several names are alike but for their numbers: "1.0 mm", "1.5 mm"."""
    texts = [" ".join(segment.text for segment in name) for name in names]
    shapes = {_NUMBER.sub("#", text) for text in texts}
    return len(set(texts)) == len(texts) > 1 == len(shapes)


def _repeats(above: Sequence[Segment], line: Sequence[Segment]) -> bool:
    """Whether each value stands below another one, most of the same kind: "230 V", not "60 Hz"."""
    if len(above) != len(line) or len(line) < _LEAST_REPEATED:
        return False
    pairs = list(zip(above, line, strict=True))
    below = all(one.box[0] < other.box[2] and one.box[2] > other.box[0] for one, other in pairs)
    alike = sum(
        any(map(str.isdigit, other.text))
        and _NUMBER.sub("#", one.text) == _NUMBER.sub("#", other.text)
        for one, other in pairs
    )
    return below and 2 * alike > len(pairs)


class _Place(NamedTuple):
    """Where a cell is: its columns, of which a wider one comes first, and its rows."""

    left: int
    minus_right: int
    first: int
    last: int


def _spanned_rows(
    segments: Sequence[Segment],
    columns: Sequence[Extent],
    fences: Sequence[Fence],
    cuts: Sequence[Cut],
) -> list[TableRow]:
    """Return the rows of a table with cells that go over several, [] if lines part groups of rows.

    Such a cell is of all its rows; one right of them that says more than a value is of the first,
    and of a row that has one cell of its own.
    """
    cuts = _below_head(segments, columns, fences, cuts)
    drawn: dict[_Place, list[Segment]] = {}
    for segment in segments:
        homes = _homes(segment, columns, fences)
        if not homes:
            return []
        lines = [n for n, (_, across) in enumerate(cuts) if across.intersection(homes)]
        place = _Place(homes[0], -homes[-1], *_rows_of(segment, cuts, lines))
        drawn.setdefault(place, []).append(segment)
    cells: dict[_Place, list[Segment]] = {}
    for place, cell in drawn.items():
        parted = [n for n in range(place.first, place.last) if _part(cell, cuts[n][0])]
        parted = parted if parted and _are_level(cell, list(drawn.values())) else []
        for segment in sorted(cell, key=lambda s: (s.centre[1], s.box[0])):
            first, last = _rows_of(segment, cuts, [place.first - 1, *parted, place.last])
            cells.setdefault(place._replace(first=first, last=last), []).append(segment)
    rows: list[TableRow] = []
    alone: list[list[list[Segment]]] = []
    for row in range(len(cuts) + 1):
        own = sorted(at for at in cells if at.first == row)
        if own:
            over = [at for at in cells if at.first < row <= at.last]
            if len(own) > 1:
                over = [at for at in over if at.left < own[0].left or _is_value(cells[at])]
            rows.append(TableRow(tuple(tuple(cells[at]) for at in sorted(over + own))))
            alone.append(visual_rows([s for at in own if at.last == row for s in cells[at]]))
    return rows if _are_rows([row for row in alone if row], columns) else []


def _are_level(cell: Sequence[Segment], cells: Sequence[Sequence[Segment]]) -> bool:
    """Whether each part of a cell is at the height of others: in rows that no line parts there.

    Of one cell over several rows, the lines stand between those of the others.
    """
    parts: list[list[Segment]] = []
    for line in visual_rows(cell):
        height = min(s.box[3] - s.box[1] for s in line)
        if not parts or gap_between(parts[-1], line) > _ONE_CELL * height:
            parts.append([])
        parts[-1] += line
    others = [hull(s.box for s in other) for other in cells if other is not cell]
    return all(any(_is_level(part, box) for box in others) for part in parts)


def _is_level(part: Sequence[Segment], box: BoxTuple) -> bool:
    """Whether text begins at the height of a cell, or is centred there."""
    _, top, _, bottom = hull(s.box for s in part)
    off = _LEVEL * min(s.box[3] - s.box[1] for s in part)
    return abs(top - box[1]) <= off or abs(top + bottom - box[1] - box[3]) <= 2 * off


def _is_value(cell: Sequence[Segment]) -> bool:
    """Whether a cell is short enough to stand in several rows."""
    return sum(len(segment.text.split()) for segment in cell) <= _LONGEST_VALUE


def _below_head(
    segments: Sequence[Segment],
    columns: Sequence[Extent],
    fences: Sequence[Fence],
    cuts: Sequence[Cut],
) -> Sequence[Cut]:
    """Return the cuts without those inside the first row, if one of its headings is over others."""
    top = min(s.centre[1] for s in segments)
    whole = (y for y, across in cuts if y > top and len(across) == len(columns))
    head = next(whole, top)
    is_parted = all(_is_fenced(right, top, fences) for _, right in columns[:-1])
    return cuts if is_parted else [cut for cut in cuts if not top < cut[0] < head]


def _homes(segment: Segment, columns: Sequence[Extent], fences: Sequence[Fence]) -> list[int]:
    """Return the columns of the cell that a segment is in: those that nothing parts there."""
    homes = [n for n, column in enumerate(columns) if _overlaps(segment, column)]
    x = segment.centre[0]
    homes = homes or [n for n, (left, right) in enumerate(columns) if left <= x <= right][:1]
    if homes:
        y = segment.centre[1]
        while homes[0] and not _is_fenced(columns[homes[0] - 1][1], y, fences):
            homes.insert(0, homes[0] - 1)
        while homes[-1] < len(columns) - 1 and not _is_fenced(columns[homes[-1]][1], y, fences):
            homes.append(homes[-1] + 1)
    return homes


def _is_fenced(x: float, y: float, fences: Sequence[Fence]) -> bool:
    """Whether an upright line is there; those of two cells do not quite meet."""
    near = (fence for fence in fences if abs(fence[0] - x) <= _SAME_RULE)
    return any(top - _SAME_RULE <= y <= end + _SAME_RULE for _, top, end in near)


def _rows_of(segment: Segment, cuts: Sequence[Cut], lines: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last row of the cell that a segment is in. lines: that part it."""
    row = bisect(cuts, segment.centre[1], key=itemgetter(0))
    at = bisect_left(lines, row)
    return (lines[at - 1] + 1 if at else 0, lines[at] if at < len(lines) else len(cuts))


def _overlaps(segment: Segment, column: Extent) -> bool:
    left, right = column
    return segment.box[0] < right - _SAME_RULE and segment.box[2] > left + _SAME_RULE


def _part(segments: Sequence[Segment], y: float) -> bool:
    """Whether text stands above and below a height, too far apart for one cell."""
    above = [s for s in segments if s.centre[1] < y]
    below = [s for s in segments if s.centre[1] >= y]
    if not (above and below):
        return False
    gap = min(s.box[1] for s in below) - max(s.box[3] for s in above)
    return gap > _ONE_CELL * min(s.box[3] - s.box[1] for s in (*above, *below))


def _between_fences(
    lines: Sequence[Sequence[Segment]], columns: Sequence[Extent]
) -> tuple[tuple[Segment, ...], ...]:
    """Collect the segments of one row by columns that lines separate, () if one lies over two."""
    cells: list[list[Segment]] = [[] for _ in columns]
    for segment in (s for line in lines for s in line):
        left, _, right, _ = segment.box
        homes = [i for i, (start, end) in enumerate(columns) if left < end and right > start]
        inner = [i for i in homes if _inside(segment, columns[i])]
        if not inner:
            return ()
        cells[inner[0]].append(segment)
    for cell in cells:
        cell.sort(key=lambda s: (s.centre[1], s.box[0]))
    return tuple(tuple(cell) for cell in cells if cell)


def _inside(segment: Segment, column: Extent) -> bool:
    return column[0] - _SAME_RULE <= segment.box[0] and segment.box[2] <= column[1] + _SAME_RULE


def header_row(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the first row if it reads like column headings: words, no values, or bold.

    One that has codes like those below it ("E42" above "E43"), names an option as they do
    ("-k, --keep") or says a whole sentence is a row like the others. Values are headings only
    where the rows below have names on their left ("185450" of the model "WPM II").
    """
    if len(rows) < 2:
        return None
    first = rows[0]
    if len(first.cells) < 2:
        return None
    segments = [segment for cell in first.cells for segment in cell]
    others = [s for row in rows[1:] for cell in row.cells for s in cell]
    is_bold = _in_bold(segments) and not _in_bold(others)
    has_value = any(_VALUE.match(s.text) for s in segments)
    like_others = any(
        is_like(first, rows[1:])
        for is_like in (_has_codes_like, _is_option_like, _is_named_like, _is_indented_like)
    )
    has_value = has_value and not _stands_beside_names(first, rows[1:])
    if _is_coded_like(first, rows[1:]):
        return None
    return first if is_bold or not (has_value or like_others or _tells(first)) else None


def _in_bold(segments: Sequence[Segment]) -> bool:
    """Whether text is bold but for signs, which a font may have in one weight alone: "Ω"."""
    return all(s.bold for s in segments if len(s.text) > 1) and any(s.bold for s in segments)


def below_codes(header: TableRow, row: TableRow) -> list[TableRow]:
    """Return each code with what stands below it, where codes head a table's only row: "E1 | E2".

    [] if that is not so: other headings say what all values are, not what each is of.
    """
    if not _LEAST_CODES <= len(header.cells) == len(row.cells):
        return []
    if not all(_CODE.fullmatch(" ".join(s.text for s in cell)) for cell in header.cells):
        return []
    return [TableRow(pair) for pair in zip(header.cells, row.cells, strict=True)]


def numbered_groups(rows: Sequence[TableRow], columns: Sequence[Extent]) -> tuple[Extent, ...]:
    """Return where each group of columns is, if each begins with a number: "1 | Lid | 2 | Key".

    The numbers count on, across the groups or down each of them. Empty if there are no such.
    """
    for size in range(2, len(columns) // 2 + 1):
        if len(columns) % size:
            continue
        groups = tuple(
            (columns[first][0], columns[first + size - 1][1])
            for first in range(0, len(columns), size)
        )
        parts = [row.parts(groups) for row in rows]
        firsts = [[part.cells[0] if part.cells else () for part in row] for row in parts]
        across = [cell for row in firsts for cell in row if cell]
        down = [cell for place in range(len(groups)) for row in firsts for cell in row[place:][:1]]
        if all(parts) and any(_count_on(list(filter(None, each))) for each in (across, down)):
            return groups
    return ()


def _count_on(cells: Sequence[Sequence[Segment]]) -> bool:
    """Whether cells are whole numbers one after the other."""
    texts = [cell[0].text.strip("().") if len(cell) == 1 else "" for cell in cells]
    if len(texts) < _LEAST_NUMBERED or not all(map(str.isdecimal, texts)):
        return False
    return all(int(after) == int(before) + 1 for before, after in pairwise(texts))


def row_below_head(
    header: TableRow, rows: Sequence[TableRow], columns: Sequence[Extent], fences: Sequence[Fence]
) -> TableRow | None:
    """Return the row that parts the headings over several columns into one for each of these.

    Upright lines part the columns there and not above, and it has nothing in the others.
    """
    following = rows[rows.index(header) + 1 :]
    if not following or not columns:
        return None
    over = [_homes(cell[0], columns, fences) for cell in header.cells]
    if sum(map(len, over)) != len({place for homes in over for place in homes}):
        return None  # no lines are drawn in the head
    spanned = {place for homes in over if len(homes) > 1 for place in homes}
    own = [_homes(segment, columns, fences) for cell in following[0].cells for segment in cell]
    parted = all(len(homes) == 1 for homes in own) and {place for (place, *_) in own} == spanned
    return following[0] if spanned and parted else None


def _stands_beside_names(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether the first row has nothing where most others have a name, and no cells like theirs."""
    left = min(s.box[0] for s in first.cells[0])
    named = [row for row in others if len(row.cells) > 1 and _extent(row.cells[0])[1] < left]
    shapes = _shapes(first)
    alike = sum(_shapes(row)[-len(shapes) :] == shapes for row in named)
    return 2 * len(named) > len(others) and 2 * alike <= len(named)


def names_rows(row: TableRow, rows: Sequence[TableRow], columns: int) -> bool:
    """Whether a row names those below it and is not one of them.

    It has one cell, and is marked differently from the first cells of the rows: it is
    bold and they are not, or it ends with a colon and they do not. Of codes with what they stand
    for, a bold one names those of its parts. columns: how many the table has.
    """
    firsts = [other.cells[0] for other in rows if len(other.cells) > 1]
    if columns < 2 or not firsts:
        return False
    if len(row.cells) == columns == 2:
        return _is_coded_like(row, rows) and is_set_apart(row, rows)
    if len(row.cells) != 1:
        return False
    bold = sum(map(_is_bold, firsts)) * 2 < len(firsts)
    colons = sum(cell[-1].text.endswith(":") for cell in firsts) * 2 < len(firsts)
    return (bold and _is_bold(row.cells[0])) or (colons and row.text.endswith(":"))


def is_set_apart(row: TableRow, rows: Sequence[TableRow]) -> bool:
    """Whether a row is bold and most of a table's are not."""
    bold = [all(map(_is_bold, each.cells)) for each in rows]
    return all(map(_is_bold, row.cells)) and 2 * sum(bold) < len(bold)


def _is_bold(cell: Sequence[Segment]) -> bool:
    return all(segment.bold for segment in cell)


def title_row(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the first row if it spans the columns of those below it, as a title does."""
    if len(rows) < 3 or len(rows[0].cells) != 1 or LEADERS.search(rows[0].text):
        return None
    return rows[0] if all(len(row.cells) > 1 for row in rows[1:3]) else None


def _has_codes_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether a cell with a number is built like most of those below it: "E42", "W 0-100"."""
    for column, cell in enumerate(_shapes(first)):
        below = [shapes[column] for row in others if len(shapes := _shapes(row)) > column]
        if "#" in cell and 2 * below.count(cell) > len(below):
            return True
    return False


def _is_coded_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether it begins with a code, as most of the others do: "FA1" above "X1" and "AA5-X2"."""
    codes = [_CODE.fullmatch(" ".join(s.text for s in row.cells[0])) for row in (first, *others)]
    return codes[0] is not None and 2 * sum(map(bool, codes[1:])) > len(others)


def _is_option_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    options = sum(_OPTION.match(row.text) is not None for row in others)
    return _OPTION.match(first.text) is not None and 2 * options > len(others)


def _is_named_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether it begins with a name and a colon, as most of the others do: "Weight: | 5 kg"."""
    colons = sum(row.cells[0][-1].text.endswith(":") for row in others)
    return first.cells[0][-1].text.endswith(":") and 2 * colons > len(others)


def _is_indented_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether it begins where several others do, which stand further right than their names."""
    level = sum(abs(row.left - first.left) < _SAME_RULE for row in others)
    names = sum(len(row.cells) == 1 and row.left <= first.left - _INDENT for row in others)
    return level > 1 and names > 0


def _tells(row: TableRow) -> bool:
    """Whether a row says a whole sentence; short words beside it are headings it was read into."""
    cells = row.text.split(CELL_SEPARATOR)
    names = [cell for cell in cells if not any(character.isdigit() for character in cell)]
    short = sum(len(name.split()) <= _HEADING_WORDS for name in names)
    sentences = [cell for cell in cells if cell.endswith((".", "!")) and len(cell.split()) > 3]
    return short < _HEADINGS and bool(sentences)


def _shapes(row: TableRow) -> list[str]:
    texts = (" ".join(s.text for s in cell) for cell in row.cells)
    return [re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "#", text)) for text in texts]


def looks_tabular(segments: Sequence[Segment], least: int) -> bool:
    """Whether text is a table drawn without lines: at least `least` lines with columns in line."""
    lines = visual_rows(segments)
    wide = [line for line in lines if len(line) >= 2]
    if len(wide) < least or len(wide) * 2 < len(lines):
        return False
    starts = [round(line[1].box[0] / 6) for line in wide]
    return any(starts.count(start) * 2 >= len(wide) for start in set(starts))


def looks_like_grid(segments: Sequence[Segment]) -> bool:
    """Whether what was taken for a picture is a table: nearly all lines have the same columns.

    Drawings have words that stand upright among them; tables have lines of one height.
    """
    heights = sorted(segment.box[3] - segment.box[1] for segment in segments)
    if not heights or heights[-1] > _ONE_HEIGHT * heights[len(heights) // 2]:
        return False
    lines = visual_rows(segments)
    wide = [line for line in lines if len(line) >= 3]
    return len(wide) * 4 >= len(lines) * 3 and looks_tabular(segments, _LEAST_GRID)


def _first_column(lines: Sequence[Sequence[Segment]]) -> tuple[float, float]:
    """Return the left and right end of the first column, seen on the fullest lines."""
    most = max(len(line) for line in lines)
    firsts = [line[0] for line in lines if len(line) == most]
    return min(s.box[0] for s in firsts), max(s.box[2] for s in firsts)


def _reaches(line: Sequence[Segment], column: tuple[float, float]) -> bool:
    """Whether a line has words in a column."""
    return any(s.box[0] < column[1] and s.box[2] > column[0] for s in line)


def _continues(
    line: Sequence[Segment],
    previous: Sequence[Segment],
    first_column: tuple[float, float],
    near_enough: float,
) -> bool:
    """Whether a line is of the row above: the rest of a word, or close without a first cell.

    near_enough: how many heights of a line they stand apart at most.
    """
    cut = (segment.box for segment in previous if segment.text.endswith(CUT))
    if any(x0 - _SAME_COLUMN <= s.box[0] < x1 for x0, _, x1, _ in cut for s in line):
        return True
    if _reaches(line, first_column):
        return False
    height = max(s.box[3] - s.box[1] for s in previous)
    return gap_between(previous, line) < near_enough * height


def _white_between_rows(lines: Sequence[Sequence[Segment]], first_column: Extent) -> float:
    """Return how far apart rows are at least, 0 if the white between lines does not tell.

    It does if some lines stand much closer than others, and those have fewer cells, or most have
    none in the first column.
    """
    gaps = [gap_between(*pair) for pair in pairwise(lines)]
    if len(gaps) < 2 * _LEAST_APART:
        return 0.0
    ordered = sorted(gaps)
    jumps = [(after - before, n) for n, (before, after) in enumerate(pairwise(ordered), 1)]
    jump, place = max(jumps[_LEAST_APART - 1 : len(jumps) - _LEAST_APART + 1])
    white = (ordered[place - 1] + ordered[place]) / 2
    height = median(s.box[3] - s.box[1] for line in lines for s in line)
    near = [line for gap, line in zip(gaps, lines[1:], strict=True) if gap < white]
    apart = [line for gap, line in zip(gaps, lines[1:], strict=True) if gap >= white]
    if not (near and apart):
        return 0.0
    fewer = mean(map(len, near)) < _FEWER * mean(map(len, apart))
    unnamed = 2 * sum(_reaches(line, first_column) for line in near) < len(near)
    told = jump > _JUMP * height and (fewer or (unnamed and jump > _FAR_APART * height))
    return white if told else 0.0


def _cells(lines: Sequence[Sequence[Segment]]) -> tuple[tuple[Segment, ...], ...]:
    """Collect the segments of one row by column: those whose extents overlap."""
    cells: list[list[Segment]] = []
    for segment in sorted((s for line in lines for s in line), key=lambda s: s.box[0]):
        home = next((cell for cell in cells if _same_column(cell, segment)), None)
        if home is None:
            cells.append([segment])
        else:
            home.append(segment)
    for cell in cells:
        cell.sort(key=lambda s: (s.centre[1], s.box[0]))
    return tuple(tuple(cell) for cell in cells)


def _same_column(cell: Sequence[Segment], segment: Segment) -> bool:
    return any(
        min(other.box[2], segment.box[2]) - max(other.box[0], segment.box[0])
        > _MOST_OF * min(other.box[2] - other.box[0], segment.box[2] - segment.box[0])
        and abs(other.centre[1] - segment.centre[1]) > 2
        for other in cell
    )


# Heights of a line between two rows; ruled tables are spacious.
_ROW_GAP, _LINE_GAP = 2.2, 0.6
# Cells have few words; the lines of a page set in two columns have many.
_MOST_WORDS = 4
_LONGEST_HEADING, _LONGEST_CELL = 12, 8  # words


@dataclass(slots=True)
class _Grid:
    """Lines whose cells stand below each other. columns: left and right end of each."""

    lines: list[list[Segment]] = field(default_factory=list)
    columns: list[tuple[float, float]] = field(default_factory=list)

    def fits(self, line: Sequence[Segment]) -> bool:
        """Whether a line continues the table: a row, or more of the row above it."""
        height, gap = _height(self.lines[-1]), gap_between(self.lines[-1], line)
        met = self.columns_met(line)
        if len(line) >= 2:
            cells = all(len(s.text.split()) <= _LONGEST_CELL for s in line)
            return gap < _ROW_GAP * height and met >= 2 and cells
        return gap < _LINE_GAP * height and met == 1

    def columns_met(self, line: Sequence[Segment]) -> int:
        """Return how many columns a line extends over."""
        return sum(
            any(segment.box[0] < right and segment.box[2] > left for segment in line)
            for left, right in self.columns
        )

    def add(self, line: list[Segment]) -> None:
        """Take a line in; its cells widen the columns they stand in or are new ones."""
        self.lines.append(line)
        for segment in line:
            _widen(self.columns, (segment.box[0], segment.box[2]))

    @property
    def is_table(self) -> bool:
        """Whether these are the rows of a table."""
        rows = [line for line in self.lines if len(line) >= 2]
        if len(rows) < _LEAST_ROWS:
            return False
        return median(len(s.text.split()) for row in rows for s in row) <= _MOST_WORDS


def table_regions(segments: Sequence[Segment]) -> tuple[RawRegion, ...]:
    """Return where tables are, each with a line of headings above it."""
    lines = visual_rows(segments)
    return tuple(RawRegion("table", box) for box in _tables(lines))


def _tables(lines: Sequence[list[Segment]]) -> Iterator[BoxTuple]:
    grid, above = _Grid(), None
    for index, line in enumerate(lines):
        if grid.lines and grid.fits(line):
            grid.add(line)
            continue
        if grid.is_table:
            yield _box(grid, above)
        grid, above = _Grid(), lines[index - 1] if index else None
        if len(line) >= 2:
            grid.add(line)
    if grid.is_table:
        yield _box(grid, above)


def _box(grid: _Grid, above: Sequence[Segment] | None) -> BoxTuple:
    """Return the box of a table with the headings that were read as one line."""
    boxes = [segment.box for line in grid.lines for segment in line]
    has_values = any(_VALUE.match(segment.text) for segment in grid.lines[0])
    if above and has_values and len(above) == 1 and _is_heading(above, grid):
        boxes.append(above[0].box)
    return hull(boxes)


def _is_heading(line: Sequence[Segment], grid: _Grid) -> bool:
    return (
        grid.columns_met(line) >= 2
        and len(line[0].text.split()) <= _LONGEST_HEADING
        and gap_between(line, grid.lines[0]) < _ROW_GAP * _height(line)
    )


def _height(line: Sequence[Segment]) -> float:
    return median(segment.box[3] - segment.box[1] for segment in line)
