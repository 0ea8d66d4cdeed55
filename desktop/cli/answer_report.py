"""`--report FOLDER`: the answer saved as a report, for others to read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.cli.refusal import Refused
from desktop.core.page_drawing import LibraryDrawer
from desktop.core.problems import explain
from desktop.core.reports.answered_turn import answered_turn
from desktop.core.reports.report import titles_of, write_report

if TYPE_CHECKING:
    from desktop.core.events import Event
    from desktop.core.workspace import Workspace


def save_answer(
    workspace: Workspace, question: str, events: Iterable[Event], folder: Path
) -> Path | None:
    """Write a report into a new folder inside `folder`; returns its PDF, None without an answer.

    Raises: Refused, if it cannot be written.
    """
    answered = answered_turn(question, events)
    if answered is None:
        return None
    library = workspace.library
    drawer = LibraryDrawer(library, workspace.parser)
    try:
        return write_report(answered, folder, drawer, titles_of(library)).pdf
    except OSError as error:
        problem = explain(error)
        raise Refused(f"The report was not written: {problem.title}. {problem.advice}") from error
