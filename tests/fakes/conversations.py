"""Conversations in memory, with the surface that the window uses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.core.conversations.values import ConversationRecord, StoredTurn
from desktop.core.events import CompleteEvent, TokenEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from desktop.core.events import Event


class FakeConversations:
    """The latest is the one with the highest number of changes."""

    read_only = False

    def __init__(self) -> None:
        self.records: dict[int, ConversationRecord] = {}
        self.stored: dict[int, list[StoredTurn]] = {}
        self.exports: list[tuple[int, Path]] = []
        self.deleted: list[int] = []
        self._changes = 0

    def create(self, title: str = "", document_ids: Iterable[int] = ()) -> int:
        id_ = len(self.records) + len(self.deleted) + 1
        stamp = self._stamp()
        self.records[id_] = ConversationRecord(id_, title, stamp, stamp, 0, frozenset(document_ids))
        self.stored[id_] = []
        return id_

    def recent_questions(self, limit: int) -> list[tuple[int, str, str]]:
        asked = [
            (id_, turn.prompt, turn.asked_at)
            for id_, turns in self.stored.items()
            for turn in turns
        ]
        return asked[::-1][:limit]

    def add_turn(
        self,
        conversation_id: int,
        prompt: str,
        events: Sequence[Event],
        document_ids: Iterable[int] = (),
    ) -> None:
        turns = self.stored.get(conversation_id)
        if turns is None:
            return
        answer = "".join(each.content for each in events if isinstance(each, TokenEvent))
        last = events[-1] if events else None
        outcome: Any = last.outcome if isinstance(last, CompleteEvent) else "interrupted"
        place = len(turns) + 1
        turns.append(
            StoredTurn(place, place, prompt, answer, outcome, self._stamp(), tuple(events))
        )
        record = self.records[conversation_id]
        self.records[conversation_id] = replace(
            record,
            title=record.title or prompt,
            turns=place,
            updated_at=self._stamp(),
            document_ids=frozenset(document_ids),
        )

    def list(self, search: str = "") -> list[ConversationRecord]:
        found = [each for each in self.records.values() if self._has(each, search)]
        return sorted(found, key=lambda each: each.updated_at, reverse=True)

    def turns(self, conversation_id: int) -> Any:
        return list(self.stored[conversation_id])

    def rename(self, conversation_id: int, title: str) -> None:
        self.records[conversation_id] = replace(self.records[conversation_id], title=title)

    def delete(self, conversation_id: int) -> None:
        self.deleted.append(conversation_id)
        del self.records[conversation_id], self.stored[conversation_id]

    def export(self, conversation_id: int, path: Path) -> None:
        self.exports.append((conversation_id, path))

    def _has(self, record: ConversationRecord, search: str) -> bool:
        said = " ".join(f"{each.prompt} {each.answer}" for each in self.stored[record.id])
        return all(
            word in f"{record.title} {said}".casefold() for word in search.casefold().split()
        )

    def _stamp(self) -> str:
        self._changes += 1
        return f"2026-01-01T10:{self._changes // 60:02d}:{self._changes % 60:02d}+00:00"
