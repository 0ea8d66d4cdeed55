"""What a conversation is made of, as it is read from the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.core.events import (
    CitationEvent,
    NearestPageEvent,
    NoteCitationEvent,
    Outcome,
    WarningBlockEvent,
)

if TYPE_CHECKING:
    from desktop.core.events import Event

TITLE_CHARACTERS = 80

TurnOutcome = Outcome | Literal["interrupted", ""]
"""interrupted: the program ended in the middle. "": it is being answered."""


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """One line of the list of conversations.

    created_at, updated_at: ISO 8601 in UTC; updated by every question. turns: how many
    questions. document_ids: the manuals the last question was limited to, empty for all.
    """

    id: int
    title: str
    created_at: str
    updated_at: str
    turns: int
    document_ids: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question with everything that came back for it.

    position counts from 1. answer: the text with its citation marks, as it stands after its
    revisions, or what the agent asked back; "" if nothing was written. events: in
    their order; neighbouring pieces of the answer are joined.
    """

    id: int
    position: int
    prompt: str
    answer: str
    outcome: TurnOutcome
    asked_at: str
    events: tuple[Event, ...] = ()

    @property
    def citations(self) -> tuple[CitationEvent, ...]:
        """The citations in the order of their numbers."""
        found = (event for event in self.events if isinstance(event, CitationEvent))
        return tuple(sorted(found, key=lambda event: event.number))

    @property
    def notes(self) -> tuple[NoteCitationEvent, ...]:
        """The notes that the answer cites, in the order of their numbers."""
        found = (event for event in self.events if isinstance(event, NoteCitationEvent))
        return tuple(sorted(found, key=lambda event: event.number))

    @property
    def warnings(self) -> tuple[WarningBlockEvent, ...]:
        """The safety blocks shown with the answer."""
        return tuple(event for event in self.events if isinstance(event, WarningBlockEvent))

    @property
    def nearest(self) -> tuple[NearestPageEvent, ...]:
        """Pages that are near the question, but no answer."""
        return tuple(event for event in self.events if isinstance(event, NearestPageEvent))


def one_line(text: str, most: int = TITLE_CHARACTERS) -> str:
    """Return a text as a title: one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + "…"
