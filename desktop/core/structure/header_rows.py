"""Which rows of a table are no values: its title, its column headings, the names of other rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.structure.signs import CELL_SEPARATOR, LEADERS, is_torn_off
from desktop.core.structure.table_columns import extent_of, homes_of
from desktop.core.structure.table_lines import SAME_RULE
from desktop.core.structure.table_rows import INDENT, TableRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.raw import Segment
    from desktop.core.structure.table_columns import Extent
    from desktop.core.structure.table_lines import Fence

# So many cells of so few words make a row of headings.
_HEADINGS, _HEADING_WORDS = 2, 2
VALUE = re.compile(r"\W*\d")
"""How a value begins."""
_OPTION = re.compile(r"--?[A-Za-z]")
_CODE = re.compile(r"[A-Z]{1,4}[./-]?\d[\w./-]*")
_LEAST_CODES, _LEAST_NAMES = 3, 2
_SAID_BELOW = {1: 3, 2: 5}
"""Words of most cells below headings of so many words, where these are not bold."""


def header_row(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the first row if it reads like column headings: words, no values, or bold.

    One that has codes like those below it ("E42" above "E43"), names an option as they do
    ("-k, --keep"), has words like theirs ("water inlet" above "water outlet") or says a whole
    sentence is a row like the others. Values are headings only where the rows below have names on
    their left ("185450" of the model "WPM II"). A first name with its value is no heading.
    """
    if len(rows) < 2:
        return None
    first = rows[0]
    if len(first.cells) < 2:
        return None
    segments = [segment for cell in first.cells for segment in cell]
    others = [s for row in rows[1:] for cell in row.cells for s in cell]
    is_bold = _in_bold(segments) and not _in_bold(others)
    has_value = any(VALUE.match(s.text) for s in segments)
    like_others = any(is_like(first, rows[1:]) for is_like in _WAYS_TO_BE_ALIKE)
    has_value = has_value and not _stands_beside_names(first, rows[1:])
    if _is_coded_like(first, rows[1:]) or not (is_bold or _heads_names(first, rows[1:])):
        return None
    return first if is_bold or not (has_value or like_others or _tells(first)) else None


def _in_bold(segments: Sequence[Segment]) -> bool:
    """Whether text is bold but for signs, which a font may have in one weight alone: "Ω"."""
    return all(s.bold for s in segments if len(s.text) > 1) and any(s.bold for s in segments)


def _heads_names(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether a row stands out from names with what is said of each, or there are more columns.

    It does by words above numbers ("Pin" above "1", "g KCl per 1 kg" above 0.0446) or codes, or by
    a word above many ("Description").
    """
    pairs = [_texts(row) for row in others if len(row.cells) == 2]
    head = first.text.split(CELL_SEPARATOR)
    if len(first.cells) > 2 or 2 * len(pairs) <= len(others):
        return True
    numbers = not any(map(str.isalpha, "".join(text for pair in pairs for text in pair)))
    if numbers and len(pairs) == len(others) and not any(map(VALUE.match, head)):
        return True
    if any(map(str.isdigit, first.text)):
        return False
    numbered = sum(any(map(str.isdigit, name)) for name, _ in pairs)
    coded = not head[-1].isupper() and all(text.isupper() and " " not in text for _, text in pairs)
    words = max(len(text.split()) for text in head)
    least = _SAID_BELOW.get(words, max(len(text.split()) for _, text in pairs) + 1)
    said = sum(len(text.split()) >= least for _, text in pairs)
    return coded or 2 * numbered > len(pairs) or 2 * said > len(pairs)


def _stands_beside_names(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether the first row has nothing where most others have a name, and no cells like theirs."""
    left = min(s.box[0] for s in first.cells[0])
    named = [row for row in others if len(row.cells) > 1 and extent_of(row.cells[0])[1] < left]
    shapes = _shapes(first)
    alike = sum(_shapes(row)[-len(shapes) :] == shapes for row in named)
    return 2 * len(named) > len(others) and 2 * alike <= len(named)


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


def _is_option_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    options = sum(_OPTION.match(row.text) is not None for row in others)
    return _OPTION.match(first.text) is not None and 2 * options > len(others)


def _is_named_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether it begins with a name and a colon, as most of the others do: "Weight: | 5 kg"."""
    colons = sum(row.cells[0][-1].text.endswith(":") for row in others)
    return first.cells[0][-1].text.endswith(":") and 2 * colons > len(others)


def _is_indented_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether it begins where several others do, which stand further right than their names."""
    level = sum(abs(row.left - first.left) < SAME_RULE for row in others)
    names = sum(len(row.cells) == 1 and row.left <= first.left - INDENT for row in others)
    return level > 1 and names > 0


def _is_said_like(first: TableRow, others: Sequence[TableRow]) -> bool:
    """Whether a cell of several words has most words of the only one below it: "Water inlet"."""
    if len(others) > 1 or len(others[0].cells) != len(first.cells):
        return False
    words = [[s.text for s in cell] for row in (first, others[0]) for cell in row.cells]
    said = [set(" ".join(texts).split()) for texts in words]
    pairs = zip(said[: len(first.cells)], said[len(first.cells) :], strict=True)
    return any(
        len(one) > 1 and one != other and len(one & other) * 2 >= len(one) for one, other in pairs
    )


def _tells(row: TableRow) -> bool:
    """Whether a row says a whole sentence; short words beside it are headings it was read into."""
    cells = row.text.split(CELL_SEPARATOR)
    names = [cell for cell in cells if not any(character.isdigit() for character in cell)]
    short = sum(len(name.split()) <= _HEADING_WORDS for name in names)
    sentences = [cell for cell in cells if cell.endswith((".", "!")) and len(cell.split()) > 3]
    return short < _HEADINGS and bool(sentences)


def _texts(row: TableRow) -> list[str]:
    """Return the words of each cell, one of which may have an upright line among them."""
    return [" ".join(segment.text for segment in cell) for cell in row.cells]


def _shapes(row: TableRow) -> list[str]:
    return [re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "#", text)) for text in _texts(row)]


_WAYS_TO_BE_ALIKE = (
    _has_codes_like,
    _is_option_like,
    _is_named_like,
    _is_indented_like,
    _is_said_like,
)


def below_codes(header: TableRow, row: TableRow) -> list[TableRow]:
    """Return each code with what stands below it, where codes head a table's only row: "E1 | E2".

    [] if that is not so: other headings say what all values are, not what each is of.
    """
    if not _LEAST_CODES <= len(header.cells) == len(row.cells):
        return []
    if not all(_CODE.fullmatch(" ".join(s.text for s in cell)) for cell in header.cells):
        return []
    return [TableRow(pair) for pair in zip(header.cells, row.cells, strict=True)]


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
