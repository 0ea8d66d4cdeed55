"""The notes that a question is about, kept beside its environment, as evidence is.

A model sees them as passages of documents that no library has: their ids are negative.
`Citations` turns those into `NoteCitationEvent`s, so that no note is cited as a manual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.agent.environment import Environment
    from desktop.core.events import NoteSource
    from desktop.core.notes.search import FoundNote

_KEY = "notes"


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
