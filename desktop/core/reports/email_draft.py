"""An answer as an e-mail that nobody has sent yet: an .eml file that a mail program opens."""

from __future__ import annotations

import mimetypes
import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from desktop.core.reports.contents import printable, warning_text
from desktop.core.spoken import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.reports.contents import ReportContents
    from desktop.core.reports.report import Report

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_LONGEST_ADDRESS = 254
DRAFT = "draft.eml"


def _checked_address(text: str) -> str:
    address = text.strip()
    if address and (len(address) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(address)):
        raise ValueError("this is not an e-mail address")
    return address


def _single_line(text: str) -> str:
    return printable(text, one_line=True)


class EmailHeading(BaseModel):
    """To whom and about what. Line ends and control characters cannot get into a header."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    recipient: Annotated[str, AfterValidator(_checked_address)] = Field(
        default="", max_length=300, description="One e-mail address; empty to fill it in later."
    )
    subject: Annotated[str, AfterValidator(_single_line)] = Field(
        default="", max_length=300, description="Empty: the question."
    )
    note: str = Field(
        default="", max_length=4_000, description="What stands above the answer, if anything."
    )


def write_draft(report: Report, heading: EmailHeading, path: Path | None = None) -> Path:
    """Write the answer with its sources, the report's files attached; blocks.

    path: of the .eml file; by default in the report's folder.

    Raises: OSError.
    """
    target = path or report.folder / DRAFT
    target.write_bytes(make_draft(report, heading).as_bytes())
    return target


def make_draft(report: Report, heading: EmailHeading) -> EmailMessage:
    """Return the message; it has no sender and no date, which the mail program adds."""
    message = EmailMessage(policy=SMTP)
    # mail programs open a message that says so for editing, instead of showing it as received
    message["X-Unsent"] = "1"
    if heading.recipient:
        message["To"] = Address(addr_spec=heading.recipient)
    question = printable(report.contents.turn.question, one_line=True)
    message["Subject"] = heading.subject or question
    message.set_content("\n".join(_lines(report.contents, heading.note)) + "\n")
    for path in report.files:
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        main, sub = kind.split("/", 1)
        message.add_attachment(path.read_bytes(), maintype=main, subtype=sub, filename=path.name)
    return message


def _lines(contents: ReportContents, note: str) -> Iterator[str]:
    turn = contents.turn
    if note.strip():
        yield from (printable(note).strip(), "")
    yield from (printable(turn.question, one_line=True), "", printable(turn.answer))
    for block in turn.warnings:
        where = contents.place(block.source)
        yield from ("", f"{contents.signal_word(block)}: {warning_text(block)} ({where})")
    if turn.citations or turn.notes:
        yield ""
    for citation in turn.citations:
        where = contents.place(citation.source)
        words = quoted(printable(citation.quote, one_line=True), contents.turn.language)
        yield f"[{citation.number}] {where}: {words}"
    for label, quote in contents.notes:
        yield f"{label}: {quoted(quote, contents.turn.language)}"
    yield from ("", contents.notice)
