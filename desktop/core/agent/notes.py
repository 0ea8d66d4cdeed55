"""Notes of the site as lines of their own: below what the manuals surely say, else before it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.core.agent.tool_output import written
from desktop.core.answering.answer import Statement
from desktop.core.conversations.values import shortened
from desktop.core.errors import LibraryError
from desktop.core.events import (
    LIKELY,
    CitationEvent,
    ErrorEvent,
    NoteCitationEvent,
    PageRegion,
    TokenEvent,
)
from desktop.core.language.untrusted_text import neutral
from desktop.core.notes.note import note_label
from desktop.core.problems import failure_place
from desktop.core.quantities import order_of, plain, quantities_in
from desktop.core.question.languages import language_of
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.structure.sentences import sentences_of
from desktop.sentences import in_language, joined, said
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.answering.answer import Answer
    from desktop.core.events import NoteSource
    from desktop.core.notes.search import FoundNote

logger = logging.getLogger(__name__)

_KEY = "notes"
_SEARCH = "note search"
_MOST_LINES = 2
_MOST_RULES = 3
_MOST_COMPARED = 3
_LONGEST_LINE = 600
LONGEST_QUOTE = 2_000
"""Characters of a note that its citation shows."""
_DOUBTED = 0.5
"""What is left of the confidence in an answer that a note of the site gives another value for."""
OTHER_VALUE = said("a site note gives a different value")
_SAME_SUBJECT, _SURELY_SAME_SUBJECT = 0.3, 0.5
"""Shares of a note's words beside a value that stand beside the manual's, too."""

NOT_IN_TIME = said("The site notes took too long to read; what was not read is left out.")

FindsNotes = Callable[[str], Awaitable["Sequence[FoundNote]"]]
"""Finds more notes; raises TimeoutError if that takes too long."""


async def _no_more(_text: str) -> Sequence[FoundNote]:
    return ()


def keep_notes(
    environment: Environment, found: Iterable[FoundNote], search: FindsNotes = _no_more
) -> None:
    """Keep the notes that a question is about, best first, and what finds more."""
    environment.hidden_environment[_KEY] = tuple(found)
    environment.hidden_environment[_SEARCH] = search


def kept_notes(environment: Environment) -> tuple[FoundNote, ...]:
    """Return them."""
    notes: tuple[FoundNote, ...] = environment.hidden_environment.get(_KEY, ())
    return notes


def note_number(document_id: int) -> int | None:
    """Return which of the kept notes a document is, from 0; None for a manual."""
    return -document_id - 1 if document_id < 0 else None


def document_of_note(number: int) -> int:
    """Return the id that the note stands under among passages."""
    return -number - 1


def sources_of_notes(environment: Environment) -> dict[int, NoteSource]:
    """Return how each kept note is cited, by its document id."""
    notes = enumerate(kept_notes(environment))
    return {document_of_note(number): found.source for number, found in notes}


def notes_first(environment: Environment, answer: Answer, question: str) -> Answer:
    """Return what the manuals do not surely say with the notes that likely answer before it."""
    if not answer.found or answer.confidence >= LIKELY:
        return answer
    left, language = NoteLines(environment).left, language_of(question)
    told = []
    for number, found in enumerate(kept_notes(environment)):
        if found in left and found.score >= LIKELY:
            label = in_language(note_label(found.source, language=language), language)
            place = PageRegion(document_of_note(number), "", 0, "", ())
            told.append(Statement(_line_of(label, found), place, found.note.text[:LONGEST_QUOTE]))
    return replace(answer, statements=(*told, *answer.statements))


class NoteLines:
    """The notes of one answer. `take` every earlier output, so that the numbers continue.

    begun: whether anything is written yet. differs: whether one of the notes gives a different
    value from the one the answer has from a manual.
    """

    def __init__(self, environment: Environment) -> None:
        self._found = kept_notes(environment)
        self._search: FindsNotes = environment.hidden_environment.get(_SEARCH, _no_more)
        self._cited: dict[str, int] = {}
        self._last = 0
        self.objects: list[dict[str, Any]] = []
        self.begun = self.differs = False

    def take(self, output: object) -> None:
        """Note what the answer cites by itself."""
        self.begun |= isinstance(output, TokenEvent)
        if isinstance(output, CitationEvent | NoteCitationEvent):
            self._last = max(self._last, output.number)
        if isinstance(output, NoteCitationEvent):
            self._cited[output.note.piece_id] = output.number

    @property
    def left(self) -> list[FoundNote]:
        """The notes that tell something and are not cited yet, best first, the same words once."""
        said_already = {_words(each) for each in self._found if each.note.piece_id in self._cited}
        left: dict[str, FoundNote] = {}
        for found in self._found:
            words = _words(found)
            if found.telling and words not in said_already:
                left.setdefault(words, found)
        return list(left.values())[:_MOST_LINES]

    def number_of(self, piece_id: str) -> int:
        """Return the number that a note is cited by, 0 for none."""
        return self._cited.get(piece_id, 0)

    def weighed(self, confidence: float, reason: str) -> tuple[float, str]:
        """Return the confidence in the manuals' answer given what the notes say, and why."""
        if not self.differs:
            return confidence, reason
        return confidence * _DOUBTED, joined([reason, OTHER_VALUE], "; ")

    async def below(
        self, statements: Sequence[Statement], question: str, *, by_model: bool = False
    ) -> AsyncGenerator[TokenEvent | NoteCitationEvent | ErrorEvent, None]:
        """Write the notes that are left below what is written; say where one differs from a manual.

        statements: what the answer says from the manuals, nothing if they did not
        answer.
        question: its language is that of the words around a note. by_model: a language
        model wrote the answer, and was given the rules of the site.
        """
        language = language_of(question)
        manuals = [each for each in statements if note_number(each.source.document_id) is None]
        for found in [each for each in self._found if each.note.piece_id in self._cited]:
            if differ(found.note.text, manuals, question):
                self.differs = True
                note = note_label(found.source, language=language)
                number = self._cited[found.note.piece_id]
                told = said("{note}, differs from the manual", note=note)
                yield TokenEvent(f"\n{_capital(in_language(told, language))} [{number}]")
        left = self.left
        more, trouble = await self._more_like(manuals)
        if trouble:
            yield ErrorEvent(trouble, True)
        for found in (*left, *self._others_that_differ(manuals, left, more)):
            note = note_label(found.source, language=language)
            if found not in left or differ(found.note.text, manuals, question):
                self.differs = True
                note = said("{note}, differs from the manual", note=note)
            async for output in self._line(found, in_language(note, language)):
                yield output
        if by_model:
            rules = [each for each in self._found if each.rule]
            rules = [each for each in rules if each.note.piece_id not in self._cited]
            for found in rules[:_MOST_RULES]:
                note = note_label(found.source, language=language)
                label = said("written under this site rule ({note})", note=note)
                async for output in self._line(found, in_language(label, language)):
                    yield output

    async def _line(
        self, found: FoundNote, label: str
    ) -> AsyncGenerator[TokenEvent | NoteCitationEvent, None]:
        self._last += 1
        self._cited[found.note.piece_id] = self._last
        if self.begun:
            yield TokenEvent("\n")
        self.begun = True
        async for token in written(_line_of(label, found)):
            yield token
        yield NoteCitationEvent(self._last, found.source, found.note.text[:LONGEST_QUOTE])
        yield TokenEvent(f" [{self._last}]")
        self.objects.append(note_object(_told(found), self._last, found))

    async def _more_like(self, manuals: Sequence[Statement]) -> tuple[list[FoundNote], str]:
        """Return the notes about what an answer gives a value of, and what went wrong."""
        found: list[FoundNote] = []
        try:
            for statement in manuals[:_MOST_COMPARED]:
                if any(each.unit for each in quantities_in(statement.quote)):
                    found += await self._search(f"{statement.text}\n{statement.quote}")
        except TimeoutError:
            return found, NOT_IN_TIME
        except (KnowledgeError, LibraryError) as error:
            logger.warning("notes are not compared: %s", failure_place(error))
        return found, ""

    def _others_that_differ(
        self, manuals: Sequence[Statement], left: Sequence[FoundNote], more: Sequence[FoundNote]
    ) -> list[FoundNote]:
        """Return notes that give another value than the answer, asked for or not."""
        told = {_words(each) for each in self._found if each.note.piece_id in self._cited}
        told |= {_words(each) for each in left}
        others: dict[str, FoundNote] = {}
        for each in (*self._found, *more):
            words = _words(each)
            if words not in told and differ(each.note.text, manuals):
                others.setdefault(words, each)
        return list(others.values())[:_MOST_LINES]


