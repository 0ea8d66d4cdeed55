"""What a conversation is made of, and which parts the agent gets with the next question.

"And for the external one?" is asked after another question. A search reads it both
ways, by itself and after the question before it (`Query.before`, see
`retrieval/in_context.py`). What has no reader, such as the notes of the site, gets one
text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from desktop.core.events import (
    CitationEvent,
    NearestPageEvent,
    NoteCitationEvent,
    Outcome,
    WarningBlockEvent,
)
from desktop.core.question.query import Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def one_line(text: str) -> str:
    """Return a text as a title: one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[: TITLE_CHARACTERS - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + "…"


SAYS_LITTLE: Final = 3
"""Meaningful words of a question that may need the one before it: in the labels (learn, choose)
65 of 100 follow-ups have no more, and 14 of 100 plain questions."""


def question_before(history: Sequence[Mapping[str, str]]) -> str:
    """Return what was asked last, "" before the first question.

    What was asked last may be a follow-up itself: then the question before that is put
    with it, and no further one: terse questions one after the other are not all of one thing.

    history: {"role": "user" or "assistant", "content": text}, oldest first.
    """
    asked = [each["content"] for each in history if each.get("role") == "user"]
    before: list[str] = []
    for question in reversed(asked):
        before.insert(0, question)
        if not _says_little(question) or len(before) == _MOST_BEFORE:
            break
    return " ".join(before)


def resolved(prompt: str, history: Sequence[Mapping[str, str]]) -> str:
    """Return `prompt`, after the question before it if it says little by itself."""
    before = question_before(history) if _says_little(prompt) else ""
    return f"{before} {prompt}".strip()


def _says_little(question: str) -> bool:
    return len(Question.parse(question).groups) <= SAYS_LITTLE


_MOST_BEFORE: Final = 2
HISTORY_TURNS = 6
MESSAGE_CHARACTERS = 1_200
"""Of one answer: the beginning says what it was about."""
HISTORY_CHARACTERS = 6_000


def messages(
    said: Sequence[tuple[str, str]], most_characters: int = HISTORY_CHARACTERS
) -> list[dict[str, str]]:
    """Return questions and answers as messages, oldest first.

    said: (question, answer) of the last turns, oldest first; the answer may be empty.
    most_characters: of all contents together; what is older is left out, a turn as a whole.
    """
    kept: list[list[dict[str, str]]] = []
    room = most_characters
    for question, answer in reversed(said):
        turn = [{"role": "user", "content": shortened(question)}]
        plain = without_marks(answer)
        if plain:
            turn.append({"role": "assistant", "content": shortened(plain)})
        room -= sum(len(message["content"]) for message in turn)
        if room < 0:
            break
        kept.append(turn)
    return [message for turn in reversed(kept) for message in turn]


def without_marks(answer: str) -> str:
    """Return an answer without its citation marks: they mean nothing beside other sources."""
    return re.sub(r"[ \t]*\[\d{1,3}\]", "", answer).strip()


def shortened(text: str, most: int = MESSAGE_CHARACTERS) -> str:
    """Return a text cut at a word."""
    text = text.strip()
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    return (cut.rsplit(None, 1)[0] if " " in cut else cut) + " …"
