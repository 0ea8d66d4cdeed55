"""Tables found by their words alone: lines of text whose cells stand below each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from desktop.core.structure.column_headings import is_value
from desktop.core.structure.raw import RawRegion, Segment, gap_between, hull, visual_rows
from desktop.core.structure.ruled_rows import LEAST_ROWS
from desktop.core.structure.table_columns import widen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.structure.values import BoxTuple

_LEAST_GRID = 8  # lines
# Of a table that was seen as a part of a picture: cells of a line, and lines with as many.
_LEAST_CELLS, _LEAST_FULL, _MOST_FULL = 4, 4, 0.6
_ONE_HEIGHT = 2.0
# Heights of a line between two rows; ruled tables are spacious.
_ROW_GAP, _LINE_GAP = 2.2, 0.6
# Cells have few words; the lines of a page set in two columns have many.
_MOST_WORDS = 4
_LONGEST_HEADING, _LONGEST_CELL = 12, 8  # words


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


def tables_below(segments: Sequence[Segment]) -> tuple[list[Segment], list[list[Segment]]]:
    """Return the labels of a picture without the tables below or above what is drawn, and these.

    Several lines with as many cells each, all of them one below the other. What is nothing but a
    table is no picture with one.
    """
    tables: list[list[Segment]] = []
    for region in table_regions(segments):
        lines = visual_rows([s for s in segments if s.stands_in(region.box, margin=1)])
        most = max(map(len, lines))
        full = [n for n, line in enumerate(lines) if len(line) == most]
        if most >= _LEAST_CELLS and len(full) >= max(_LEAST_FULL, _MOST_FULL * len(lines)):
            tables.append([segment for line in lines[full[0] :] for segment in line])
    taken = {segment for table in tables for segment in table}
    labels = [segment for segment in segments if segment not in taken]
    return (labels, tables) if labels else (list(segments), [])


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
            widen(self.columns, (segment.box[0], segment.box[2]))

    @property
    def is_table(self) -> bool:
        """Whether these are the rows of a table."""
        rows = [line for line in self.lines if len(line) >= 2]
        if len(rows) < LEAST_ROWS:
            return False
        return median(len(s.text.split()) for row in rows for s in row) <= _MOST_WORDS


def _box(grid: _Grid, above: Sequence[Segment] | None) -> BoxTuple:
    """Return the box of a table with the headings that were read as one line."""
    boxes = [segment.box for line in grid.lines for segment in line]
    has_values = any(is_value(segment.text) for segment in grid.lines[0])
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
