"""The rows and cells of a table, by its ruled lines, by its words, or as a scan shows them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.raw import RawRegion, Segment, hull, visual_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.values import BoxTuple

_SAME_RULE = 2.0  # points
_OVERHANG = 12.0
# Rules of single cells lie side by side; together they go over this share of the table.
_LEAST_COVER = 0.6
_LEAST_ROWS = 3
# A line with such a share of the columns may begin a row, or one with words in the first column;
# most rows have one. Several of them between two rules are rows of their own, whatever is looked
# at: the rules part groups.
_FULL = (0.5, 0.75)
_MOST_STARTS = 1.34


def row_rules(box: BoxTuple, drawings: Sequence[BoxTuple]) -> tuple[float, ...]:
    """Return the heights of the horizontal rules through a table, from top to bottom."""
    if not drawings:
        return ()
    x0, y0, x1, y1 = box
    edges = _edges(np.array(drawings, np.float64))
    lefts, rights = np.maximum(edges[:, 0], x0), np.minimum(edges[:, 1], x1)
    inside = (edges[:, 2] > y0 - _OVERHANG) & (edges[:, 2] < y1 + _OVERHANG) & (rights > lefts)
    edges = np.column_stack([lefts, rights, edges[:, 2]])[inside]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    apart = np.flatnonzero(np.diff(edges[:, 2]) > _SAME_RULE) + 1
    groups = np.split(edges, apart) if len(edges) else []
    least = _LEAST_COVER * (x1 - x0)
    return tuple(float(group[:, 2].mean()) for group in groups if _covered(group) >= least)


def between_rules(
    lines: Sequence[list[Segment]], rules: Sequence[float]
) -> list[list[list[Segment]]] | None:
    """Return the lines of text of each row, None if the rules do not part rows.

    lines: from top to bottom.
    """
    heights = np.array([np.mean([s.centre[1] for s in line]) for line in lines])
    places = np.searchsorted(np.array(rules), heights)
    starts = np.flatnonzero(np.diff(places)) + 1
    rows = [list(lines[i:j]) for i, j in pairwise([0, *starts.tolist(), len(lines)])]
    if len(rows) < _LEAST_ROWS:
        return None
    most = max(map(len, lines))
    begins = [[[len(line) >= share * most for line in row] for row in rows] for share in _FULL]
    # where the cells of a row are centred, lines stand above its first column
    first_column = _first_column(lines)
    begins.append([[_reaches(line, first_column) for line in row] for row in rows])
    return rows if any(map(_begin_once, begins)) else None


def _begin_once(starts: Sequence[Sequence[bool]]) -> bool:
    """Whether most rows have one line that may begin them, and few have several.

    starts: of each row, which of its lines may.
    """
    known = [sum(row) for row in starts if any(row)]
    return 2 * len(known) >= len(starts) and float(np.mean(known)) <= _MOST_STARTS


def _edges(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return left, right and height of the upper and lower edge of each drawing."""
    upper, lower = boxes[:, [0, 2, 1]], boxes[:, [0, 2, 3]]
    return np.concatenate([upper, lower])


