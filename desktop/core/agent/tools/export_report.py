"""The last answer as a report: a PDF and Markdown with the cited parts of the pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Error, Result, written
from desktop.core.events import StatusEvent
from desktop.core.question.languages import language_of
from desktop.core.reports.report import Report, titles_of, write_report
from desktop.sentences import counted, in_language, said, template

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.reports.contents import AnsweredTurn


NO_ANSWER_YET = said("There is no answer to pass on yet.")
ASK_FIRST = said("Ask first, or put the question in the same sentence.")


class ReportArguments(ToolArguments):
    """Which answer. Where it is written is not for a model to choose."""

    answers_back: int = Field(
        default=0, ge=0, le=50, description="0 for the last answer, 1 for the one before it."
    )


def has_answer(services: Services, tree_data: TreeData) -> bool:
    """Whether a decider may hand on the last answer of this conversation; blocks.

    Not while the question has an answer of its own: what is wanted from that one is
    made of it anyway.
    """
    if services.answers is None or services.reports_folder is None:
        return False
    if tree_data.requested.deliverables or (tree_data.shown is not None and tree_data.shown.sure):
        return False
    return bool(services.answers.answers(tree_data.conversation_id))


def answer_to_hand_on(
    services: Services, tree_data: TreeData, answers_back: int
) -> tuple[AnsweredTurn, Path] | Error:
    """Return the answer that something is made of, and the folder for it; blocks."""
    folder = services.reports_folder
    answers = services.answers.answers(tree_data.conversation_id) if services.answers else ()
    if tree_data.handing_on is not None:
        answers = [tree_data.handing_on, *answers]
    if folder is None or not answers:
        return Error(NO_ANSWER_YET, suggestion=ASK_FIRST)
    if answers_back >= len(answers):
        return Error(
            counted(len(answers), "Only 1 answer found.", "Only {n} answers found."),
            suggestion=said("Choose a later one."),
        )
    return answers[answers_back], folder


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


class HandingOn(ChosenTool):
    """Makes something of an answer and ends the question with it. doing: is said meanwhile."""

    end: ClassVar[bool] = True
    arguments: ClassVar[type[ToolArguments]] = ReportArguments
    doing: ClassVar[str]

    def __init__(self, services: Services) -> None:
        self._services = services

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """Something must have been answered before."""
        return await asyncio.to_thread(has_answer, self._services, tree_data)

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield where it is saved, in words and as a `Result`; or an `Error`."""
        arguments: Any = self.arguments.model_validate(inputs)
        yield StatusEvent(self.doing)
        made = await asyncio.to_thread(self._tried, tree_data, arguments)
        if isinstance(made, Error):
            yield made
            return
        saved, result = made
        async for token in written(in_language(saved, language_of(tree_data.user_prompt))):
            yield token
        tree_data.outcome = "answered"
        yield result

    def _tried(self, tree_data: TreeData, arguments: Any) -> tuple[str, Result] | Error:
        found = answer_to_hand_on(self._services, tree_data, arguments.answers_back)
        if isinstance(found, Error):
            return found
        try:
            return self.made_of(*found, arguments)
        except OSError as error:
            return Error.of(error)

    def made_of(self, answer: AnsweredTurn, folder: Path, arguments: Any) -> tuple[str, Result]:
        """Write it into a folder; return the sentence saying where, and the result."""
        raise NotImplementedError

    def report_of(self, answer: AnsweredTurn, folder: Path) -> Report:
        """Write the report of an answer. Blocks. Raises: OSError."""
        library = self._services.library
        titles = titles_of(library) if library is not None else {}
        return write_report(answer, folder, self._services.drawer, titles)


class ExportReport(HandingOn):
    """Writes an answer of this conversation into the library's folder of reports."""

    name: ClassVar[str] = "export_report"
    description: ClassVar[str] = (
        "Save the last answer of this conversation as a report: PDF and Markdown with the cited "
        "parts of the pages. Only when the user asks for a report, a file or an export. Ends the "
        "question."
    )
    doing: ClassVar[str] = said("Drawing the cited pages and writing the report")

    def made_of(self, answer: AnsweredTurn, folder: Path, arguments: Any) -> tuple[str, Result]:
        """Write the report; see `HandingOn.made_of`."""
        report = self.report_of(answer, folder)
        saved = said("The report is saved: {path}", path=report.pdf)
        return saved, report_result(report, "report", template("Saved the report to {folder}."))


create_tool = ExportReport
