"""A question with its finished answer: what a report or an e-mail is made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    TokenEvent,
    WarningBlockEvent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """answer: the text with its citation marks. answered_at: local time."""

    question: str
    answer: str
    citations: tuple[CitationEvent, ...]
    warnings: tuple[WarningBlockEvent, ...]
    answered_at: datetime


def answered_turn(
    question: str, events: Iterable[Event], answered_at: datetime | None = None
) -> AnsweredTurn | None:
    """Return what the events of a question answered, None if they did not answer it."""
    words: list[str] = []
    citations: list[CitationEvent] = []
    warnings: list[WarningBlockEvent] = []
    outcome = ""
    for event in events:
        match event:
            case TokenEvent():
                words.append(event.content)
            case CitationEvent():
                citations.append(event)
            case WarningBlockEvent():
                warnings.append(event)
            case CompleteEvent():
                outcome = event.outcome
            case _:
                pass
    answer = "".join(words).strip()
    if outcome != "answered" or not answer:
        return None
    citations.sort(key=lambda each: each.number)
    stamp = answered_at or datetime.now().astimezone()
    return AnsweredTurn(question.strip(), answer, tuple(citations), tuple(warnings), stamp)