def _covered(group: NDArray[np.float64]) -> float:
    """Return how much of the width some edges cover together."""
    ordered = group[np.argsort(group[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ordered[:, 1])
    gaps = np.maximum(0.0, ordered[1:, 0] - ends[:-1])
    return float(ends[-1] - ordered[0, 0] - gaps.sum())


CELL_SEPARATOR = " | "

_SAME_COLUMN = 8.0  # points
_LEAST_GRID = 8  # lines
_ONE_HEIGHT = 2.0
_SENTENCE = re.compile(r"(?:\S+\s+){3,}\S+[.!]$")
# So many cells of so few words make a row of headings.
_HEADINGS, _HEADING_WORDS = 2, 2
_OPTION = re.compile(r"--?[A-Za-z]")
# A line of contents: dots that lead to a page number.
_ENTRY = re.compile(r"\.{4,}|(?:\. ){4,}")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One logical row: its cells from left to right, each with its segments."""

    cells: tuple[tuple[Segment, ...], ...]

    @property
    def text(self) -> str:
        """The cells joined by a bar."""
        return CELL_SEPARATOR.join(" ".join(s.text for s in cell) for cell in self.cells)

    @property
    def boxes(self) -> tuple[BoxTuple, ...]:
        """One box per visual line of the row."""
        segments = [segment for cell in self.cells for segment in cell]
        return tuple(hull(s.box for s in line) for line in visual_rows(segments))

    @property
    def words(self) -> tuple[int, ...]:
        """Indices of the row's words, cell after cell."""
        return tuple(word for cell in self.cells for s in cell for word in s.words)


@dataclass(frozen=True, slots=True)
class TableHead:
    """What the rows of a table are called where it goes on over the page.

    text: caption and column headings. lefts: where its columns start, in points.
    """

    text: str
    lefts: tuple[float, ...]

    def heads(self, rows: Sequence[TableRow]) -> bool:
        """Whether rows at the top of the next page stand in the same columns."""
        lefts = column_lefts(rows)
        return len(lefts) == len(self.lefts) and all(
            abs(one - other) <= _SAME_COLUMN for one, other in zip(lefts, self.lefts, strict=True)
        )


def column_lefts(rows: Sequence[TableRow]) -> tuple[float, ...]:
    """Return where the columns start, seen on the row with the most cells."""
    if not rows:
        return ()
    fullest = max(rows, key=lambda row: len(row.cells))
    return tuple(min(s.box[0] for s in cell) for cell in fullest.cells)


def table_rows(segments: Sequence[Segment], rules: Sequence[float] = ()) -> list[TableRow]:
    """Return the logical rows of a table; lines that continue a cell join its row.

    rules: heights of the lines drawn through it, see `row_rules`.
    """
    lines = visual_rows(segments)
    if not lines:
        return []
    ruled = between_rules(lines, rules) if rules else None
    if ruled is not None:
        return [TableRow(_cells(row)) for row in ruled]
    first_column = _first_column(lines)
    rows: list[list[list[Segment]]] = []
    previous: list[Segment] = []
    for line in lines:
        if rows and _continues(line, previous, first_column):
            rows[-1].append(line)
        else:
            rows.append([line])
        previous = line
    return [TableRow(_cells(row)) for row in rows]


def header_row(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the first row if it reads like column headings: words, no values, or bold.

    One that has codes like those below it ("E42" above "E43"), names an option as they do
    ("-k, --keep") or says a whole sentence is a row like the others.
    """
    if len(rows) < 2:
        return None
    first = rows[0]
    if len(first.cells) < 2:
        return None
    segments = [segment for cell in first.cells for segment in cell]
    others = [s for row in rows[1:] for cell in row.cells for s in cell]
    is_bold = all(s.bold for s in segments) and not all(s.bold for s in others)
    has_value = any(re.match(r"^[\W]*\d", s.text) for s in segments)
    like_others = _has_codes_like(first, rows[1:]) or _is_option_like(first, rows[1:])
    return first if is_bold or not (has_value or like_others or _tells(first)) else None


def title_row(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the first row if it spans the columns of those below it, as a title does."""
    if len(rows) < 3 or len(rows[0].cells) != 1 or _ENTRY.search(rows[0].text):
        return None
    return rows[0] if all(len(row.cells) > 1 for row in rows[1:3]) else None


def _has_codes_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether a cell differs from most of those below it by its digits alone."""
    for column, cell in enumerate(_shapes(first)):
        below = [shapes[column] for row in others if len(shapes := _shapes(row)) > column]
        if "#" in cell and 2 * below.count(cell) > len(below):
            return True
    return False


def _is_option_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    options = sum(_OPTION.match(row.text) is not None for row in others)
    return _OPTION.match(first.text) is not None and 2 * options > len(others)


def _tells(row: TableRow) -> bool:
    """Whether a row says a whole sentence; short words beside it are headings it was read into."""
    cells = row.text.split(CELL_SEPARATOR)
    names = [cell for cell in cells if not any(character.isdigit() for character in cell)]
    short = sum(len(name.split()) <= _HEADING_WORDS for name in names)
    return short < _HEADINGS and any(_SENTENCE.match(cell) for cell in cells)


def _shapes(row: TableRow) -> list[str]:
    return [re.sub(r"\d+", "#", " ".join(s.text for s in cell)) for cell in row.cells]


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
    line: Sequence[Segment], previous: Sequence[Segment], first_column: tuple[float, float]
) -> bool:
    """Whether a line belongs to the row above: its first column is empty and it is close."""
    if _reaches(line, first_column):
        return False
    height = max(s.box[3] - s.box[1] for s in previous)
    gap = min(s.box[1] for s in line) - max(s.box[3] for s in previous)
    return gap < 0.45 * height


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
        > 0.4 * min(other.box[2] - other.box[0], segment.box[2] - segment.box[0])
        and abs(other.centre[1] - segment.centre[1]) > 2
        for other in cell
    )


# Heights of a line between two rows; ruled tables are spacious.
_ROW_GAP, _LINE_GAP = 2.2, 0.6
# Cells have few words; the lines of a page set in two columns have many.
_MOST_WORDS = 4
_LONGEST_HEADING, _LONGEST_CELL = 12, 8  # words
_VALUE = re.compile(r"\W*\d")


@dataclass(slots=True)
class _Grid:
    """Lines whose cells stand below each other. columns: left and right end of each."""

    lines: list[list[Segment]] = field(default_factory=list)
    columns: list[tuple[float, float]] = field(default_factory=list)

    def fits(self, line: Sequence[Segment]) -> bool:
        """Whether a line goes on with the table: a row, or more of the row above it."""
        height, gap = _height(self.lines[-1]), _gap(self.lines[-1], line)
        met = self.columns_met(line)
        if len(line) >= 2:
            cells = all(len(s.text.split()) <= _LONGEST_CELL for s in line)
            return gap < _ROW_GAP * height and met >= 2 and cells
        return gap < _LINE_GAP * height and met == 1

    def columns_met(self, line: Sequence[Segment]) -> int:
        """Return over how many columns a line stands."""
        return sum(
            any(segment.box[0] < right and segment.box[2] > left for segment in line)
            for left, right in self.columns
        )

    def add(self, line: list[Segment]) -> None:
        """Take a line in; its cells widen the columns they stand in or are new ones."""
        self.lines.append(line)
        for segment in line:
            left, right = segment.box[0], segment.box[2]
            same = [c for c in self.columns if left < c[1] and right > c[0]]
            if len(same) > 1:
                continue
            if same:
                self.columns.remove(same[0])
                left, right = min(left, same[0][0]), max(right, same[0][1])
            self.columns.append((left, right))

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
        and _gap(line, grid.lines[0]) < _ROW_GAP * _height(line)
    )


def _height(line: Sequence[Segment]) -> float:
    return median(segment.box[3] - segment.box[1] for segment in line)


def _gap(line: Sequence[Segment], below: Sequence[Segment]) -> float:
    return min(s.box[1] for s in below) - max(s.box[3] for s in line)
