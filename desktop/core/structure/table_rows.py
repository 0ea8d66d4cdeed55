"""The rows of a table, each with its cells: by rules, by the white between lines, by names."""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from statistics import mean, median
from typing import TYPE_CHECKING, NamedTuple

from desktop.core.structure.leaders import RUN
from desktop.core.structure.raw import Segment, gap_between, hull, visual_rows
from desktop.core.structure.ruled_rows import are_rows, between_rules
from desktop.core.structure.signs import CELL_SEPARATOR
from desktop.core.structure.table_columns import (
    MOST_OF,
    SAME_COLUMN,
    extent_of,
    first_column_of,
    homes_of,
    is_inside,
    reaches,
    widen,
)
from desktop.core.structure.table_lines import is_fenced
from desktop.core.whole_words import CUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.ruled_rows import Cut
    from desktop.core.structure.table_columns import Extent
    from desktop.core.structure.table_lines import Fence
    from desktop.core.structure.values import BoxTuple

# Of a line's height: how much further apart rows are than the lines of one; so many of both, and
# the lines of one row have so many of the cells of others.
_JUMP, _FAR_APART, _LEAST_APART, _FEWER = 0.25, 0.5, 2, 0.75
# Heights of a line: text that stands further apart is not of one cell.
_ONE_CELL = 0.6
# Heights of a line: lines of two cells in one row are not further off each other.
_LEVEL = 0.15
# Heights of a line between it and the next one of a cell; what a name with a colon is for may have
# several paragraphs.
_NEXT_LINE, _NEXT_PARAGRAPH = 0.45, 1.2
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LEAST_REPEATED = 2  # values
INDENT = 6.0
"""Points that a row begins further right than the one that names it."""
_LONGEST_VALUE = 40  # words; more of them explain


