"""The last answer as an e-mail draft, its report attached; nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.tools.export_report import HandingOn, ReportArguments, report_result
from desktop.core.reports.report import EmailHeading, write_draft
from desktop.sentences import said, template

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.agent.tool import ToolArguments
    from desktop.core.agent.tool_output import Result
    from desktop.core.reports.contents import AnsweredTurn


class DraftArguments(ReportArguments, EmailHeading):
    """Which answer, to whom and about what."""


class DraftEmail(HandingOn):
    """Writes an .eml file beside the report; a mail program opens it for sending."""

    name: ClassVar[str] = "draft_email"
    description: ClassVar[str] = (
        "Write an e-mail draft with the last answer of this conversation, its sources and its "
        "report attached. Only when the user asks for an e-mail. Nothing is sent: the user opens "
        "the file in a mail program. Ends the question."
    )
    arguments: ClassVar[type[ToolArguments]] = DraftArguments
    doing: ClassVar[str] = said("Drawing the cited pages and writing the draft")

    def made_of(self, answer: AnsweredTurn, folder: Path, arguments: Any) -> tuple[str, Result]:
        """Write the report and the draft; see `HandingOn.made_of`."""
        report = self.report_of(answer, folder)
        draft = write_draft(report, arguments)
        saved = said(
            "The draft is saved; open it in your mail program to send it: {path}", path=draft
        )
        message = template("Saved the draft to {draft}; nothing was sent.")
        return saved, report_result(report, "email_draft", message, draft=str(draft))


create_tool = DraftEmail
