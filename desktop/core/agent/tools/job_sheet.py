"""An answer as a job sheet: one small page for the pocket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.tool_output import Error, Result, written
from desktop.core.agent.tools.export_report import HandingOn, ReportArguments, answer_to_hand_on
from desktop.core.events import StatusEvent
from desktop.core.question.tokens import language_of
from desktop.core.reports.job_sheet import manual_names, write_job_sheet
from desktop.sentences import in_language, said, template

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData


class JobSheet(HandingOn):
    """Writes an answer of this conversation as one page into the library's folder of reports."""

    name: ClassVar[str] = "job_sheet"
    description: ClassVar[str] = (
        "Save the last answer of this conversation as a job sheet: one small page to print and "
        "take along. Only when the user asks for a sheet. Ends the question."
    )

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield where the sheet is, in words and as a `Result`; or an `Error`."""
        arguments = ReportArguments.model_validate(inputs)
        yield StatusEvent(said("Drawing the cited pages and writing the job sheet"))
        sheet = await asyncio.to_thread(self._made, tree_data, arguments.answers_back)
        if isinstance(sheet, Error):
            yield sheet
            return
        saved = said("The job sheet is saved: {path}", path=sheet)
        async for token in written(in_language(saved, language_of(tree_data.user_prompt))):
            yield token
        tree_data.outcome = "answered"
        yield Result(
            objects=({"text": str(sheet), "pdf": str(sheet)},),
            metadata={"pdf": str(sheet)},
            name="job_sheet",
            payload_type="job_sheet",
            llm_message=template("Saved the job sheet to {pdf}."),
        )

    def _made(self, tree_data: TreeData, answers_back: int) -> Path | Error:
        found = answer_to_hand_on(self._services, tree_data, answers_back)
        if isinstance(found, Error):
            return found
        library = self._services.library
        names = manual_names(library) if library is not None else {}
        try:
            return write_job_sheet(*found, self._services.drawer, names)
        except OSError as error:
            return Error.of(error)


def create_tool(services: Services) -> JobSheet:
    """Make the tool of this module."""
    return JobSheet(services)
