"""An answer saved for others: a folder with PDF, Markdown file and pictures, or an e-mail draft.

The e-mail is an .eml file that a mail program opens; nobody has sent it yet.
"""

from __future__ import annotations

import mimetypes
import re
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from desktop.core.library.editions import slug
from desktop.core.paths import free_path
from desktop.core.reports.cited_pictures import cited_pictures
from desktop.core.reports.contents import (
    NOTES,
    SOURCES,
    ReportContents,
    printable,
    quote_of,
    titled,
)
from desktop.core.reports.pdf import write_pdf
from desktop.sentences import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop.core.library.library import Library
    from desktop.core.page_drawing import PageDrawer
    from desktop.core.reports.contents import AnsweredTurn


_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>|~&$^"})
_FOLDER_MODE = 0o755
_PDF, _MARKDOWN = "report.pdf", "report.md"


@dataclass(frozen=True, slots=True)
class Report:
    """Where a report was written. files: all of it, the PDF first."""

    folder: Path
    contents: ReportContents
    pictures: tuple[Path, ...]

    @property
    def pdf(self) -> Path:
        """The report to print."""
        return self.folder / _PDF

    @property
    def markdown(self) -> Path:
        """The report to continue editing."""
        return self.folder / _MARKDOWN

    @property
    def files(self) -> tuple[Path, ...]:
        """Everything that belongs to it."""
        return (self.pdf, self.markdown, *self.pictures)


def write_report(
    turn: AnsweredTurn,
    parent: Path,
    drawer: PageDrawer | None,
    titles: Mapping[int, str],
) -> Report:
    """Write a report into a new folder `<parent>/<date>-<slug>`; blocks.

    It is there as a whole or not at all. A page that cannot be drawn is left out and the report
    says so. drawer: None writes it without pictures. titles: of the manuals, by document id.

    Raises: OSError.
    """
    contents = ReportContents(turn, tuple(cited_pictures(turn.citations, drawer)), titles)
    parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".report-", dir=parent))
    try:
        names = _write_pictures(contents, building)
        text = as_markdown(contents, names)
        (building / _MARKDOWN).write_text(text, encoding="utf-8")
        write_pdf(contents, building / _PDF, set(text))
        building.chmod(_FOLDER_MODE)
        name = slug(turn.question) or "answer"
        folder = _moved(building, parent, f"{turn.answered_at:%Y-%m-%d}-{name}")
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    return Report(folder, contents, tuple(folder / name for name in names if name))


def titles_of(library: Library) -> dict[int, str]:
    """Return titles of the library's manuals with their revisions by document id; blocks."""
    return {each.id: titled(each.title, each.revision) for each in library.documents()}


def _write_pictures(contents: ReportContents, folder: Path) -> Sequence[str]:
    """Write the picture of each citation; return their names, "" for one that is missing."""
    names: list[str] = []
    for position, picture in enumerate(contents.pictures, 1):
        name = f"source-{position:02d}.png" if picture.png else ""
        if name:
            (folder / name).write_bytes(picture.png)
        names.append(name)
    return names


def _moved(building: Path, parent: Path, name: str) -> Path:
    """Move a finished report to a name that is still free."""
    while True:
        folder = free_path(parent / name)
        with suppress(FileExistsError):  # somebody was faster
            return building.rename(folder)


def as_markdown(contents: ReportContents, pictures: Sequence[str]) -> str:
    """Return the report; pictures: the file name beside it per citation, "" where there is none."""
    return "\n\n".join(_parts(contents, pictures)) + "\n"


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is: no markup, HTML or links, lines kept."""
    return "  \n".join(map(_escaped_line, printable(text).split("\n")))


def _escaped_line(line: str) -> str:
    safe = re.sub(
        r"(?<=:)//|(?<=\bwww)\.",
        lambda found: f"\\{found[0]}",
        line.translate(_SPECIAL),
        flags=re.IGNORECASE,
    )
    # an indented line would be code
    return re.sub(r"^(\s*)(?:([#+\-=])|(\d+)([.)])(?=\s|$))", _plain_start, safe.strip())


def _plain_start(found: re.Match[str]) -> str:
    mark = f"\\{found[2]}" if found[2] else f"{found[3]}\\{found[4]}"
    return found[1] + mark


def _parts(contents: ReportContents, pictures: Sequence[str]) -> Iterator[str]:
    turn = contents.turn
    yield f"# {escaped(printable(turn.question, one_line=True))}"
    yield f"*{contents.byline}*"
    for block in turn.warnings:
        where = escaped(contents.place(block.source))
        level = contents.signal_word(block)
        yield f"> **{level}** {escaped(printable(block.text, one_line=True))} ({where})"
    if turn.doubt:
        yield f"**{escaped(turn.doubt)}**"
    lines = (line for line in contents.answer.split("\n") if line.strip())
    yield "\n\n".join(
        f"**{escaped(line)}**" if line in contents.keys else escaped(line) for line in lines
    )
    yield f"*{contents.notice}*"
    if contents.pictures:
        yield f"## {contents.said(SOURCES)}"
    for picture, name in zip(contents.pictures, pictures, strict=True):
        citation = picture.citation
        where = escaped(contents.place(citation.source))
        yield f"**\\[{citation.number}\\] {where}**"
        yield quoted(escaped(quote_of(citation)), turn.language)
        yield f"![{where}]({name})" if name else f"*{escaped(contents.said(picture.problem))}*"
    if turn.notes:
        yield f"## {contents.said(NOTES)}"
    for label, quote in contents.notes:
        yield f"**{escaped(label)}**"
        yield quoted(escaped(quote), turn.language)


_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_LONGEST_ADDRESS = 254
DRAFT = "draft.eml"


def _checked_address(text: str) -> str:
    address = text.strip()
    if address and (len(address) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(address)):
        raise ValueError("this is not an e-mail address")
    return address


class EmailHeading(BaseModel):
    """To whom and about what. Line ends and control characters cannot get into a header."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    recipient: Annotated[str, AfterValidator(_checked_address)] = Field(
        default="", max_length=300, description="One e-mail address; empty to fill it in later."
    )
    subject: Annotated[str, AfterValidator(partial(printable, one_line=True))] = Field(
        default="", max_length=300, description="Empty: the question."
    )
    note: str = Field(
        default="", max_length=4_000, description="What stands above the answer, if anything."
    )


def write_draft(report: Report, heading: EmailHeading) -> Path:
    """Write the answer with its sources, the report's files attached, into its folder; blocks.

    Raises: OSError.
    """
    target = report.folder / DRAFT
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
    yield from (printable(turn.question, one_line=True), "")
    if turn.doubt:
        yield from (turn.doubt, "")
    yield printable(contents.answer)
    for block in turn.warnings:
        where = contents.place(block.source)
        yield from (
            "",
            f"{contents.signal_word(block)}: {printable(block.text, one_line=True)} ({where})",
        )
    if turn.citations or turn.notes:
        yield ""
    for citation in turn.citations:
        where = contents.place(citation.source)
        yield f"[{citation.number}] {where}: {quoted(quote_of(citation), turn.language)}"
    for label, quote in contents.notes:
        yield f"{label}: {quoted(quote, turn.language)}"
    yield from ("", contents.notice)
