"""The statements behind the store of conversations, and the way back from NDJSON to events.

Each statement is inside one read or one transaction. What was stored is checked before it is
believed.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, cast, get_args

# Its fields at once: what pydantic loads later, by itself, fails in Qt's import hook if Qt
# was loaded in between (pydantic 2.14 with PySide6 6.11).
import pydantic.fields

from desktop.core import events
from desktop.core.conversations.values import ConversationRecord, StoredTurn, TurnOutcome, one_line
from desktop.core.errors import ConversationNotFound
from desktop.core.geometry import Box
from desktop.sentences import from_values, put_back, to_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from desktop.core.events import Event

logger = logging.getLogger(__name__)


class UnreadableEvent(ValueError):
    """A line is not an event of this version of the program."""


def event_to_store(event: Event) -> str:
    """Return an event as one line of JSON whose sentences can still be translated."""
    return json.dumps(to_values({"type": event.type, **asdict(event)}), ensure_ascii=False)


def event_from_json(line: str) -> Event:
    """Return the event that `event_to_store`, or `events.to_json`, wrote as `line`.

    Every field is checked strictly and nothing extra is let in. Values inside a result's
    objects come back as JSON has them: a tuple there becomes a list.

    Raises: UnreadableEvent.
    """
    try:
        values = from_values(json.loads(line))
        reader = _readers()[values.pop("type")]
        # as JSON once more: only there does strict mode take an array for a tuple
        event: Event = reader.validate_json(json.dumps(values), strict=True, extra="forbid")
        event = put_back(event, values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableEvent(f"not an event: {line[:80]!r}") from error
    return event


def read_events(lines: str) -> list[Event]:
    """Return the events of an NDJSON text; lines that cannot be read are left out.

    They may come from a version that knew other events: the rest is still worth showing.
    """
    found: list[Event] = []
    unreadable = 0
    for line in lines.split("\n"):
        if not line:
            continue
        try:
            found.append(event_from_json(line))
        except UnreadableEvent:
            unreadable += 1
    if unreadable:
        logger.warning("%d stored events could not be read", unreadable)
    return found


@cache
def _readers() -> dict[str, pydantic.TypeAdapter[Any]]:
    """Return what checks each class of event, by the name its lines begin with."""
    names = {**vars(events), "Box": Box}
    readers = {}
    for kind in get_args(events.Event):
        reader: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(kind)
        # its annotations are texts that name types which only a type checker imports
        reader.rebuild(_types_namespace=names)
        readers[kind.type] = reader
    return readers


StoredRow = tuple[int, int, str, str, str, str, str]

TRIGRAM = 3
"""Shorter words are not in the index of trigrams: they are looked for in the texts."""


def insert_conversation(
    connection: apsw.Connection, id_: int, title: str, stamp: str, document_ids: Iterable[int]
) -> None:
    """Add an empty conversation under an id that was reserved for it."""
    connection.execute(
        "INSERT INTO conversations(id, title, created_at, updated_at, document_ids)"
        " VALUES(?, ?, ?, ?, ?)",
        (id_, title, stamp, stamp, json.dumps(sorted(document_ids))),
    )


def insert_turn(
    connection: apsw.Connection,
    conversation_id: int,
    prompt: str,
    stamp: str,
    document_ids: Iterable[int],
) -> int:
    """Add a question that is being asked and return the id of its turn.

    Raises: ConversationNotFound.
    """
    connection.execute(
        "UPDATE conversations SET updated_at = ?, document_ids = ?,"
        " title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?",
        (stamp, json.dumps(sorted(document_ids)), one_line(prompt), conversation_id),
    )
    _require_change(connection, conversation_id)
    connection.execute(
        "INSERT INTO turns(conversation_id, position, prompt, asked_at)"
        " SELECT ?1, coalesce(max(position), 0) + 1, ?2, ?3 FROM turns"
        " WHERE conversation_id = ?1",
        (conversation_id, prompt, stamp),
    )
    turn_id = connection.last_insert_rowid()
    _index(connection, turn_id)
    return turn_id


def recent_questions(connection: apsw.Connection, limit: int) -> list[tuple[int, str, str]]:
    """Return conversation id, question and when it was asked last, the latest first."""
    found = connection.execute(
        "SELECT conversation_id, prompt, asked_at FROM turns WHERE id IN"
        " (SELECT max(id) FROM turns GROUP BY prompt) ORDER BY id DESC LIMIT ?",
        (limit,),
    ).fetchall()
    return cast("list[tuple[int, str, str]]", found)


def append_events(connection: apsw.Connection, turn_id: int, lines: str, answer: str) -> None:
    """Add lines of events; `answer` is how it stands now. A deleted turn takes nothing."""
    connection.execute(
        "UPDATE turns SET events = events || ?, answer = ? WHERE id = ?",
        (lines, answer, turn_id),
    )


def finish_turn(connection: apsw.Connection, turn_id: int, outcome: TurnOutcome) -> None:
    """Give a turn its outcome and let its answer be found."""
    connection.execute("UPDATE turns SET outcome = ? WHERE id = ?", (outcome, turn_id))
    _index(connection, turn_id)


def mark_interrupted(connection: apsw.Connection) -> int:
    """Finish the turns that nobody is answering any more; returns how many."""
    left = connection.execute("SELECT id FROM turns WHERE outcome = ''").fetchall()
    for (turn_id,) in left:
        finish_turn(connection, cast("int", turn_id), "interrupted")
    return len(left)


def rename(connection: apsw.Connection, conversation_id: int, title: str) -> None:
    """Change a title; an empty one becomes the first question's.

    Raises: ConversationNotFound.
    """
    if not title:
        first = connection.execute(
            "SELECT prompt FROM turns WHERE conversation_id = ? ORDER BY position LIMIT 1",
            (conversation_id,),
        ).fetchone()
        title = one_line(first[0]) if first else ""
    connection.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id))
    _require_change(connection, conversation_id)


def delete(connection: apsw.Connection, conversation_id: int) -> None:
    """Remove a conversation with its turns.

    Raises: ConversationNotFound.
    """
    # Foreign keys do not reach into virtual tables.
    connection.execute(
        "DELETE FROM turns_fts WHERE rowid IN (SELECT id FROM turns WHERE conversation_id = ?)",
        (conversation_id,),
    )
    connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
    _require_change(connection, conversation_id)


def all_conversations(connection: apsw.Connection) -> list[ConversationRecord]:
    """Return every conversation, the latest first."""
    rows = connection.execute(
        "SELECT c.id, c.title, c.created_at, c.updated_at, count(t.id), c.document_ids"
        " FROM conversations AS c LEFT JOIN turns AS t ON t.conversation_id = c.id"
        " GROUP BY c.id ORDER BY c.updated_at DESC, c.id DESC"
    )
    return [
        ConversationRecord(id_, title, created, updated, turns, frozenset(json.loads(manuals)))
        for id_, title, created, updated, turns, manuals in rows
    ]


def conversations_with(
    connection: apsw.Connection, records: Sequence[ConversationRecord], search: str
) -> list[ConversationRecord]:
    """Return the records in which each word of `search` stands somewhere, in their order."""
    found = list(records)
    for word in search.split():
        ids = _with_turns_that_say(connection, word)
        title_part = word.casefold()
        found = [each for each in found if each.id in ids or title_part in each.title.casefold()]
    return found


def turns_of(connection: apsw.Connection, conversation_id: int) -> list[StoredRow]:
    """Return the stored turns of a conversation in their order.

    Raises: ConversationNotFound.
    """
    known = "SELECT 1 FROM conversations WHERE id = ?"
    if connection.execute(known, (conversation_id,)).fetchone() is None:
        raise ConversationNotFound(conversation_id)
    rows = connection.execute(
        "SELECT id, position, prompt, answer, outcome, asked_at, events FROM turns"
        " WHERE conversation_id = ? ORDER BY position",
        (conversation_id,),
    ).fetchall()
    return cast("list[StoredRow]", rows)


def turn_from(row: StoredRow) -> StoredTurn:
    """Read a stored turn; outside the read, because its events take their time."""
    id_, position, prompt, answer, outcome, asked_at, events = row
    return StoredTurn(
        id_,
        position,
        prompt,
        answer,
        cast("TurnOutcome", outcome),
        asked_at,
        tuple(read_events(events)),
    )


def last_said(
    connection: apsw.Connection, conversation_id: int, most: int
) -> list[tuple[str, str]]:
    """Return questions and answers of the last turns, oldest first."""
    rows = connection.execute(
        "SELECT prompt, answer FROM turns WHERE conversation_id = ? ORDER BY position DESC LIMIT ?",
        (conversation_id, most),
    ).fetchall()
    return [(str(prompt), str(answer)) for prompt, answer in reversed(rows)]


def last_conversation_id(connection: apsw.Connection) -> int:
    """Return the highest id that a conversation ever had, 0 before the first one."""
    row = connection.execute(
        "SELECT seq FROM sqlite_sequence WHERE name = 'conversations'"
    ).fetchone()
    return int(row[0]) if row else 0


def titles_of_manuals(connection: apsw.Connection) -> dict[int, str]:
    """Return what each manual of the library is called, by its id."""
    rows = connection.execute("SELECT id, title, name FROM documents")
    return {id_: title.strip() or name for id_, title, name in rows}


def _require_change(connection: apsw.Connection, conversation_id: int) -> None:
    if not connection.changes():
        raise ConversationNotFound(conversation_id)


def _index(connection: apsw.Connection, turn_id: int) -> None:
    connection.execute("DELETE FROM turns_fts WHERE rowid = ?", (turn_id,))
    connection.execute(
        "INSERT INTO turns_fts(rowid, prompt, answer)"
        " SELECT id, prompt, answer FROM turns WHERE id = ?",
        (turn_id,),
    )


def _with_turns_that_say(connection: apsw.Connection, word: str) -> set[int]:
    if len(word) < TRIGRAM:
        part = "%" + "".join(f"\\{c}" if c in "%_\\" else c for c in word) + "%"
        rows = connection.execute(
            "SELECT DISTINCT conversation_id FROM turns"
            " WHERE prompt LIKE ?1 ESCAPE '\\' OR answer LIKE ?1 ESCAPE '\\'",
            (part,),
        )
    else:
        quoted = word.replace('"', '""')
        rows = connection.execute(
            "SELECT DISTINCT conversation_id FROM turns WHERE id IN"
            " (SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?)",
            (f'"{quoted}"',),
        )
    return {id_ for (id_,) in rows}
