"""What the table says of one question: the answer, where it stands, and why to look at it."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Final

from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    ErrorEvent,
    NearestPageEvent,
    NoteCitationEvent,
    RevisedText,
)
from desktop.core.notes.note import note_place
from desktop.core.reports.contents import answered_turn
from desktop.core.sentences import counted, said
from desktop.core.spoken import in_language, language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.core.events import Event, PageRegion, Sureness
    from desktop.core.library.values import DocumentRecord
    from desktop.core.reports.contents import AnsweredTurn

COLUMNS: Final = ("answer", "value", "how sure", "manual title", "page", "quote", "check")
"""Headings of the columns that are added to those of the questions."""
_SURE: Final[dict[Sureness, str]] = {
    "stated": said("Stated in the manual"),
    "likely": said("Likely: confirm on the page"),
    "check": said("Check the page: this may not be the answer"),
}
_DOUBTS: Final[dict[Sureness, str]] = {
    "likely": said("It is only likely that this answers the question."),
    "check": said("This may not be the answer."),
}
_NOT_FOUND, _ASKED_BACK = said("Not found"), said("Asked back")


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """The columns of one question, in the order of COLUMNS; "" where there is nothing to say.

    sure: "" if the question was not answered for a reason that may be gone next time.
    check: why a person should look at it.
    """

    answer: str = ""
    value: str = ""
    sure: str = ""
    manual: str = ""
    page: str = ""
    quote: str = ""
    check: str = ""

    @property
    def final(self) -> bool:
        """Whether the question need not be asked again."""
        return bool(self.sure)

    def cells(self) -> tuple[str, ...]:
        """Return the columns."""
        return astuple(self)

    @classmethod
    def of_cells(cls, cells: Sequence[str]) -> RowAnswer:
        """Return what `cells` gave."""
        return cls(**dict(zip((field.name for field in fields(cls)), cells, strict=True)))


def row_answer(
    question: str, events: Sequence[Event], manuals: Mapping[int, DocumentRecord]
) -> RowAnswer:
    """Return what is said of a question that was asked.

    events: all of them. manuals: those that were asked, by id.
    """
    last = next((each for each in events if isinstance(each, CompleteEvent)), None)
    outcome = last.outcome if last is not None else "failed"
    turn = answered_turn(question, events)
    text = RevisedText(events).text.strip()
    language = turn.language if turn is not None else language_of(question, text)
    doubts: list[str]
    match outcome:
        case "answered" | "partial" if turn is not None:
            found, doubts = _answered(turn, events, manuals)
            doubts += last.missing if last is not None else ()
        case "not_found":
            found = RowAnswer(sure=_NOT_FOUND)
            doubts = [*_not_found(events), *unread(manuals.values())]
        case "clarification":
            found, doubts = RowAnswer(sure=_ASKED_BACK), list(_asked_back(events))
        case _:
            found, doubts = RowAnswer(), list(_failed(events, text))
    return RowAnswer(
        found.answer,
        found.value,
        in_language(found.sure, language),
        found.manual,
        found.page,
        found.quote,
        " ".join(in_language(doubt, language) for doubt in doubts),
    )


def unread(manuals: Iterable[DocumentRecord]) -> list[str]:
    """Return a sentence for each manual of which something could not be read, or not yet."""
    told: list[str] = []
    for each in manuals:
        name = each.title or each.name
        if each.state in ("queued", "indexing"):
            told.append(said("“{manual}” is still being read.", manual=name))
        elif each.state != "ready":
            told.append(said("“{manual}” was not read.", manual=name))
        elif each.failed_pages:
            pages = counted(each.failed_pages, "1 page", "{n} pages")
            told.append(said("{count} of “{manual}” could not be read.", count=pages, manual=name))
    return told


def _answered(
    turn: AnsweredTurn, events: Sequence[Event], manuals: Mapping[int, DocumentRecord]
) -> tuple[RowAnswer, list[str]]:
    confidence = next((each for each in events if isinstance(each, ConfidenceEvent)), None)
    sureness: Sureness = confidence.sureness if confidence is not None else "check"
    several = len(turn.citations) + len(turn.notes) > 1
    sources: list[CitationEvent | NoteCitationEvent] = [*turn.citations, *turn.notes]
    sources.sort(key=lambda each: each.number)

    def listed(told: Mapping[int, str]) -> str:
        """Return one line, or a line for each source with its number."""
        lines = {number: line for number, line in told.items() if line}
        if not several:
            return "".join(lines.values())
        return "\n".join(f"[{number}] {line}" for number, line in lines.items())

    answer = turn.answer
    if not several and sources:
        answer = answer.replace(f" [{sources[0].number}]", "").replace(f"[{sources[0].number}]", "")
    found = RowAnswer(
        answer,
        listed({each.number: _value(each) for each in turn.citations}),
        _SURE[sureness],
        listed({each.number: _title(each, manuals, turn.language) for each in sources}),
        listed({each.number: page_name(each.source, turn.language) for each in turn.citations}),
        listed({each.number: " ".join(each.quote.split()) for each in sources}),
    )
    doubts = [_DOUBTS[sureness]] if sureness in _DOUBTS else []
    if not turn.citations:
        doubts.append(said("No page of a manual is cited."))
    doubts += [
        said("“{title}” is an older revision; {newer} is in the library.", **_older(each, manuals))
        for each in turn.citations
        if each.newer
    ]
    kept = (piece for piece in RevisedText(events).pieces if not piece.withdrawn)
    unsupported = [words for piece in kept for words in piece.unsupported]
    if unsupported:
        doubts.append(said("Not on the cited pages: {words}.", words=", ".join(unsupported)))
    cited = {each.source.document_id for each in turn.citations}
    return found, [*doubts, *unread(each for id_, each in manuals.items() if id_ in cited)]


def _value(citation: CitationEvent) -> str:
    """Return the cell of a quoted row, or its line, that answers the question."""
    form = citation.form
    if form is None or form.asked < 0:
        return ""
    cell = form.cells[form.asked]
    return cell if form.asked_line < 0 else cell.split("\n")[form.asked_line]


def page_name(source: PageRegion, language: str) -> str:
    """Return the printed number of a page and its number in the file, once if both are one."""
    position = str(source.page + 1)
    printed = source.label.strip() or position
    if printed == position:
        return position
    told = said("{page} (page {position} of the file)", page=printed, position=position)
    return in_language(told, language)


def _title(
    source: CitationEvent | NoteCitationEvent,
    manuals: Mapping[int, DocumentRecord],
    language: str,
) -> str:
    if isinstance(source, NoteCitationEvent):
        return note_place(source.note, language=language)
    return _manual(source.source, manuals)


def _manual(source: PageRegion, manuals: Mapping[int, DocumentRecord]) -> str:
    known = manuals.get(source.document_id)
    return (known.title if known is not None else "") or source.document


def _older(citation: CitationEvent, manuals: Mapping[int, DocumentRecord]) -> dict[str, str]:
    return {"title": _manual(citation.source, manuals), "newer": citation.newer}


def _not_found(events: Iterable[Event]) -> Iterable[str]:
    yield said("The answer was not found.")
    near = next((each for each in events if isinstance(each, NearestPageEvent)), None)
    if near is not None:
        yield said(
            "The nearest page is {page} of {manual}.",
            page=near.source.label or str(near.source.page + 1),
            manual=near.source.document,
        )


def _asked_back(events: Iterable[Event]) -> Iterable[str]:
    for event in events:
        if isinstance(event, ClarificationEvent):
            yield said("The question can be meant in several ways.")
            yield event.question
            yield " / ".join(event.options)


def _failed(events: Iterable[Event], text: str) -> Iterable[str]:
    errors = [each for each in events if isinstance(each, ErrorEvent) and not each.recoverable]
    if errors:
        yield from filter(None, (errors[-1].message, errors[-1].suggestion))
    else:
        yield text or said("The question was not answered.")
