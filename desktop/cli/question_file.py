"""`groundwork ask --file`: a table of questions, row by row."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from desktop.cli.options import Refused, on_interrupt

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.bulk_questions.asking import AnswersWritten, RowDone
    from desktop.core.workspace import Workspace

INTERRUPTED = 130


def ask_file(
    workspace: Workspace, questions: Path, answers: Path | None, document_ids: frozenset[int]
) -> int:
    """Answer the questions of a table and say how far it is; returns the exit code.

    Raises: Refused, if there is nothing to search.
    """
    from desktop.core.bulk_questions.asking import (
        RowDone,
        answer_questions,
        answers_beside,
    )
    from desktop.core.jobs import CancelToken

    if not any(document.searchable for document in workspace.library.documents()):
        raise Refused("There is no manual to search. Add some with: groundwork ingest PATH")
    target = answers or answers_beside(questions)
    cancel = CancelToken()
    with on_interrupt(cancel.cancel):
        for event in answer_questions(
            workspace.ask, workspace.library, questions, target, cancel, document_ids
        ):
            if isinstance(event, RowDone):
                _show(event)
            else:
                _summarize(event)
    return INTERRUPTED if cancel.cancelled else 0


def _show(event: RowDone) -> None:
    answer = event.answer
    came = "kept" if event.kept else answer.sure or answer.check
    sys.stderr.write(f"{event.number}/{event.count}  {event.question}  ({came})\n")
    sys.stderr.flush()


def _summarize(event: AnswersWritten) -> None:
    if event.left:
        sys.stderr.write(f"Stopped: {event.left} left. The same command goes on from here.\n")
    rows = "row" if event.answered == 1 else "rows"
    sys.stdout.write(f"{event.path}: {event.answered} {rows}, {event.to_check} to check\n")
