"""An answer as the contents of a report: its turn, statements, citations, pages."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from desktop.core.answering.answer import sureness_told
from desktop.core.answering.quoted_lines import key_lines, with_rows
from desktop.core.errors import ConversationNotFound
from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    NoteCitationEvent,
    ResultEvent,
    RevisedText,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.notes.note import note_place
from desktop.core.question.languages import language_of
from desktop.core.structure.signs import cells_apart
from desktop.sentences import ENGLISH, in_language, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from desktop.core.conversations.store import Conversations
    from desktop.core.events import Event, PageRegion, Sureness, WarningLevel
    from desktop.core.reports.cited_pictures import CitedPicture

NOTICE = said(
    "Every statement cites a page of the manuals. Go by the manual: check it before you work on "
    "the equipment."
)
NOTICE_WITH_NOTES = said(
    "Statements cite manual pages, or site notes where they say so. Go by the manual: check it "
    "before you work on the equipment."
)
SOURCES, NOTES = said("Sources"), said("Site notes")
LEVELS: dict[WarningLevel, str] = {
    "DANGER": said("DANGER"),
    "WARNING": said("WARNING"),
    "CAUTION": said("CAUTION"),
    "NOTE": said("NOTE"),
}


def titled(title: str, revision: str) -> str:
    """Return the title of a manual with its revision, unless the title has it."""
    known = not revision or revision.casefold() in title.casefold()
    return title if known or not title else f"{title}, {revision}"


def place(source: PageRegion, title: str, language: str = ENGLISH) -> str:
    """Return "Title (file.pdf), page 4-11 (page 61 of the file)"."""
    position = str(source.page + 1)
    manual = title.strip()
    named = f"{manual} ({source.document})" if manual else source.document
    printed = source.label.strip() or position
    told = said("{manual}, page {page}", manual=named, page=printed)
    if printed != position:
        told = said(
            "{manual}, page {page} (page {position} of the file)",
            manual=named,
            page=printed,
            position=position,
        )
    return printable(in_language(told, language), one_line=True)


def signal_word(level: WarningLevel, language: str) -> str:
    """Return a level as the standards call it in a language: "DANGER", "GEFAHR"."""
    return in_language(LEVELS[level], language)


def moment(when: datetime, language: str) -> str:
    """Return a day and time as they are written: "2026-03-12 14:05", "12.03.2026, 14:05"."""
    return f"{when:%d.%m.%Y, %H:%M}" if language == "de" else f"{when:%Y-%m-%d %H:%M}"


def printable(text: str, *, one_line: bool = False) -> str:
    """Return a text without control characters, half characters and hidden direction marks.

    Manuals may contain anything; line ends are kept unless `one_line`.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")
    return " ".join(kept.split()) if one_line else kept.expandtabs(4)


def quote_of(citation: CitationEvent) -> str:
    """Return what a citation quotes, on one line, with the cells of a row apart."""
    return printable(cells_apart(citation.quote), one_line=True)


