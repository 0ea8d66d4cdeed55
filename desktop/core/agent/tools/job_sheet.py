"""An answer as a job sheet: one small page for the pocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.tool_output import Result
from desktop.core.agent.tools.export_report import HandingOn
from desktop.core.reports.job_sheet import write_job_sheet
from desktop.core.reports.report import titles_of
from desktop.sentences import said, template

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.reports.contents import AnsweredTurn


class JobSheet(HandingOn):
    """Writes an answer of this conversation as one page into the library's folder of reports."""

    name: ClassVar[str] = "job_sheet"
    description: ClassVar[str] = (
        "Save the last answer of this conversation as a job sheet: one small page to print and "
        "take along. Only when the user asks for a sheet. Ends the question."
    )

    doing: ClassVar[str] = said("Drawing the cited pages and writing the job sheet")

    def made_of(self, answer: AnsweredTurn, folder: Path, arguments: Any) -> tuple[str, Result]:
        """Write the sheet; see `HandingOn.made_of`."""
        library = self._services.library
        titles = titles_of(library) if library is not None else {}
        sheet = str(write_job_sheet(answer, folder, self._services.drawer, titles))
        result = Result(
            objects=({"text": sheet, "pdf": sheet},),
            metadata={"pdf": sheet},
            name="job_sheet",
            payload_type="job_sheet",
            llm_message=template("Saved the job sheet to {pdf}."),
        )
        return said("The job sheet is saved: {path}", path=sheet), result


create_tool = JobSheet
