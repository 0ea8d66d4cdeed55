"""Which of the lines drawn through a table part its rows, and in which of its columns."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.structure.raw import Segment, gap_between
from desktop.core.structure.signs import shape_of
from desktop.core.structure.table_columns import (
    LEAST_FENCED,
    are_near,
    first_column_of,
    is_inside,
    reaches,
)
from desktop.core.structure.table_lines import (
    SAME_RULE,
    covered_width,
    edges_across,
    row_rules,
    rules_beside,
    without_shaded_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop.core.structure.table_columns import Extent
    from desktop.core.structure.table_lines import Fence
    from desktop.core.structure.values import BoxTuple

Cut = tuple[float, frozenset[int]]
"""The height of lines drawn through a table, and the columns that they go across."""

LEAST_ROWS = 3
"""Fewer rows make no table where no upright lines do."""
# A line with such a share of the columns may begin a row (with all of them only where there are
# several below the headings), or one with words in the first column; most rows have one. Several
# of them between two rules are rows of their own, whatever is looked at: the rules part groups.
_FULL = (0.5, 0.75, 1.0)
_MOST_STARTS = 1.34
# A line goes across a column if it covers so much of it.
_MOST_ACROSS = 0.8
# Of the first lines of cells: so few begin with a small letter; and so many of the others.
_HARDLY_ANY, _GOING_ON = 0.2, 0.5
# Heights of a line: lines of other columns that go so far into each other are of cells that are
# centred in one row.
_INTO = 0.2
_A_NUMBER = "#"


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
    cell may be shaded by itself. Without drawn lines the edges of cells count before those.

    lines: of text, from top to bottom. columns: by the lines between them, see `fenced_columns`.
    fences: upright lines; drawn for each row, they tell the rows where no rules do.
    """
    edges = row_rules(box, drawings)
    of_cells = row_rules(box, without_shaded_lines(box, drawings))
    drawn = row_rules(box, [each for each in drawings if each[3] - each[1] <= SAME_RULE])
    if not drawn or between_rules(lines, drawn, columns) is None:
        if of_cells != edges and between_rules(lines, of_cells, columns) is not None:
            return of_cells
        beside = tuple(sorted({*edges, *rules_beside(fences)}))
        told = between_rules(lines, edges, columns) or not between_rules(lines, beside, columns)
        return edges if told else beside
    first_column = first_column_of(lines, columns)
    named = [line for line in lines if reaches(line, first_column)]
    starts = [
        line[0].centre[1]
        for before, line in zip([None, *named], named, strict=False)
        if _count(line, columns) > 1 or (line[0].bold and not (before and before[0].bold))
    ]
    begun = Counter(np.searchsorted(drawn, starts).tolist())
    parting = (y for y in of_cells if begun[int(np.searchsorted(drawn, y))] > 1)
    return tuple(sorted({*drawn, *parting}))


def column_cuts(
    box: BoxTuple, drawings: Sequence[BoxTuple], rules: Sequence[float], columns: Sequence[Extent]
) -> tuple[Cut, ...]:
    """Return what parts the rows in each column, () if everything does in all columns.

    Where a line has a gap, a cell goes over the rows on both of its sides. rules: also by shaded
    areas, see `table_rules`. columns: by the lines between them, see `fenced_columns`.
    """
    edges = edges_across([each for each in drawings if each[3] - each[1] <= SAME_RULE])
    edges = edges[(edges[:, 2] > box[1]) & (edges[:, 2] < box[3])]
    edges = edges[(edges[:, 0] < columns[-1][1]) & (edges[:, 1] > columns[0][0])]
    edges = edges[np.argsort(edges[:, 2], kind="stable")]
    apart = np.flatnonzero(np.diff(edges[:, 2]) > SAME_RULE) + 1
    cuts = []
    for group in np.split(edges, apart) if len(edges) else []:
        across = frozenset(n for n, each in enumerate(columns) if _goes_across(group, each))
        if across:
            cuts.append((float(group[:, 2].mean()), across))
    if all(len(across) == len(columns) for _, across in cuts):
        return ()
    everywhere = frozenset(range(len(columns)))
    shaded = (y for y in rules if all(abs(y - height) > SAME_RULE for height, _ in cuts))
    return tuple(sorted([*cuts, *((y, everywhere) for y in shaded)], key=lambda cut: cut[0]))


def _goes_across(edges: NDArray[np.float64], column: Extent) -> bool:
    left, right = column
    inside = np.clip(edges, [left, left, -np.inf], [right, right, np.inf])
    inside = inside[inside[:, 1] > inside[:, 0]]
    return len(inside) > 0 and covered_width(inside) >= _MOST_ACROSS * (right - left)


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
    return rows if are_rows(rows, columns) else None


