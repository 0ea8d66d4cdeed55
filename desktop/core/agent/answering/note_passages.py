"""Notes of the site as passages for a language model: after the manuals', and marked as notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.passages import NumberedPassage
from desktop.core.agent.context import document_of_note, kept_notes
from desktop.core.notes.wording import note_place
from desktop.core.retrieval.evidence import Evidence, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.notes.search import FoundNote

_MOST = 3
_SHARE = 0.3  # of the room for passages: the manuals come first


def with_notes(
    environment: Environment,
    room: int,
    cost: Callable[[NumberedPassage], int],
    manuals: Callable[[int], Sequence[NumberedPassage]],
) -> tuple[NumberedPassage, ...]:
    """Return the passages of manuals and, after them, of the notes that a question is about.

    room: tokens for all. cost: tokens of a passage. manuals: chooses theirs, given tokens.
    """
    notes, left = [], int(room * _SHARE)
    for number, found in enumerate(kept_notes(environment)[:_MOST]):
        passage = _passage(number, found)
        spent = cost(passage)
        if spent <= left:
            notes.append(passage)
            left -= spent
            room -= spent
    chosen = tuple(manuals(room))
    if not chosen:
        return ()
    first = len(chosen) + 1
    return (*chosen, *(_numbered(passage, first + n) for n, passage in enumerate(notes)))


def _numbered(passage: NumberedPassage, number: int) -> NumberedPassage:
    return NumberedPassage(number, passage.evidence, passage.units, passage.reference)


def _passage(number: int, found: FoundNote) -> NumberedPassage:
    lines = [line.strip() for line in found.note.text.splitlines() if line.strip()]
    units = tuple(Passage(0, "note", line, found.note.scope, (), (), found.score) for line in lines)
    label = note_place(found.source)
    document = document_of_note(number)
    evidence = Evidence(document, "site note", label, 0, "", found.score, ("notes",), units)
    return NumberedPassage(0, evidence, units)
