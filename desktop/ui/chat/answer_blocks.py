"""An answer cut into what is shown differently: prose, rows of a table, steps, single quotes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.core.events import TextPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop.core.events import CitationEvent, QuotedForm

Line = list[TextPiece]
_IN_ORDER = ("step", "item")


@dataclass(frozen=True, slots=True)
class Prose:
    """Text that stands as it was written."""

    pieces: tuple[TextPiece, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Quotes that are shown as one card, in the form that they have on the page.

    citations: each has a form, all of one kind and place: rows of one table, steps of one list.
    """

    citations: tuple[CitationEvent, ...]

    @property
    def kind(self) -> str:
        """The kind of all of them."""
        return _form(self.citations[0]).kind

    @property
    def forms(self) -> tuple[QuotedForm, ...]:
        """How each stands on the page."""
        return tuple(map(_form, self.citations))


Block = Prose | Quoted


def answer_blocks(
    pieces: Sequence[TextPiece], citations: Mapping[int, CitationEvent], *, running: bool = False
) -> list[Block]:
    """Return the blocks of an answer in order.

    running: more is to come; a line that is still being written and will be shown as a quote is
    held back.
    """
    found: list[Block] = []
    told = {
        f"{each.form.told} [{each.number}]": each
        for each in citations.values()
        if each.form is not None and each.form.told
    }
    lines = list(_lines(pieces))
    for at, line in enumerate(lines):
        plain = "".join(piece.text for piece in line)
        if running and at == len(lines) - 1 and any(mark.startswith(plain) for mark in told):
            continue
        mark = max((each for each in told if plain.startswith(each)), key=len, default="")
        if not mark or any(piece.withdrawn or piece.unsupported for piece in line):
            _add_prose(found, line)
            continue
        _add_quoted(found, told[mark])
        rest = _without(line, len(mark))
        if any(piece.text.strip() for piece in rest):
            _add_prose(found, rest)
    return [each for each in found if not isinstance(each, Prose) or _says_something(each)]


def _add_quoted(found: list[Block], citation: CitationEvent) -> None:
    last = found[-1] if found else None
    if isinstance(last, Prose) and not _says_something(last):
        found.pop()
        last = found[-1] if found else None
    if isinstance(last, Quoted) and _goes_on(last.citations[-1], citation):
        found[-1] = Quoted((*last.citations, citation))
    else:
        found.append(Quoted((citation,)))


def _goes_on(before: CitationEvent, after: CitationEvent) -> bool:
    """Whether two quotes are of one table or one list."""
    one, other = _form(before), _form(after)
    places = {(each.source.document_id, each.source.page) for each in (before, after)}
    if len(places) > 1 or one.kind != other.kind or one.section != other.section:
        return False
    if one.kind == "row":
        return one.headings == other.headings and len(one.cells) == len(other.cells)
    return one.kind in _IN_ORDER


def _add_prose(found: list[Block], line: Line) -> None:
    if found and isinstance(found[-1], Prose):
        found[-1] = Prose((*found[-1].pieces, TextPiece("\n"), *line))
    else:
        found.append(Prose(tuple(line)))


def _lines(pieces: Sequence[TextPiece]) -> Iterator[Line]:
    line: Line = []
    for piece in pieces:
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                yield line
                line = []
            if part:
                line.append(replace(piece, text=part))
    yield line


def _without(line: Line, count: int) -> Line:
    """Return a line without so many letters at its beginning."""
    left: Line = []
    for piece in line:
        kept = piece.text[count:]
        count = max(0, count - len(piece.text))
        if kept:
            left.append(replace(piece, text=kept if left else kept.lstrip()))
    return left


def _says_something(prose: Prose) -> bool:
    return any(piece.text.strip() for piece in prose.pieces)


def _form(citation: CitationEvent) -> QuotedForm:
    assert citation.form is not None
    return citation.form
