"""The conversations of a library: made, listed, searched, renamed, deleted, read again."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from desktop.core.conversations import rows
from desktop.core.conversations.export import Exported, write_export
from desktop.core.conversations.recording import Recording
from desktop.core.conversations.values import (
    HISTORY_TURNS,
    ConversationRecord,
    StoredTurn,
    messages,
    one_line,
)
from desktop.core.errors import ConversationNotFound

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterable
    from pathlib import Path

    import apsw

    from desktop.core.events import Event
    from desktop.core.store.database import Database

TRIGRAM = 3
"""Shorter words are not in the index of trigrams: they are looked for in the texts."""


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
        """Mark the turns an earlier run left unfinished, before anything runs; return how many."""

        def finish(connection: apsw.Connection) -> int:
            left = connection.execute("SELECT id FROM turns WHERE outcome = ''").fetchall()
            for (turn_id,) in left:
                rows.finish_turn(connection, cast("int", turn_id), "interrupted")
            return len(left)

        return self._database.write(finish)

    def create(self, title: str = "", document_ids: Iterable[int] = ()) -> int:
        """Begin a conversation and return its id, without waiting for the disk.

        An empty title becomes the first question's words. Ids are never used again.
        """
        conversation_id = self._reserve()
        stamp, manuals = _now(), json.dumps(sorted(document_ids))
        self._database.submit(
            lambda c: c.execute(
                "INSERT INTO conversations(id, title, created_at, updated_at, document_ids)"
                " VALUES(?, ?, ?, ?, ?)",
                (conversation_id, one_line(title), stamp, stamp, manuals),
            )
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
            stored = connection.execute(
                "SELECT c.id, c.title, c.created_at, c.updated_at, count(t.id), c.document_ids"
                " FROM conversations AS c LEFT JOIN turns AS t ON t.conversation_id = c.id"
                " GROUP BY c.id ORDER BY c.updated_at DESC, c.id DESC"
            )
            found = [
                ConversationRecord(id_, title, made, changed, turns, frozenset(json.loads(manuals)))
                for id_, title, made, changed, turns, manuals in stored
            ]
            for word in search.split():
                ids, part = _with_turns_that_say(connection, word), word.casefold()
                found = [each for each in found if each.id in ids or part in each.title.casefold()]
            return found

        return self._database.read(read)

    def recent_questions(self, limit: int) -> builtins.list[tuple[int, str, str]]:
        """Return conversation id, question and when it was asked, the latest first, each once."""
        return self._database.rows(
            "SELECT conversation_id, prompt, asked_at FROM turns WHERE id IN"
            " (SELECT max(id) FROM turns GROUP BY prompt) ORDER BY id DESC LIMIT ?",
            (limit,),
        )

    def record(self, conversation_id: int) -> ConversationRecord:
        """Return one conversation without its turns. Raises: ConversationNotFound."""
        found = (each for each in self.list() if each.id == conversation_id)
        record = next(found, None)
        if record is None:
            raise ConversationNotFound(conversation_id)
        return record

    def turns(self, conversation_id: int) -> builtins.list[StoredTurn]:
        """Return the turns of a conversation in their order, with their events.

        Raises: ConversationNotFound.
        """

        def read(connection: apsw.Connection) -> builtins.list[Any]:
            known = "SELECT 1 FROM conversations WHERE id = ?"
            if connection.execute(known, (conversation_id,)).fetchone() is None:
                raise ConversationNotFound(conversation_id)
            return connection.execute(
                "SELECT id, position, prompt, answer, outcome, asked_at, events FROM turns"
                " WHERE conversation_id = ? ORDER BY position",
                (conversation_id,),
            ).fetchall()

        stored = self._database.read(read)  # reading events takes its time, outside of that
        return [
            StoredTurn(id_, at, prompt, answer, outcome, asked, tuple(rows.read_events(events)))
            for id_, at, prompt, answer, outcome, asked, events in stored
        ]

    def rename(self, conversation_id: int, title: str) -> None:
        """Give a conversation another title; an empty one brings the first question back.

        Raises: ConversationNotFound.
        """

        def write(connection: apsw.Connection) -> None:
            new = one_line(title)
            if not new:
                first = connection.execute(
                    "SELECT prompt FROM turns WHERE conversation_id = ? ORDER BY position LIMIT 1",
                    (conversation_id,),
                ).fetchone()
                new = one_line(first[0]) if first else ""
            connection.execute(
                "UPDATE conversations SET title = ? WHERE id = ?", (new, conversation_id)
            )
            rows.require_change(connection, conversation_id)

        self._database.write(write)

    def delete(self, conversation_id: int) -> None:
        """Remove a conversation with all of its turns. Raises: ConversationNotFound."""

        def write(connection: apsw.Connection) -> None:
            # Foreign keys do not reach into virtual tables.
            connection.execute(
                "DELETE FROM turns_fts"
                " WHERE rowid IN (SELECT id FROM turns WHERE conversation_id = ?)",
                (conversation_id,),
            )
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
            rows.require_change(connection, conversation_id)

        self._database.write(write)

    def history(self, conversation_id: int) -> builtins.list[dict[str, str]]:
        """Return what was said last, for a follow-up question: see `history.messages`.

        A conversation that is gone, or has no turn yet, has no history.
        """
        said = self._database.read(lambda c: rows.last_said(c, conversation_id, HISTORY_TURNS))
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
        turns = tuple(self.turns(conversation_id))
        manuals = self._database.rows("SELECT id, title, name FROM documents")
        titles = {id_: title.strip() or name for id_, title, name in manuals}
        return Exported(record, turns, titles)

    def _reserve(self) -> int:
        # One process writes to a library (its lock), so ids can be given out from memory.
        with self._guard:
            if self._next_id == 0:
                last = "SELECT seq FROM sqlite_sequence WHERE name = 'conversations'"
                self._next_id = self._database.read(lambda c: int(c.execute(last).get or 0))
            self._next_id += 1
            return self._next_id


def _with_turns_that_say(connection: apsw.Connection, word: str) -> set[int]:
    """Return the conversations in which a question or an answer has a part of a word."""
    if len(word) < TRIGRAM:
        part = "%" + "".join(f"\\{c}" if c in "%_\\" else c for c in word) + "%"
        found = connection.execute(
            "SELECT DISTINCT conversation_id FROM turns"
            " WHERE prompt LIKE ?1 ESCAPE '\\' OR answer LIKE ?1 ESCAPE '\\'",
            (part,),
        )
    else:
        quoted = word.replace('"', '""')
        found = connection.execute(
            "SELECT DISTINCT conversation_id FROM turns WHERE id IN"
            " (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?)",
            (f'"{quoted}"',),
        )
    return {id_ for (id_,) in found}


def _now() -> str:
    return datetime.now(UTC).isoformat()
