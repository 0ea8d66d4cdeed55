"""The last answer as a report: a PDF and Markdown with the cited parts of the pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.answering.written_words import written
from desktop.core.agent.report_making import (
    ReportArguments,
    has_answer,
    make_report,
    report_result,
)
from desktop.core.agent.result import Error
from desktop.core.agent.tool import ChosenTool
from desktop.core.events import StatusEvent
from desktop.core.sentences import said, template
from desktop.core.spoken import in_language, language_of

if TYPE_CHECKING:
    from desktop.core.agent.tool import ToolArguments, ToolStream
    from desktop.core.agent.toolbox import Services
    from desktop.core.agent.tree_data import TreeData


class ExportReport(ChosenTool):
    """Writes an answer of this conversation into the library's folder of reports."""

    name: ClassVar[str] = "export_report"
    description: ClassVar[str] = (
        "Save the last answer of this conversation as a report: PDF and Markdown with the cited "
        "parts of the pages. Only when the user asks for a report, a file or an export. Ends the "
        "question."
    )
    end: ClassVar[bool] = True
    arguments: ClassVar[type[ToolArguments]] = ReportArguments

    def __init__(self, services: Services) -> None:
        self._services = services

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """Something must have been answered before."""
        return await asyncio.to_thread(has_answer, self._services, tree_data)

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield where the report is, in words and as a `Result`; or an `Error`."""
        arguments = ReportArguments.model_validate(inputs)
        yield StatusEvent(said("Drawing the cited pages and writing the report"))
        report = await asyncio.to_thread(
            make_report, self._services, tree_data, arguments.answers_back
        )
        if isinstance(report, Error):
            yield report
            return
        saved = said("The report is saved: {path}", path=report.pdf)
        async for token in written(in_language(saved, language_of(tree_data.user_prompt))):
            yield token
        tree_data.outcome = "answered"
        yield report_result(report, "report", template("Saved the report to {folder}."))


def create_tool(services: Services) -> ExportReport:
    """Make the tool of this module."""
    return ExportReport(services)
