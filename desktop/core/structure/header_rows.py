"""Which rows of a table are no values: its title, its column headings, the names of other rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.structure.column_headings import build_of, heads_columns
from desktop.core.structure.signs import LEADERS, is_torn_off
from desktop.core.structure.table_columns import homes_of
from desktop.core.structure.table_lines import SAME_RULE
from desktop.core.structure.table_rows import TableRow, text_of_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.raw import Segment
    from desktop.core.structure.table_columns import Extent
    from desktop.core.structure.table_lines import Fence

_CODE = re.compile(r"[A-Z]{1,4}[./-]?\d[\w./-]*")
_LEAST_CODES, _LEAST_NAMES = 3, 2


def header_row(rows: Sequence[TableRow], rules: Sequence[float], *, drawn: bool) -> TableRow | None:
    """Return the first row if it says what the columns are, see `heads_columns`."""
    if len(rows) < 2 or len(rows[0].cells) < 2:
        return None
    return rows[0] if heads_columns(rows, rules, drawn=drawn) else None


def _has_codes_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether a cell with a number is built like most of those below it: "E42", "W 0-100"."""
    for column, cell in enumerate(_shapes(first)):
        below = [shapes[column] for row in others if len(shapes := _shapes(row)) > column]
        if "#" in cell and 2 * below.count(cell) > len(below):
            return True
    return False


def _is_coded_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether it begins with a code, as most of the others do: "FA1" above "X1" and "AA5-X2"."""
    codes = [_CODE.fullmatch(row.name) for row in (first, *others)]
    return codes[0] is not None and 2 * sum(map(bool, codes[1:])) > len(others)


def _shapes(row: TableRow) -> list[str]:
    return [build_of(text_of_cell(cell)) for cell in row.cells]


def below_codes(header: TableRow, row: TableRow) -> list[TableRow]:
    """Return each code with what stands below it, where codes head a table's only row: "E1 | E2".

    [] if that is not so: other headings say what all values are, not what each is of.
    """
    if not _LEAST_CODES <= len(header.cells) == len(row.cells):
        return []
    codes, below = ([_is_code(cell) for cell in each.cells] for each in (header, row))
    if not all(codes) or any(below):
        return []
    return [TableRow(pair) for pair in zip(header.cells, row.cells, strict=True)]


def _is_code(cell: Sequence[Segment]) -> bool:
    return _CODE.fullmatch(text_of_cell(cell)) is not None


def row_below_head(
    header: TableRow, rows: Sequence[TableRow], columns: Sequence[Extent], fences: Sequence[Fence]
) -> TableRow | None:
    """Return the row that parts the headings over several columns into one for each of these.

    Upright lines part the columns there and not above, and it has nothing in the others.
    """
    following = rows[rows.index(header) + 1 :]
    if not following or not columns or _has_codes_like(following[0], following[1:]):
        return None
    over = [homes_of(cell[0], columns, fences) for cell in header.cells]
    if sum(map(len, over)) != len({place for homes in over for place in homes}):
        return None  # no lines are drawn in the head
    spanned = {place for homes in over if len(homes) > 1 for place in homes}
    own = [homes_of(segment, columns, fences) for cell in following[0].cells for segment in cell]
    parted = all(len(homes) == 1 for homes in own) and {place for (place, *_) in own} == spanned
    return following[0] if spanned and parted else None


def title_row(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the first row if it spans the columns of those below it, as a title does."""
    if len(rows) < 3 or len(rows[0].cells) != 1 or LEADERS.search(rows[0].text):
        return None
    if is_torn_off(rows[0].text):
        return None
    return rows[0] if all(len(row.cells) > 1 for row in rows[1:3]) else None


def names_rows(
    row: TableRow, rows: Sequence[TableRow], columns: int, *, drawn: bool = False
) -> bool:
    """Whether a row names those below it and is not one of them.

    It has one cell, and is marked differently from the first cells of the rows: it is
    bold and they are not, or it ends with a colon and they do not. Of codes with what they stand
    for, a bold one names those of its parts. columns: how many the table has. drawn: between lines,
    where several rows that have a first cell alone, each above one with more, do so as well.
    """
    firsts = [other.cells[0] for other in rows if len(other.cells) > 1]
    if columns < 2 or not firsts:
        return False
    if len(row.cells) == columns == 2:
        return _is_coded_like(row, rows) and is_set_apart(row, rows)
    if len(row.cells) != 1:
        return False
    if drawn and row in names_between_lines(rows):
        return True
    bold = sum(map(_is_bold, firsts)) * 2 < len(firsts)
    colons = sum(cell[-1].text.endswith(":") for cell in firsts) * 2 < len(firsts)
    return (bold and _is_bold(row.cells[0])) or (colons and row.text.endswith(":"))


def is_bold_above(row: TableRow, following: TableRow | None) -> bool:
    """Whether a row is one bold cell right above a row with several, whose first is not bold.

    It names the rows below it, up to one whose first cell is bold.
    """
    if following is None or len(row.cells) != 1 or len(following.cells) < 2:
        return False
    level = abs(row.left - following.left) <= SAME_RULE or row.left < following.left
    return level and _is_bold(row.cells[0]) and not _is_bold(following.cells[0])


def names_between_lines(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the rows with a first cell alone, if they are several and most of them head others."""
    left = min(row.left for row in rows)
    alone = [
        n
        for n, row in enumerate(rows)
        if len(row.cells) == 1 and row.left - left <= SAME_RULE and any(map(str.isalpha, row.text))
    ]
    heads = [n for n in alone if n + 1 < len(rows) and len(rows[n + 1].cells) > 1]
    several = len(heads) >= _LEAST_NAMES and 4 * len(heads) >= 3 * len(alone)
    return [rows[n] for n in heads] if several and 2 * len(alone) < len(rows) else []


def is_set_apart(row: TableRow, rows: Sequence[TableRow]) -> bool:
    """Whether a row is bold and most of a table's are not."""
    bold = [all(map(_is_bold, each.cells)) for each in rows]
    return all(map(_is_bold, row.cells)) and 2 * sum(bold) < len(bold)


def is_bold(row: TableRow) -> bool:
    """Whether the first cell of a row is bold."""
    return _is_bold(row.cells[0])


def _is_bold(cell: Sequence[Segment]) -> bool:
    return all(segment.bold for segment in cell)
