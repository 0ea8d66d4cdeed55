"""Tables of questions (CSV, XLSX), asked one row after the other, and the tables of their answers.

A table is text and numbers only: nothing in it becomes a formula, whatever a manual says.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import uuid
from dataclasses import astuple, dataclass, fields
from datetime import date, datetime, time
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from desktop.core.answering.answer import sureness_told
from desktop.core.answering.quoted_lines import with_rows
from desktop.core.engine import follow
from desktop.core.errors import LibraryError, QuestionsRefused
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    ErrorEvent,
    NearestPageEvent,
    NoteCitationEvent,
    RevisedText,
)
from desktop.core.library.values import manuals_named
from desktop.core.notes.note import note_place
from desktop.core.paths import synchronise
from desktop.core.problems import explain
from desktop.core.question.languages import language_of
from desktop.core.reports.contents import answered_turn, printable
from desktop.core.structure.signs import cells_apart
from desktop.sentences import counted, in_language, is_sentence, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop.core.engine import RunHandle
    from desktop.core.events import Event, PageRegion, Sureness
    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from desktop.core.reports.contents import AnsweredTurn

    Ask = Callable[[str, frozenset[int], Callable[[Event], None], Callable[[], None]], RunHandle]
    """`Workspace.ask`."""

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
    """headings: one for each column. rows: each as long as that. delimiter: of CSV.

    question, manual: the places of these columns; manual is -1 where there is none.
    """

    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    question: int = 0
    manual: int = -1
    delimiter: str = ","

    def asks(self, row: Row) -> tuple[str, str]:
        """Return the question of a row, and the manual it is restricted to, "" to none.

        Each on one line, so that both are the same when read back from the answers.
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
            said("{name} has more than {n} rows. Split the file.", name=path.name, n=MOST_ROWS)
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
        synchronise(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def check_form(path: Path) -> None:
    """Check that a file is of a kind that is read and written here, by its name.

    Raises: QuestionsRefused.
    """
    if path.suffix.lower() not in FORMS:
        raise QuestionsRefused(
            said(
                "{name} is not a table: questions and answers must be .csv or .xlsx.",
                name=path.name,
            )
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
        raise QuestionsRefused(said("{name} is not readable text.", name=path.name))
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
            said("{name} is not a readable Excel file.", name=path.name)
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


COLUMNS: Final = ("answer", "value", "how sure", "manual title", "page", "quote", "check")
"""Headings of the columns that are added to those of the questions."""
_DOUBTS: Final[dict[Sureness, str]] = {
    "likely": said("This probably answers the question; it is not certain."),
    "check": said("This may not be the answer."),
    "differs": said("A note of your site gives another value."),
}
_NOT_FOUND, _ASKED_BACK = said("Not found"), said("Asked back")


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """The columns of one question, in the order of COLUMNS; "" where there is nothing to say.

    sure: "" if the question was not answered for a reason that may be gone next time.
    check: why a person should look at it.
    """

    answer: str = ""
    value: str = ""
    sure: str = ""
    manual: str = ""
    page: str = ""
    quote: str = ""
    check: str = ""

    @property
    def final(self) -> bool:
        """Whether the question need not be asked again."""
        return bool(self.sure)

    def cells(self) -> tuple[str, ...]:
        """Return the columns."""
        return astuple(self)

    @classmethod
    def of_cells(cls, cells: Sequence[str]) -> RowAnswer:
        """Make it again from `cells`."""
        return cls(**dict(zip((field.name for field in fields(cls)), cells, strict=True)))


def row_answer(
    question: str, events: Sequence[Event], manuals: Mapping[int, DocumentRecord]
) -> RowAnswer:
    """Return what is said of a question that was asked.

    events: all of them. manuals: those that were asked, by id.
    """
    last = next((each for each in events if isinstance(each, CompleteEvent)), None)
    outcome = last.outcome if last is not None else "failed"
    turn = answered_turn(question, events)
    text = RevisedText(events).text
    text = text if is_sentence(text) else text.strip()
    language = turn.language if turn is not None else language_of(question, text)
    doubts: list[str]
    match outcome:
        case "answered" | "partial" if turn is not None:
            found, doubts = _answered(turn, events, manuals)
            doubts += last.missing if last is not None else ()
        case "not_found":
            found = RowAnswer(sure=_NOT_FOUND)
            doubts = [*_not_found(events), *unread(manuals.values())]
        case "clarification":
            found, doubts = RowAnswer(sure=_ASKED_BACK), list(_asked_back(events))
        case _:
            found, doubts = RowAnswer(), list(_failed(events, text))
    return RowAnswer(
        found.answer,
        found.value,
        in_language(found.sure, language),
        found.manual,
        found.page,
        found.quote,
        " ".join(in_language(doubt, language) for doubt in doubts),
    )


def unread(manuals: Iterable[DocumentRecord]) -> list[str]:
    """Return a sentence for each manual of which something could not be read, or not yet."""
    told: list[str] = []
    for each in manuals:
        name = each.title or each.name
        if each.being_read:
            told.append(said("“{manual}” is still being read.", manual=name))
        elif each.state != "ready":
            told.append(said("“{manual}” was not read.", manual=name))
        elif each.failed_pages:
            pages = counted(each.failed_pages, "1 page", "{n} pages")
            told.append(said("{count} of “{manual}” could not be read.", count=pages, manual=name))
    return told


def _answered(
    turn: AnsweredTurn, events: Sequence[Event], manuals: Mapping[int, DocumentRecord]
) -> tuple[RowAnswer, list[str]]:
    confidence = next((each for each in events if isinstance(each, ConfidenceEvent)), None)
    sureness: Sureness = confidence.sureness if confidence is not None else "check"
    several = len(turn.citations) + len(turn.notes) > 1
    sources: list[CitationEvent | NoteCitationEvent] = [*turn.citations, *turn.notes]
    sources.sort(key=lambda each: each.number)

    def listed(told: Mapping[int, str]) -> str:
        """Return one line, or a line for each source with its number."""
        lines = {number: line for number, line in told.items() if line}
        if not several:
            return "".join(lines.values())
        return "\n".join(f"[{number}] {line}" for number, line in lines.items())

    answer = with_rows(turn.answer, turn.citations)
    if not several and sources:
        answer = answer.replace(f" [{sources[0].number}]", "").replace(f"[{sources[0].number}]", "")
    found = RowAnswer(
        answer,
        listed({each.number: _value(each) for each in turn.citations}),
        sureness_told(sureness),
        listed({each.number: _title(each, manuals, turn.language) for each in sources}),
        listed({each.number: page_name(each.source, turn.language) for each in turn.citations}),
        listed({each.number: " ".join(cells_apart(each.quote).split()) for each in sources}),
    )
    doubts = [_DOUBTS[sureness]] if sureness in _DOUBTS else []
    if not turn.citations:
        doubts.append(said("No page of a manual is cited."))
    doubts += [
        said(
            "“{title}” is an older revision; {newer} is in the library.",
            title=_manual(each.source, manuals),
            newer=each.newer,
        )
        for each in turn.citations
        if each.newer
    ]
    kept = (piece for piece in RevisedText(events).pieces if not piece.withdrawn)
    unsupported = [words for piece in kept for words in piece.unsupported]
    if unsupported:
        doubts.append(said("Not on the cited pages: {words}.", words=", ".join(unsupported)))
    cited = {each.source.document_id for each in turn.citations}
    return found, [*doubts, *unread(each for id_, each in manuals.items() if id_ in cited)]


def _value(citation: CitationEvent) -> str:
    """Return the cell of a quoted row, or its line, that answers the question, or the amount."""
    form = citation.form
    if form is None or form.asked < 0:
        return form.value if form is not None else ""
    cell = form.cells[form.asked]
    return cell if form.asked_line < 0 else cell.split("\n")[form.asked_line]


def page_name(source: PageRegion, language: str) -> str:
    """Return a page's printed number and its number in the file, once if they are the same."""
    position = str(source.page + 1)
    printed = source.label.strip() or position
    if printed == position:
        return position
    told = said("{page} (page {position} of the file)", page=printed, position=position)
    return in_language(told, language)


def _title(
    source: CitationEvent | NoteCitationEvent,
    manuals: Mapping[int, DocumentRecord],
    language: str,
) -> str:
    if isinstance(source, NoteCitationEvent):
        return note_place(source.note, language=language)
    return _manual(source.source, manuals)


def _manual(source: PageRegion, manuals: Mapping[int, DocumentRecord]) -> str:
    known = manuals.get(source.document_id)
    return (known.title if known is not None else "") or source.document


def _not_found(events: Iterable[Event]) -> Iterable[str]:
    yield said("The answer was not found.")
    near = next((each for each in events if isinstance(each, NearestPageEvent)), None)
    if near is not None:
        yield said(
            "The nearest page is {page} of {manual}.",
            page=near.source.label or str(near.source.page + 1),
            manual=near.source.document,
        )


def _asked_back(events: Iterable[Event]) -> Iterable[str]:
    for event in events:
        if isinstance(event, ClarificationEvent):
            yield said("The question could mean several things.")
            yield event.question
            yield " / ".join(event.options)


def _failed(events: Iterable[Event], text: str) -> Iterable[str]:
    errors = [each for each in events if isinstance(each, ErrorEvent) and not each.recoverable]
    if errors:
        yield from filter(None, (errors[-1].message, errors[-1].suggestion))
    else:
        yield text or said("The question was not answered.")


NO_QUESTION: Final = said("There is no question in this row.")
_Asked = tuple[str, str]
"""A question and the manual that its row names."""


@dataclass(frozen=True, slots=True)
class RowDone:
    """Row `number` of `count`, from 1, is answered. kept: by an earlier run."""

    number: int
    count: int
    question: str
    answer: RowAnswer
    kept: bool


@dataclass(frozen=True, slots=True)
class AnswersWritten:
    """The last event. answered: rows; to_check: those with a reason to look; left: not asked."""

    path: Path
    answered: int
    to_check: int
    left: int


BulkEvent = RowDone | AnswersWritten


def answers_beside(questions: Path) -> Path:
    """Return where the answers go by default: "questions-answers.csv" beside the questions."""
    return questions.with_name(f"{questions.stem}-answers{questions.suffix}")


def answer_questions(
    ask: Ask,
    library: Library,
    questions: Path,
    answers: Path,
    cancel: CancelToken,
    document_ids: frozenset[int] = frozenset(),
) -> Iterator[BulkEvent]:
    """Answer a table of questions; a row that cannot be answered says so and stops nothing.

    document_ids: only of these manuals; none means all.

    Raises: QuestionsRefused, saying why the files cannot be used; OSError.
    """
    table = read_table(questions)
    check_form(answers)
    if answers.exists() and answers.samefile(questions):
        raise QuestionsRefused(said("The answers cannot overwrite the questions."))
    journal = _Journal(answers)
    known = journal.known()
    done: dict[int, RowAnswer] = {}
    try:
        for number, row in enumerate(table.rows):
            asked = table.asks(row)
            answer = known.get(asked)
            kept = answer is not None
            if answer is None:
                if cancel.cancelled:
                    continue
                answer = _answer(ask, library, asked, document_ids, cancel)
                if answer is None:
                    continue
                journal.keep(asked, answer)
                if answer.final:
                    known[asked] = answer
            done[number] = answer
            yield RowDone(number + 1, len(table.rows), asked[0], answer, kept)
    finally:
        _write(answers, table, done)
        journal.remove()
    checks = sum(bool(answer.check) for answer in done.values())
    yield AnswersWritten(answers, len(done), checks, len(table.rows) - len(done))


def _write(path: Path, table: Table, done: dict[int, RowAnswer]) -> None:
    nothing = RowAnswer(check=said("Not asked yet."))
    rows = ((*row, *done.get(at, nothing).cells()) for at, row in enumerate(table.rows))
    write_table(path, (*table.headings, *COLUMNS), rows, table.delimiter)


def _answer(
    ask: Ask, library: Library, asked: _Asked, document_ids: frozenset[int], cancel: CancelToken
) -> RowAnswer | None:
    """Return the answer to one row, None if it was cancelled."""
    question, manual = asked
    language = language_of(question)
    if not question:
        return RowAnswer(check=NO_QUESTION)
    try:
        manuals = {each.id: each for each in library.documents()}
        if document_ids:
            manuals = {id_: each for id_, each in manuals.items() if id_ in document_ids}
        ids = document_ids
        if manual:
            ids = _named(manuals, manual)
            if not ids:
                told = said("There is no manual “{name}” among those searched.", name=manual)
                return RowAnswer(check=in_language(told, language))
            manuals = {id_: each for id_, each in manuals.items() if id_ in ids}
        events = list(follow(partial(ask, question, ids), cancel))
    except LibraryError as error:  # of this row; the next one may do better
        problem = explain(error)
        told = said("{title}. {advice}", title=problem.title, advice=problem.advice)
        return RowAnswer(check=in_language(told, language))
    if any(isinstance(each, CompleteEvent) and each.outcome == "cancelled" for each in events):
        return None
    return row_answer(question, events, manuals)


def _named(manuals: Mapping[int, DocumentRecord], names: str) -> frozenset[int]:
    """Return the manuals a cell names, one or several with semicolons; none if one is unknown."""
    whole = manuals_named(manuals.values(), names)
    if whole or ";" not in names:
        return whole
    parts = [manuals_named(manuals.values(), part.strip()) for part in names.split(";")]
    return frozenset().union(*parts) if all(parts) else frozenset()


class _Journal:
    """What is answered and not in the table of answers yet: a line of JSON for each row."""

    def __init__(self, answers: Path) -> None:
        self._answers = answers
        self._path = answers.with_name(answers.name + ".unfinished")

    def known(self) -> dict[_Asked, RowAnswer]:
        """Return the answers of earlier runs that need not be asked for again.

        Raises: QuestionsRefused, if a table of something else is where the answers go.
        """
        found = dict(self._written())
        try:
            lines = self._path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return found
        for line in lines:
            try:
                question, manual, cells = json.loads(line)
                found[question, manual] = RowAnswer.of_cells(cells)
            except (ValueError, TypeError):
                continue  # the line that was being written when the program ended
        return {asked: answer for asked, answer in found.items() if answer.final}

    def keep(self, asked: _Asked, answer: RowAnswer) -> None:
        """Write an answer down; when this returns it survives the end of the program."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([*asked, answer.cells()], ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def remove(self) -> None:
        """Remove it: the answer table has everything now."""
        self._path.unlink(missing_ok=True)

    def _written(self) -> Iterator[tuple[_Asked, RowAnswer]]:
        if not self._answers.exists():
            return
        table = read_table(self._answers)
        if table.headings[-len(COLUMNS) :] != COLUMNS:
            raise QuestionsRefused(
                said(
                    "{name} already exists and contains no Groundwork answers. Choose another "
                    "file.",
                    name=self._answers.name,
                )
            )
        for row in table.rows:
            answer = RowAnswer.of_cells([cell_text(cell) for cell in row[-len(COLUMNS) :]])
            if answer.final:
                yield table.asks(row), answer
