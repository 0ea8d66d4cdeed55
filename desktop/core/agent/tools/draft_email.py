"""The last answer as an e-mail draft, its report attached; nothing is sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.tool_output import Error, written
from desktop.core.agent.tools.export_report import (
    HandingOn,
    ReportArguments,
    make_report,
    report_result,
)
from desktop.core.events import StatusEvent
from desktop.core.question.tokens import language_of
from desktop.core.reports.report import EmailHeading, write_draft
from desktop.sentences import in_language, said, template

if TYPE_CHECKING:
    from desktop.core.agent.tool import Services, ToolArguments
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData


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

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield where the draft is, in words and as a `Result`; or an `Error`."""
        arguments = DraftArguments.model_validate(inputs)
        heading = EmailHeading(
            recipient=arguments.recipient, subject=arguments.subject, note=arguments.note
        )
        yield StatusEvent(said("Drawing the cited pages and writing the draft"))
        report = await asyncio.to_thread(
            make_report, self._services, tree_data, arguments.answers_back
        )
        if isinstance(report, Error):
            yield report
            return
        try:
            draft = await asyncio.to_thread(write_draft, report, heading)
        except OSError as error:
            yield Error.of(error)
            return
        saved = said(
            "The draft is saved; open it in your mail program to send it: {path}", path=draft
        )
        async for token in written(in_language(saved, language_of(tree_data.user_prompt))):
            yield token
        tree_data.outcome = "answered"
        message = template("Saved the draft to {draft}; nothing was sent.")
        yield report_result(report, "email_draft", message, draft=str(draft))


def create_tool(services: Services) -> DraftEmail:
    """Make the tool of this module."""
    return DraftEmail(services)
