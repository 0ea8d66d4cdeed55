"""Notes of the site as lines of their own below an answer: after the manuals, never as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.answer_writer import written
from desktop.core.events import CitationEvent, NoteCitationEvent, TokenEvent
from desktop.core.language.untrusted_text import neutral
from desktop.core.notes.wording import note_label
from desktop.core.quantities import order_of, quantities_in
from desktop.core.sentences import said
from desktop.core.spoken import ENGLISH, in_language

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.answering.answer import Statement
    from desktop.core.events import NoteSource
    from desktop.core.notes.search import FoundNote

_KEY = "notes"
_MOST_LINES = 2
_LONGEST_LINE = 600
LONGEST_QUOTE = 2_000
"""Characters of a note that its citation shows."""


def keep_notes(environment: Environment, found: Iterable[FoundNote]) -> None:
    """Keep the notes that a question is about, best first."""
    environment.hidden_environment[_KEY] = tuple(found)


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


class NoteLines:
    """The notes of one answer. `take` every output before, so that the numbers go on."""

    def __init__(self, environment: Environment) -> None:
        self._telling = [found for found in kept_notes(environment) if found.telling]
        self._cited: dict[str, int] = {}
        self._last = 0
        self.objects: list[dict[str, Any]] = []

    def take(self, output: object) -> None:
        """Note what the answer cites by itself."""
        if isinstance(output, CitationEvent | NoteCitationEvent):
            self._last = max(self._last, output.number)
        if isinstance(output, NoteCitationEvent):
            self._cited[output.note.piece_id] = output.number

    @property
    def left(self) -> list[FoundNote]:
        """The notes that tell something and are not cited yet, best first."""
        left = [found for found in self._telling if found.note.piece_id not in self._cited]
        return left[:_MOST_LINES]

    def number_of(self, piece_id: str) -> int:
        """Return the number that a note is cited by, 0 for none."""
        return self._cited.get(piece_id, 0)

    async def below(
        self, statements: Sequence[Statement], language: str = ENGLISH
    ) -> AsyncGenerator[TokenEvent | NoteCitationEvent, None]:
        """Write the notes that are left below an answer; say where one differs from a manual.

        statements: what the answer says with the manuals, nothing if they did not answer.
        language: that the notes are introduced in; their own words stay as they are.
        """
        for found in self.left:
            self._last += 1
            self._cited[found.note.piece_id] = self._last
            label = note_label(found.source, language=language)
            if differ(found.note.text, statements):
                differing = said("{note}, differs from the manual", note=label)
                label = in_language(differing, language)
            words = _shortened(neutral(found.note.text))
            yield TokenEvent("\n")
            async for token in written(f"{label[:1].upper()}{label[1:]}: {words}"):
                yield token
            yield NoteCitationEvent(self._last, found.source, found.note.text[:LONGEST_QUOTE])
            yield TokenEvent(f" [{self._last}]")
            self.objects.append(note_object(words, self._last, found))


def note_object(text: str, number: int, found: FoundNote) -> dict[str, Any]:
    """Return a statement of a note as plain values: it names no document."""
    return {
        "text": text,
        "citation": number,
        "note": found.note.piece_id,
        "source": note_label(found.source),
        "tier": found.source.tier,
    }


def differ(note: str, statements: Sequence[Statement]) -> bool:
    """Whether a note gives amounts of a kind that the manuals give too, and none in common."""
    ours = [each for each in quantities_in(note) if each.unit]
    theirs = [
        each
        for statement in statements
        for each in quantities_in(f"{statement.text}\n{statement.quote}")
        if each.unit
    ]
    for mine in ours:
        orders = {order_of(mine, each) for each in theirs} - {""}
        if orders and "=" not in orders:
            return True
    return False


def _shortened(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE].rsplit(None, 1)[0] + " …"
