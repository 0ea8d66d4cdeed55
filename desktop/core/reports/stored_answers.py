"""The last answer of a stored conversation."""

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

    def last_answer(self, conversation_id: int) -> AnsweredTurn | None:
        """Return the last answer of a conversation, None if nothing was answered in it."""
        if conversation_id <= 0:
            return None
        try:
            turns = self._conversations.turns(conversation_id)
        except ConversationNotFound:
            return None
        for turn in reversed(turns):
            asked_at = datetime.fromisoformat(turn.asked_at).astimezone()
            found = answered_turn(turn.prompt, turn.events, asked_at)
            if found is not None:
                return found
        return None
