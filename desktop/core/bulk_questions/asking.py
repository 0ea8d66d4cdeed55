"""Asking the questions of a table one after the other, each as `groundwork ask` would.

What is answered is written down row by row beside the table of answers (`….unfinished`), so that
whatever ends the program loses at most the row that is being answered. The table itself is
written at the end, also after a cancel; asking the same file again goes on from there.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from desktop.core.bulk_questions.row_answer import COLUMNS, RowAnswer, row_answer
from desktop.core.bulk_questions.tables import cell_text, check_form, read_table, write_table
from desktop.core.errors import LibraryError, QuestionsRefused
from desktop.core.events import CompleteEvent
from desktop.core.library.values import manuals_named
from desktop.core.problems import explain
from desktop.core.sentences import said
from desktop.core.spoken import in_language, language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from desktop.core.bulk_questions.tables import Table
    from desktop.core.engine import RunHandle
    from desktop.core.events import Event
    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

    Ask = Callable[[str, frozenset[int], Callable[[Event], None], Callable[[], None]], RunHandle]
    """`Workspace.ask`."""

NO_QUESTION: Final = said("There is no question in this row.")
_LOOK_SECONDS = 0.1
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
    """Return where the answers go if nobody says: "questions-answers.csv" beside the questions."""
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
        raise QuestionsRefused(said("The answers cannot be written over the questions."))
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
                told = said("There is no manual “{name}” among those asked.", name=manual)
                return RowAnswer(check=in_language(told, language))
            manuals = {id_: each for id_, each in manuals.items() if id_ in ids}
        events = _events(ask, question, ids, cancel)
    except LibraryError as error:  # of this row; the next one may do better
        problem = explain(error)
        told = said("{title}. {advice}", title=problem.title, advice=problem.advice)
        return RowAnswer(check=in_language(told, language))
    if any(isinstance(each, CompleteEvent) and each.outcome == "cancelled" for each in events):
        return None
    return row_answer(question, events, manuals)


def _named(manuals: Mapping[int, DocumentRecord], names: str) -> frozenset[int]:
    """Return the manuals that a cell names, one or several with semicolons; none if one is not."""
    whole = manuals_named(manuals.values(), names)
    if whole or ";" not in names:
        return whole
    parts = [manuals_named(manuals.values(), part.strip()) for part in names.split(";")]
    return frozenset().union(*parts) if all(parts) else frozenset()


def _events(ask: Ask, question: str, ids: frozenset[int], cancel: CancelToken) -> list[Event]:
    queue: SimpleQueue[Event | None] = SimpleQueue()
    run = ask(question, ids, queue.put, lambda: queue.put(None))
    events: list[Event] = []
    stopped = False
    while True:
        if cancel.cancelled and not stopped:
            stopped = True
            run.cancel()
        try:
            event = queue.get(timeout=_LOOK_SECONDS)
        except Empty:
            continue
        if event is None:
            return events
        events.append(event)


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
        """The table of answers has everything now."""
        self._path.unlink(missing_ok=True)

    def _written(self) -> Iterator[tuple[_Asked, RowAnswer]]:
        if not self._answers.exists():
            return
        table = read_table(self._answers)
        if table.headings[-len(COLUMNS) :] != COLUMNS:
            raise QuestionsRefused(
                said(
                    "{name} is there already and holds no answers of Groundwork. Choose another "
                    "file.",
                    name=self._answers.name,
                )
            )
        for row in table.rows:
            answer = RowAnswer.of_cells([cell_text(cell) for cell in row[-len(COLUMNS) :]])
            if answer.final:
                yield table.asks(row), answer