def text_of_cell(cell: Sequence[Segment]) -> str:
    """Return the words of a cell, one of which may have an upright line among them."""
    return " ".join(segment.text for segment in cell)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One logical row: its cells from left to right, each with its segments."""

    cells: tuple[tuple[Segment, ...], ...]

    @property
    def text(self) -> str:
        """The cells joined by a bar."""
        return CELL_SEPARATOR.join(map(text_of_cell, self.cells))

    @property
    def name(self) -> str:
        """Its first cell."""
        return text_of_cell(self.cells[0])

    @property
    def left(self) -> float:
        """Where its first cell begins."""
        return self.cells[0][0].box[0]

    def is_indented_below(self, row: TableRow, columns: Sequence[Extent]) -> bool:
        """Whether it begins further right than a row of one cell above it, in the same column."""
        end = columns[0][1] if columns else self.left
        return len(row.cells) == 1 and row.left + INDENT <= self.left < end

    def parts(self, extents: Sequence[Extent]) -> list[TableRow]:
        """Return its cells in each of some groups of columns, [] if one goes over two of them."""
        parts: list[list[tuple[Segment, ...]]] = [[] for _ in extents]
        for cell in self.cells:
            left, right = extent_of(cell)
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


def column_extents(rows: Sequence[TableRow]) -> tuple[Extent, ...]:
    """Return the columns that the cells of all rows stand in, from left to right.

    Seen first on the rows with the most cells; a cell over several columns belongs to none.
    """
    columns: list[Extent] = []
    for row in sorted(rows, key=lambda row: -len(row.cells)):
        for cell in row.cells:
            widen(columns, extent_of(cell))
    return tuple(sorted(columns))


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
    first_column = first_column_of(lines)
    ruled = between_rules(lines, rules, columns) if rules else None
    rows = _by_white(lines, first_column) if ruled is None else ruled
    apart = [part for row in rows for part in _without_names(row, first_column)]
    parted = [part for row in apart for part in _rows_below_a_name(row, first_column)]
    return [TableRow(_between_fences(row, columns) or _cells(row)) for row in parted]


def at_leaders(row: TableRow) -> list[TableRow]:
    """Return a row with a cell on both sides of dots; lines with dots below each other as rows.

    What stands left of the first of these names them all: "Capacity (over bed) ... 12 in".
    """
    lines = visual_rows([segment for cell in row.cells for segment in cell])
    if not any(segment.cells for line in lines for segment in line):
        return [row]
    rows: list[list[tuple[Segment, ...]]] = []
    for line in lines:
        said = [segment for segment in line if not RUN.fullmatch(segment.text)]
        cells: list[tuple[Segment, ...]] = [
            (cell,) for segment in said for cell in segment.cells or (segment,)
        ]
        if rows and not any(segment.cells for segment in said):
            rows[-1][-1] = (*rows[-1][-1], *said)  # the value goes on
            continue
        name = rows[0][0] if rows and len(rows[0]) > 2 else ()
        inside = bool(name) and name[0].box[0] + INDENT <= line[0].box[0]
        rows.append([name, *cells] if inside else cells)
    return [TableRow(tuple(cells)) for cells in rows if cells]


def with_names(
    rows: Sequence[TableRow],
    heads: Sequence[TableRow],
    columns: Sequence[Extent],
    *,
    drawn: bool = False,
) -> list[TableRow]:
    """Return rows, each without a cell in the first column with the one above it there.

    A problem stands once, beside the first of its causes. Where the first row has no name either,
    names may stand beside the middle of their rows, and no row gets one. heads: which of the rows
    are headings. drawn: between lines, where a row that gets a name has as many cells besides, and
    a letter is no name.
    """
    named: list[TableRow] = []
    above: TableRow | None = None
    for row in rows:
        if row in heads:
            named.append(row)
            continue
        if reaches(row.cells[0], columns[0]):
            is_name = any(map(str.isalpha, row.name)) and len(row.name) > drawn
            tells = len(row.cells) > 1 and is_name
            above = row if tells else None
        elif all(each in heads for each in named):
            return list(rows)
        elif (
            above is not None
            and _goes_on_below(above, row, columns)
            and not (drawn and len(row.cells) < len(above.cells) - 1)
        ):
            row = TableRow((above.cells[0], *row.cells))
        named.append(row)
    return named


def _goes_on_below(above: TableRow, row: TableRow, columns: Sequence[Extent]) -> bool:
    """Whether each cell of a row stands below one of the row above it, and is set like that."""
    several = len(row.cells) > 1 or len(columns) == 2
    below = all(any(_is_like(cell, other) for other in above.cells[1:]) for cell in row.cells)
    return several and below


def _is_like(cell: Sequence[Segment], other: Sequence[Segment]) -> bool:
    """Whether a cell stands in the column of another one, and is as bold."""
    (left, right), (start, end) = extent_of(cell), extent_of(other)
    is_bold, was_bold = (all(s.bold for s in each) for each in (cell, other))
    return left < end and right > start and is_bold <= was_bold


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
    if any(x0 - SAME_COLUMN <= s.box[0] < x1 for x0, _, x1, _ in cut for s in line):
        return True
    if reaches(line, first_column):
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
    unnamed = 2 * sum(reaches(line, first_column) for line in near) < len(near)
    told = jump > _JUMP * height and (fewer or (unnamed and jump > _FAR_APART * height))
    return white if told else 0.0


def _without_names(row: list[list[Segment]], first_column: Extent) -> list[list[list[Segment]]]:
    """Return the lines between two rules cut around each that names the rows below it.

    It is bold and alone, and the one below it has several cells, the first of which is not bold.
    """
    cuts = set()
    for n, (line, below) in enumerate(pairwise(row)):
        is_name = len(line) == 1 and line[0].bold and reaches(line, first_column)
        if is_name and len(below) > 1 and reaches(below[:1], first_column) and not below[0].bold:
            cuts |= {n, n + 1}
    bounds = sorted({0, *cuts, len(row)})
    return [row[start:end] for start, end in pairwise(bounds)]


def _rows_below_a_name(row: list[list[Segment]], first_column: Extent) -> list[list[list[Segment]]]:
    """Return the lines between two rules as rows that one name is for, if they repeat each other.

    Where a cell goes on over several lines, these seldom have equally many values of one kind.
    """
    names = [[s for s in line if reaches([s], first_column)] for line in row]
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
        homes = homes_of(segment, columns, fences)
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
    return rows if are_rows([row for row in alone if row], columns) else []


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
    is_parted = all(is_fenced(right, top, fences) for _, right in columns[:-1])
    return cuts if is_parted else [cut for cut in cuts if not top < cut[0] < head]


def _rows_of(segment: Segment, cuts: Sequence[Cut], lines: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last row of the cell that a segment is in. lines: that part it."""
    row = bisect(cuts, segment.centre[1], key=itemgetter(0))
    at = bisect_left(lines, row)
    return (lines[at - 1] + 1 if at else 0, lines[at] if at < len(lines) else len(cuts))


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
        inner = [i for i in homes if is_inside(segment, columns[i])]
        if not inner:
            return ()
        cells[inner[0]].append(segment)
    for cell in cells:
        cell.sort(key=lambda s: (s.centre[1], s.box[0]))
    return tuple(tuple(cell) for cell in cells if cell)


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
        > MOST_OF * min(other.box[2] - other.box[0], segment.box[2] - segment.box[0])
        and abs(other.centre[1] - segment.centre[1]) > 2
        for other in cell
    )
