"""A report as Markdown, in which nothing of a manual or a model is markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.reports.wording import NOTES, SOURCES, printable, warning_text
from desktop.core.spoken import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.reports.contents import ReportContents

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~&$^])")
_LINE_START = re.compile(r"^(\s*)(?:([#+\-=])|(\d+)([.)])(?=\s|$))")
_LINK = re.compile(r"(?<=:)//|(?<=\bwww)\.", re.IGNORECASE)


def as_markdown(contents: ReportContents, pictures: Sequence[str]) -> str:
    """Return the report; pictures: the file name beside it per citation, "" where there is none."""
    return "\n\n".join(_parts(contents, pictures)) + "\n"


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it stands: no markup, HTML or links, lines kept."""
    return "  \n".join(map(_escaped_line, printable(text).split("\n")))


def _escaped_line(line: str) -> str:
    safe = _LINK.sub(lambda found: f"\\{found[0]}", _SPECIAL.sub(r"\\\1", line))
    # an indented line would be code
    return _LINE_START.sub(_plain_start, safe.strip())


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
        yield f"> **{level}** {escaped(warning_text(block))} ({where})"
    yield "\n\n".join(escaped(line) for line in turn.answer.split("\n") if line.strip())
    yield f"*{contents.notice}*"
    if contents.pictures:
        yield f"## {contents.said(SOURCES)}"
    for picture, name in zip(contents.pictures, pictures, strict=True):
        citation = picture.citation
        where = escaped(contents.place(citation.source))
        yield f"**\\[{citation.number}\\] {where}**"
        yield quoted(escaped(printable(citation.quote, one_line=True)), contents.turn.language)
        yield f"![{where}]({name})" if name else f"*{escaped(contents.said(picture.problem))}*"
    if turn.notes:
        yield f"## {contents.said(NOTES)}"
    for label, quote in contents.notes:
        yield f"**{escaped(label)}**"
        yield quoted(escaped(quote), contents.turn.language)