def are_rows(rows: Sequence[Sequence[list[Segment]]], columns: Sequence[Extent]) -> bool:
    """Whether lines that rules part are rows rather than groups of rows.

    One alone is a row if its cells are centred.
    """
    if len(rows) == 1 and len(rows[0]) > 1 and columns:
        return all(_interlock(*pair) for pair in pairwise(rows[0]))
    if len(rows) < (LEAST_FENCED if columns else LEAST_ROWS):
        return False
    lines = [line for row in rows for line in row]
    cells = [[_count(line, columns) for line in row] for row in rows]
    most = max(map(max, cells))
    shares = _FULL if len(rows) >= LEAST_ROWS else _FULL[:-1]
    begins = [[[count >= share * most for count in row] for row in cells] for share in shares]
    begins.append([[count > 1 for count in row] for row in cells])
    # where the cells of a row are centred, lines stand above its first column
    first_column = first_column_of(lines, columns)
    begins.append([[reaches(line, first_column) for line in row] for row in rows])
    inner = _inner_ends(lines, columns) if columns else ()
    begins.append(
        [[not (n and _goes_on(row[:n], row[n], inner)) for n in range(len(row))] for row in rows]
    )
    if any(_runs_on(rows, column) for column in columns or _between_white(lines)):
        return True
    celled = [max(row) > 1 for row in cells]
    return any(_begin_once(list(map(_of_one, rows, starts)), celled) for starts in begins)


def _between_white(lines: Sequence[Sequence[Segment]]) -> list[Extent]:
    """Return the columns that white parts from top to bottom."""
    columns: list[Extent] = []
    for left, right in sorted((s.box[0], s.box[2]) for line in lines for s in line):
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _runs_on(rows: Sequence[Sequence[list[Segment]]], column: Extent) -> bool:
    """Whether the text of a column begins anew below each rule, and goes on in small letters.

    Between rules that part groups of rows, small letters begin either all rows or none.
    """
    cells = [[s.text[:1] for line in row for s in line if is_inside(s, column)] for row in rows]
    cells = [cell for cell in cells if cell]
    first, others = [cell[0] for cell in cells], [c for cell in cells for c in cell[1:]]
    several = sum(len(cell) > 1 for cell in cells)
    return (
        several >= LEAST_ROWS
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
    apart = not any(reaches(below, (s.box[0], s.box[2])) for s in line)
    return apart and gap_between(line, below) < -_INTO * height


def _count(line: Sequence[Segment], columns: Sequence[Extent]) -> int:
    """Return how many cells have words in a line; words close together in a column are of one."""
    close = sum(
        are_near(*pair) and any(all(is_inside(s, column) for s in pair) for column in columns)
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
        inside = [s.box[0] - left for s in segments if is_inside(s, (left, right))]
        ends.append((left, right - max(0.0, min(inside, default=0.0))))
    return tuple(ends)


def _goes_on(
    above: Sequence[Sequence[Segment]], line: Sequence[Segment], columns: Sequence[Extent]
) -> bool:
    """Whether every cell of a line goes on from the lines above, where its first word had no room.

    A cell with nothing above it may be centred in its row. Numbers below each other do not go on.
    columns: how far words reach in each, () if no lines part them.
    """
    segments = [segment for each in above for segment in each]
    full = []
    for left, right in columns:
        ended = [s for s in segments if is_inside(s, (left, right))]
        begun = [s for s in line if is_inside(s, (left, right))]
        if ended and begun:
            word = len(begun[0].text.split()[0]) + 1
            wide = (begun[0].box[2] - begun[0].box[0]) * word / max(len(begun[0].text), word)
            counted = shape_of(ended[-1].text) == shape_of(begun[0].text) == _A_NUMBER
            full.append(ended[-1].box[2] + wide > right and not counted)
    return bool(columns) and all(full)


def _begin_once(starts: Sequence[Sequence[bool]], celled: Sequence[bool]) -> bool:
    """Whether most rows have one line that may begin them, and few have several.

    One row alone does not tell that if others have several cells. starts: of each row, which of its
    lines may begin it. celled: which rows have several cells in a line.
    """
    known = [sum(row) for row in starts if any(row)]
    untold = sum(has_cells and not any(row) for row, has_cells in zip(starts, celled, strict=True))
    told = 2 * len(known) >= len(starts) and (len(known) > 1 or not untold)
    return told and float(np.mean(known)) <= _MOST_STARTS