@dataclass(frozen=True, slots=True)
class ReportContents:
    """titles: of the manuals by document id; one that is missing has left the library."""

    turn: AnsweredTurn
    pictures: tuple[CitedPicture, ...]
    titles: Mapping[int, str]

    @property
    def answer(self) -> str:
        """The answer; each quoted row in the order of its columns, apart from the others."""
        return with_rows(self.turn.answer, self.turn.citations)

    @property
    def keys(self) -> frozenset[str]:
        """The lines of the answer with which a row begins."""
        return key_lines(self.turn.citations)

    @property
    def byline(self) -> str:
        """Who wrote the report and when."""
        return f"Groundwork, {moment(self.turn.answered_at, self.turn.language)}"

    @property
    def notice(self) -> str:
        """What a reader must know about where the statements come from."""
        return self.said(NOTICE_WITH_NOTES if self.turn.notes else NOTICE)

    @property
    def notes(self) -> Iterator[tuple[str, str]]:
        """The notes that are cited: "[3] site note, 12 March, by fitter", and their words."""
        for label, cited in zip(note_places(self.turn), self.turn.notes, strict=True):
            yield label, printable(cited.quote, one_line=True)

    def said(self, text: str) -> str:
        """Return what the core says in the language of the question."""
        return in_language(text, self.turn.language)

    def place(self, source: PageRegion) -> str:
        """Return where a statement is found; see `wording.place`."""
        return place(source, self.titles.get(source.document_id, ""), self.turn.language)

    def signal_word(self, block: WarningBlockEvent) -> str:
        """Return the level of a safety block; see `wording.signal_word`."""
        return signal_word(block.level, self.turn.language)


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """answer: the text with its citation marks, as it was corrected. answered_at: local time.

    notes: those of the site that it cites besides pages; both are numbered in one
    sequence. sureness: how sure the answer is, None if that was not said.
    """

    question: str
    answer: str
    citations: tuple[CitationEvent, ...]
    warnings: tuple[WarningBlockEvent, ...]
    answered_at: datetime
    notes: tuple[NoteCitationEvent, ...] = ()
    sureness: Sureness | None = None

    @property
    def language(self) -> str:
        """Whatever a report says besides the answer is in the language of the question."""
        return language_of(self.question, self.answer)

    @property
    def doubt(self) -> str:
        """What stands above an answer that may be none, as in the window; "" above others."""
        if self.sureness not in ("check", "differs") or not self.citations:
            return ""
        told = sureness_told(self.sureness, [each.source for each in self.citations])
        return f"{in_language(told, self.language)}."


def note_places(turn: AnsweredTurn) -> list[str]:
    """Return "[3] site note, 12 March, by fitter" for each note that an answer cites."""
    day = turn.answered_at.date()
    told = [(each.number, note_place(each.note, day, turn.language)) for each in turn.notes]
    return [printable(f"[{number}] {where}", one_line=True) for number, where in told]


def answered_turn(
    question: str, events: Iterable[Event], answered_at: datetime | None = None
) -> AnsweredTurn | None:
    """Return what the events of a question answered, None if they did not answer it.

    What research had found when it was stopped is an answer too: it was checked.
    """
    text = RevisedText()
    citations: list[CitationEvent] = []
    notes: list[NoteCitationEvent] = []
    warnings: list[WarningBlockEvent] = []
    outcome, researched = "", False
    sureness: Sureness | None = None
    complete = False
    for event in events:
        if not (complete and isinstance(event, TokenEvent)):
            text.take(event)
        match event:
            case ResultEvent(payload_type="answer"):
                complete = True  # what is said after it is what was made of it
            case CitationEvent():
                citations.append(event)
            case NoteCitationEvent():
                notes.append(event)
            case WarningBlockEvent():
                warnings.append(event)
            case ResultEvent(payload_type="research_report"):
                researched = True
            case ConfidenceEvent():
                sureness = event.sureness
            case CompleteEvent():
                outcome = event.outcome
            case _:
                pass
    answer = text.text.strip()
    if not answer or not (outcome in ANSWERED or (researched and outcome == "cancelled")):
        return None
    # a sentence that was withdrawn leaves its citation behind
    citations = [each for each in citations if f"[{each.number}]" in answer]
    citations.sort(key=lambda each: each.number)
    notes = [each for each in notes if f"[{each.number}]" in answer]
    stamp = answered_at or datetime.now().astimezone()
    return AnsweredTurn(
        question.strip(), answer, tuple(citations), tuple(warnings), stamp, tuple(notes), sureness
    )


class StoredAnswers:
    """What was answered before in a library; blocking, callable from any thread."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    def answers(self, conversation_id: int) -> list[AnsweredTurn]:
        """Return the answers of a conversation that cite pages or notes, the latest first."""
        if conversation_id <= 0:
            return []
        try:
            turns = self._conversations.turns(conversation_id)
        except ConversationNotFound:
            return []
        found = (
            answered_turn(
                turn.prompt, turn.events, datetime.fromisoformat(turn.asked_at).astimezone()
            )
            for turn in reversed(turns)
        )
        return [turn for turn in found if turn is not None and (turn.citations or turn.notes)]
