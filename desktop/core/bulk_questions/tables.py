"""Tables of questions and of their answers, as CSV and as Excel's XLSX.

A table is text and numbers only: nothing in it becomes a formula, whatever a manual says.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import uuid
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from desktop.core.errors import QuestionsRefused
from desktop.core.reports.contents import printable
from desktop.core.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Cell = str | int | float | bool | datetime | date | time | None
Row = tuple[Cell, ...]

QUESTION, MANUAL = "question", "manual"
FORMS: Final = (".csv", ".xlsx")
MOST_ROWS = 100_000
_LONGEST_CELL = 32_767  # characters, of Excel
_DELIMITERS = ",;\t|"
# The last four are taken for the first four where Excel writes them at full width.
_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
_AS_TEXT = "'"


@dataclass(frozen=True, slots=True)
class Table:
    """headings: one for each column. rows: as long as that. delimiter: of CSV.

    question, manual: the places of these columns; manual is -1 where there is none.
    """

    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    question: int = 0
    manual: int = -1
    delimiter: str = ","

    def asks(self, row: Row) -> tuple[str, str]:
        """Return the question of a row, and the manual it is restricted to, "" to none.

        Each in one line, so that both are the same when they are read from the answers again.
        """
        manual = cell_text(row[self.manual]) if self.manual >= 0 else ""
        question = printable(cell_text(row[self.question]), one_line=True)
        return question, printable(manual, one_line=True)


def read_table(path: Path) -> Table:
    """Read a table. The first row is its headings if one of them is "question".

    Else the first column holds the questions, from the first row on.

    Raises: QuestionsRefused, saying why the file cannot be used; OSError.
    """
    check_form(path)
    rows, delimiter = _read_xlsx(path) if path.suffix.lower() == ".xlsx" else _read_csv(path)
    rows = [row for row in rows if any(cell_text(cell) for cell in row)]
    if not rows:
        raise QuestionsRefused(said("There is no question in {name}.", name=path.name))
    if len(rows) > MOST_ROWS:
        raise QuestionsRefused(
            said("{name} has more than {n} rows. Divide it.", name=path.name, n=MOST_ROWS)
        )
    names = [cell_text(cell).casefold() for cell in rows[0]]
    headed = QUESTION in names
    width = max(map(len, rows))
    headings = [cell_text(cell) for cell in rows.pop(0)] if headed else [QUESTION]
    headings += [f"column {number}" for number in range(len(headings) + 1, width + 1)]
    return Table(
        tuple(headings),
        tuple((*row, *(None,) * (width - len(row))) for row in rows),
        names.index(QUESTION) if headed else 0,
        names.index(MANUAL) if headed and MANUAL in names else -1,
        delimiter,
    )


def write_table(path: Path, headings: Sequence[str], rows: Iterable[Row], delimiter: str) -> None:
    """Write a table so that the file is the old one or the whole new one, whatever happens.

    Raises: OSError; then nothing is left.
    """
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        if path.suffix.lower() == ".xlsx":
            _write_xlsx(partial, headings, rows)
        else:
            _write_csv(partial, headings, rows, delimiter)
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def check_form(path: Path) -> None:
    """Check that a file is of a kind that is read and written here, by its name.

    Raises: QuestionsRefused.
    """
    if path.suffix.lower() not in FORMS:
        raise QuestionsRefused(
            said("{name} is no table: questions and answers are .csv or .xlsx.", name=path.name)
        )


def cell_text(cell: Cell) -> str:
    """Return what a person reads in a cell."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _read_csv(path: Path) -> tuple[list[Row], str]:
    data = path.read_bytes()
    text = ""
    for encoding in ("utf-8-sig", "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            break
    if "\0" in text or (data and not text):
        raise QuestionsRefused(said("{name} is no text that can be read.", name=path.name))
    delimiter = _delimiter(text)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise QuestionsRefused(
            said("{name} cannot be read: {reason}.", name=path.name, reason=error)
        ) from error
    if rows and len(rows[0]) == 1:  # one column: a comma in a question divides nothing
        rows = [[delimiter.join(row)] for row in rows]
    return [tuple(map(_unmarked, row)) for row in rows], delimiter


def _delimiter(text: str) -> str:
    """Return what divides the cells of the first line; the quoted ones do not count."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(first.split('"')[::2])
    return max(_DELIMITERS, key=bare.count)


def _unmarked(cell: str) -> str:
    """Return a cell without the sign that keeps it from being a formula."""
    rest = cell.removeprefix(_AS_TEXT)
    return rest if rest.startswith(_BEGINS_A_FORMULA) else cell


def _write_csv(path: Path, headings: Sequence[str], rows: Iterable[Row], delimiter: str) -> None:
    # with its mark: Excel takes the file for one of an old Windows without it
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        for row in (tuple(headings), *rows):
            writer.writerow([_marked(cell) for cell in row])


def _marked(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = printable(cell)
    return _AS_TEXT + text if text.startswith(_BEGINS_A_FORMULA) else text


def _read_xlsx(path: Path) -> tuple[list[Row], str]:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with contextlib.closing(load_workbook(path, read_only=True, data_only=True)) as book:
            sheet = book.active
            if sheet is None or not hasattr(sheet, "iter_rows"):
                raise QuestionsRefused(said("There is no table in {name}.", name=path.name))
            return list(sheet.iter_rows(max_row=MOST_ROWS + 2, values_only=True)), ","
    except (BadZipFile, InvalidFileException, KeyError, ValueError, SyntaxError) as error:
        raise QuestionsRefused(
            said("{name} is no Excel file that can be read.", name=path.name)
        ) from error


def _write_xlsx(path: Path, headings: Sequence[str], rows: Iterable[Row]) -> None:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font

    book = Workbook(write_only=True)
    sheet: Any = book.create_sheet("Answers")
    sheet.freeze_panes = "A2"
    wrapped, bold = Alignment(wrap_text=True, vertical="top"), Font(bold=True)
    for number, row in enumerate((tuple(headings), *rows)):
        cells = []
        for value in row:
            text = isinstance(value, str)
            shown = printable(str(value))[:_LONGEST_CELL] if text else value
            cell: Any = WriteOnlyCell(sheet, value=shown)
            cell.alignment = wrapped
            if text:
                cell.data_type = "s"  # "=1+1" of a manual is words
                cell.quotePrefix = str(shown).startswith(_BEGINS_A_FORMULA)
            if number == 0:
                cell.font = bold
            cells.append(cell)
        sheet.append(cells)
    with path.open("wb") as file:
        book.save(file)
