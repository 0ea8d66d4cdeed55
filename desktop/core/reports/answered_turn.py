"""A question with its finished answer: what a report or an e-mail is made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from desktop.core.errors import ConversationNotFound
from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    CompleteEvent,
    NoteCitationEvent,
    ResultEvent,
    RevisedText,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.spoken import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.conversations.store import Conversations
    from desktop.core.events import Event


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """answer: the text with its citation marks, as it was corrected. answered_at: local time.

    notes: of the site that it cites beside pages; their numbers are one sequence with those.
    """

    question: str
    answer: str
    citations: tuple[CitationEvent, ...]
    warnings: tuple[WarningBlockEvent, ...]
    answered_at: datetime
    notes: tuple[NoteCitationEvent, ...] = ()

    @property
    def language(self) -> str:
        """What a report says beside the answer is said in the language of the question."""
        return language_of(self.question, self.answer)


def answered_turn(
    question: str, events: Iterable[Event], answered_at: datetime | None = None
) -> AnsweredTurn | None:
    """Return what the events of a question answered, None if they did not answer it.

    What a research had found when it was stopped is an answer too: it was checked.
    """
    text = RevisedText()
    citations: list[CitationEvent] = []
    notes: list[NoteCitationEvent] = []
    warnings: list[WarningBlockEvent] = []
    outcome, researched = "", False
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
        question.strip(), answer, tuple(citations), tuple(warnings), stamp, tuple(notes)
    )


class StoredAnswers:
    """Satisfies `AnsweredTurns` from the conversations of a library."""

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
