"""The conversations of a library: made, listed, searched, renamed, deleted, read again."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from desktop.core.conversations import rows
from desktop.core.conversations.export import Exported, write_export
from desktop.core.conversations.recording import Recording
from desktop.core.conversations.values import HISTORY_TURNS, messages, one_line
from desktop.core.errors import ConversationNotFound

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterable
    from pathlib import Path

    import apsw

    from desktop.core.conversations.values import ConversationRecord, StoredTurn
    from desktop.core.events import Event
    from desktop.core.store.database import Database

FIRST_VERSION = 2
"""Of the schema: an older library that is only read has no conversations."""


class Conversations:
    """The store of conversations, one for each open library; may be used from any thread.

    What changes something raises LibraryNotWritable for a library opened to be read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._next_id = 0
        self._guard = threading.Lock()

    @property
    def read_only(self) -> bool:
        """Whether questions are asked without being kept."""
        return self._database.read_only

    def mark_interrupted(self) -> int:
        """Mark the turns that an earlier run of the program left unfinished; returns how many.

        To be called once, when the library has been opened for writing and nothing runs
        yet.
        """
        return self._database.write(rows.mark_interrupted)

    def create(self, title: str = "", document_ids: Iterable[int] = ()) -> int:
        """Begin a conversation and return its id, without waiting for the disk.

        An empty title becomes the first question's words. Ids are never used again.
        """
        conversation_id = self._reserve()
        stamp, manuals = _now(), list(document_ids)
        self._database.submit(
            lambda c: rows.insert_conversation(c, conversation_id, one_line(title), stamp, manuals)
        )
        return conversation_id

    def begin_turn(
        self, conversation_id: int, prompt: str, document_ids: Iterable[int] = ()
    ) -> Recording:
        """Store a question that is being asked; its events go into the recording.

        Does not wait for the disk. A conversation that is gone keeps nothing.
        """
        return Recording(self._database, conversation_id, prompt, _now(), list(document_ids))

    def add_turn(
        self,
        conversation_id: int,
        prompt: str,
        events: Iterable[Event],
        document_ids: Iterable[int] = (),
    ) -> None:
        """Store a question with all of its events, and wait until that is on the disk."""
        recording = self.begin_turn(conversation_id, prompt, document_ids)
        for event in events:
            recording.take(event)
        recording.close()
        recording.wait()

    def list(self, search: str = "") -> list[ConversationRecord]:
        """Return the conversations, the latest first.

        search: only those in which each of its words stands somewhere, in the title, in a
        question or in an answer; parts of words count, case does not.
        """

        def read(connection: apsw.Connection) -> list[ConversationRecord]:
            records = rows.all_conversations(connection)
            return rows.conversations_with(connection, records, search)

        return self._database.read(read) if self._has_tables() else []

    def recent_questions(self, limit: int) -> builtins.list[tuple[int, str, str]]:
        """Return conversation id, question and when it was asked, the latest first, each once."""
        if not self._has_tables():
            return []
        return self._database.read(lambda c: rows.recent_questions(c, limit))

    def record(self, conversation_id: int) -> ConversationRecord:
        """Return one conversation without its turns.

        Raises: ConversationNotFound.
        """
        found = (each for each in self.list() if each.id == conversation_id)
        record = next(found, None)
        if record is None:
            raise ConversationNotFound(conversation_id)
        return record

    def turns(self, conversation_id: int) -> builtins.list[StoredTurn]:
        """Return the turns of a conversation in their order, with their events.

        Raises: ConversationNotFound.
        """
        if not self._has_tables():
            raise ConversationNotFound(conversation_id)
        stored = self._database.read(lambda c: rows.turns_of(c, conversation_id))
        return [rows.turn_from(row) for row in stored]

    def rename(self, conversation_id: int, title: str) -> None:
        """Give a conversation another title; an empty one brings the first question back.

        Raises: ConversationNotFound.
        """
        self._database.write(lambda c: rows.rename(c, conversation_id, one_line(title)))

    def delete(self, conversation_id: int) -> None:
        """Remove a conversation with all of its turns.

        Raises: ConversationNotFound.
        """
        self._database.write(lambda c: rows.delete(c, conversation_id))

    def history(
        self, conversation_id: int, max_turns: int = HISTORY_TURNS
    ) -> builtins.list[dict[str, str]]:
        """Return what was said last, for a follow-up question: see `history.messages`.

        A conversation that is gone, or has no turn yet, has no history.
        """
        if not self._has_tables():
            return []
        said = self._database.read(lambda c: rows.last_said(c, conversation_id, max_turns))
        return messages(said)

    def export(self, conversation_id: int, path: Path) -> None:
        """Write a conversation to `path`: as JSON if its name says so, else as Markdown.

        Raises: ConversationNotFound. OSError, if the file cannot be written.
        """
        write_export(self.exported(conversation_id), path)

    def exported(self, conversation_id: int) -> Exported:
        """Return a conversation with the manuals' present titles, ready to be written.

        Raises: ConversationNotFound.
        """
        record = self.record(conversation_id)
        titles = self._database.read(rows.titles_of_manuals)
        return Exported(record, tuple(self.turns(conversation_id)), titles)

    def _reserve(self) -> int:
        # One process writes to a library (its lock), so ids can be given out from memory.
        with self._guard:
            if self._next_id == 0:
                self._next_id = self._database.read(rows.last_conversation_id)
            self._next_id += 1
            return self._next_id

    def _has_tables(self) -> bool:
        version = self._database.read(lambda c: int(c.pragma("user_version")))
        return version >= FIRST_VERSION


def _now() -> str:
    return datetime.now(UTC).isoformat()
