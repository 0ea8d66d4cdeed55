"""The answers of a stored conversation."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from desktop.core.errors import ConversationNotFound
from desktop.core.reports.answered_turn import answered_turn

if TYPE_CHECKING:
    from desktop.core.conversations.store import Conversations
    from desktop.core.reports.answered_turn import AnsweredTurn


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
