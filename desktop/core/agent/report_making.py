"""What the tools that hand an answer on have in common: which answer, and its report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from desktop.core.agent.result import Error, Result
from desktop.core.agent.tool import ToolArguments
from desktop.core.problems import explain
from desktop.core.reports.report import Report, titles_of, write_report

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.agent.toolbox import Services
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.reports.answered_turn import AnsweredTurn


class ReportArguments(ToolArguments):
    """Which answer. Where it is written is not for a model to choose."""

    answers_back: int = Field(
        default=0, ge=0, le=50, description="0 for the last answer, 1 for the one before it."
    )


def has_answer(services: Services, tree_data: TreeData) -> bool:
    """Whether this conversation has an answer, and there is a place to write to; blocks."""
    if services.answers is None or services.reports_folder is None:
        return False
    return bool(services.answers.answers(tree_data.conversation_id))


def make_report(services: Services, tree_data: TreeData, answers_back: int) -> Report | Error:
    """Write the report of an answer into the library's folder of reports; blocks."""
    answers = services.answers.answers(tree_data.conversation_id) if services.answers else ()
    if services.reports_folder is None or not answers:
        return Error("There is no answer yet that could be handed on.", suggestion="Answer first.")
    if answers_back >= len(answers):
        return Error(f"There are only {len(answers)} answers.", suggestion="Choose a later one.")
    try:
        return _written(services, answers[answers_back], services.reports_folder)
    except OSError as error:
        problem = explain(error)
        return Error(f"{problem.title}.", recoverable=problem.retry, suggestion=problem.advice)


def report_result(report: Report, name: str, llm_message: str, **more: Any) -> Result:
    """Return a report as a tool's result."""
    found = {
        "text": str(report.pdf),
        "folder": str(report.folder),
        "pdf": str(report.pdf),
        "markdown": str(report.markdown),
        "pictures": [str(path) for path in report.pictures],
    }
    return Result(
        objects=(found | more,),
        metadata={"folder": str(report.folder), **more},
        name=name,
        payload_type=name,
        llm_message=llm_message,
    )


def _written(services: Services, turn: AnsweredTurn, folder: Path) -> Report:
    titles = titles_of(services.library) if services.library is not None else {}
    return write_report(turn, folder, services.drawer, titles)
