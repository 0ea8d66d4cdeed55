"""What the rows of a table are called: its head, over the page too, and groups of its columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from desktop.core.structure.header_rows import is_set_apart
from desktop.core.structure.signs import CELL_SEPARATOR, CONTEXT_SEPARATOR, shape_of
from desktop.core.structure.table_columns import (
    SAME_COLUMN,
    Extent,
    columns_at,
    extent_of,
    homes_of,
)
from desktop.core.structure.table_lines import SAME_RULE, is_fenced
from desktop.core.structure.table_rows import TableRow, column_extents, text_of_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.raw import Segment
    from desktop.core.structure.table_lines import Fence

_LEAST_NUMBERED = 4  # entries of a legend
_LEAST_HEADED_ANEW = 3  # columns


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
        places = [columns_at(extent_of(cell), extents) for cell in row.cells] if groups else []
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
        elif not groups and not self.drawn and self._has_unnamed():
            headings = self._where_aligned(row)
        return CONTEXT_SEPARATOR.join(part for part in (self.caption, section, headings) if part)

    def _has_unnamed(self) -> bool:
        """Whether some columns have no heading, so that a row's cells have not one each."""
        return len(self.named) == len(self.columns) > len(self.headings.split(CELL_SEPARATOR))

    def _where_aligned(self, row: TableRow) -> str:
        """Return the headings of the cells that begin or end where a column does, or are centred.

        What stands elsewhere may be of several columns. All in the first column are of it.
        """
        own: list[str] = []
        first = self.columns[0]
        for cell in row.cells:
            left, right = extent_of(cell)
            places = [n for n, each in enumerate(self.columns) if _fits(cell, each)]
            places += [
                n
                for n, (start, end) in enumerate(self.columns)
                if abs(left + right - start - end) <= 2 * SAME_COLUMN
            ]
            if first[0] - SAME_COLUMN <= left and right <= first[1] + SAME_COLUMN:
                places = [0]
            name = self.named[places[0]] if places else ""
            own.append("" if name in own else name)
        return CELL_SEPARATOR.join(own) if any(own) else self.headings

    def below(self, row: TableRow, rows: Sequence[TableRow], fences: Sequence[Fence]) -> TableHead:
        """Return what the rows below one inside the table are called.

        One in bold without a cell in the first column heads those below it anew, and with cells
        in some of the columns it parts these, as far down as they are parted.
        """
        if not (self.named and self.drawn) or len(self.columns) < _LEAST_HEADED_ANEW:
            return self
        groups = _parted(row, self.columns, fences)
        extents = [(self.columns[group[0]][0], self.columns[group[-1]][1]) for group in groups]
        cells = {at: cell for cell in row.cells for at in columns_at(extent_of(cell), extents)}
        is_whole = len(cells) == len(groups) - 1
        several = len(cells) == len(row.cells) and (len(cells) > 1 or (cells and is_whole))
        if 0 not in cells and several and is_set_apart(row, rows):
            texts = [""] * len(self.columns)
            for at, cell in cells.items():
                for place in groups[at]:
                    texts[place] = text_of_cell(cell)
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

    def spanned(self, rows: Sequence[TableRow]) -> tuple[Extent, ...]:
        """Return where each group of columns is, if every heading is over several of them.

        Each has codes first, and what they stand for: "Fault code" and "Warning code" beside each
        other. Empty if that is not so. rows: those that are no headings. A column without a heading
        may part two groups.
        """
        groups = [
            [place for place, _ in members]
            for name, members in groupby(enumerate(self.named), key=itemgetter(1))
            if name
        ]
        if len(self.named) != len(self.columns) or len(groups) < 2 or min(map(len, groups)) < 2:
            return ()
        extents = tuple((self.columns[g[0]][0], self.columns[g[-1]][1]) for g in groups)
        parts = [part for row in rows for part in row.parts(extents) if part.cells]
        coded = sum("#" in shape_of(part.name) and " " not in part.name for part in parts)
        return extents if 2 * coded > len(parts) else ()

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
            and all(abs(left - begin[at]) <= SAME_COLUMN for at, (left, _) in enumerate(columns))
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
    return all(any(abs(x - end) <= SAME_RULE for x, _, _ in fences) for end in ends)


def _begin_alike(columns: Sequence[Extent], others: Sequence[Extent]) -> bool:
    pairs = zip(columns, others, strict=False)
    return len(columns) == len(others) and all(
        abs(one[0] - other[0]) <= SAME_COLUMN for one, other in pairs
    )


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
    own = [columns_at((segment.box[0], segment.box[2]), columns) for segment in segments]
    pairs = sorted(
        zip(segments, own, strict=True), key=lambda pair: (pair[0].centre[1], pair[0].box[0])
    )
    for segment, there in pairs:
        homes = homes_of(segment, columns, fences) if fences else []
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
    places = [columns_at((s.box[0], s.box[2]), columns) for s in segments]
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


def _parted(row: TableRow, columns: Sequence[Extent], fences: Sequence[Fence]) -> list[list[int]]:
    """Return the columns of each cell of a row: those that no upright line parts at its height."""
    boxes = [segment.box for cell in row.cells for segment in cell]
    middle = (min(box[1] for box in boxes) + max(box[3] for box in boxes)) / 2
    groups = [[0]]
    for place, (_, right) in enumerate(columns[:-1], 1):
        if is_fenced(right, middle, fences):
            groups.append([place])
        else:
            groups[-1].append(place)
    return groups


def _is_aligned(row: TableRow, columns: Sequence[Extent]) -> bool:
    """Whether each cell begins or ends where a column does; one over several columns does not."""
    return all(any(_fits(cell, column) for column in columns) for cell in row.cells)


def _fits(cell: Sequence[Segment], column: Extent) -> bool:
    (left, right), (start, end) = extent_of(cell), column
    return abs(left - start) <= SAME_COLUMN or abs(right - end) <= SAME_COLUMN


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