def _line_of(label: str, found: FoundNote) -> str:
    return f"{_capital(label)}: {_told(found)}"


def _told(found: FoundNote) -> str:
    return shortened(neutral(found.note.text), _LONGEST_LINE)


def note_object(text: str, number: int, found: FoundNote) -> dict[str, Any]:
    """Return a statement of a note as plain values: it names no document."""
    return {
        "text": text,
        "citation": number,
        "note": found.note.piece_id,
        "source": note_label(found.source),
        "tier": found.source.tier,
    }


def differ(note: str, statements: Sequence[Statement], question: str = "") -> bool:
    """Whether a note gives a different value from the manuals' for the same quantity.

    A value is different if the manual's words have amounts of its kind and none is the
    same. What it is a value of is told by the words of its sentence, which the manual's
    words share. question: that the note answers; its words count as the manual's, so
    fewer are enough.
    """
    asked = index_term_set(question)
    enough = _SAME_SUBJECT if question else _SURELY_SAME_SUBJECT
    sentences = [line for line in sentences_of(note) if any(q.unit for q in quantities_in(line))]
    for statement in statements:
        manual = f"{statement.text}\n{statement.quote}"
        theirs = [each for each in quantities_in(manual) if each.unit]
        words = index_term_set(manual) | asked
        for sentence in sentences:
            here = index_term_set(sentence)
            if max(_share(sentence, words), _share(manual, here)) < enough:
                continue
            for mine in quantities_in(sentence):
                orders = {order_of(mine, each) for each in theirs} - {""} if mine.unit else set()
                if orders and "=" not in orders:
                    return True
    return False


def _share(text: str, words: frozenset[str]) -> float:
    """Return how much of what a text says besides its amounts is among some words, 0 to 1."""
    signs = list(plain(text))
    for each in quantities_in(text):
        signs[each.start : each.end] = " " * (each.end - each.start)
    subject = [group for group in query_terms("".join(signs)) if not group[0].isdigit()]
    shared = sum(not words.isdisjoint(group) for group in subject)
    return shared / len(subject) if subject else 0.0


def _words(found: FoundNote) -> str:
    return " ".join(found.note.text.split()).casefold()


def _capital(label: str) -> str:
    return f"{label[:1].upper()}{label[1:]}"
