"""Stored turns: how a question and its events are written, and the way back from NDJSON.

Each statement is inside one read or one transaction. What was stored is checked before it is
believed.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

# Its fields at once: what pydantic loads later, by itself, fails in Qt's import hook if Qt
# was loaded in between (pydantic 2.14 with PySide6 6.11).
import pydantic.fields

from desktop.core import events
from desktop.core.conversations.values import one_line
from desktop.core.errors import ConversationNotFound
from desktop.core.geometry import Box
from desktop.sentences import from_values, put_back, to_values

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from desktop.core.conversations.values import TurnOutcome
    from desktop.core.events import Event

logger = logging.getLogger(__name__)


class UnreadableEvent(ValueError):
    """A line is not an event of this version of the program."""


def event_to_store(event: Event) -> str:
    """Return an event as one line of JSON whose sentences can still be translated."""
    return json.dumps(to_values({"type": event.type, **asdict(event)}), ensure_ascii=False)


def event_from_json(line: str) -> Event:
    """Return the event that `event_to_store`, or `events.to_json`, wrote, checked strictly.

    Inside a result's objects a tuple comes back as a list. Raises: UnreadableEvent.
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


def insert_turn(
    connection: apsw.Connection,
    conversation_id: int,
    prompt: str,
    stamp: str,
    document_ids: Iterable[int],
) -> int:
    """Add a question that is being asked; return its turn's id. Raises: ConversationNotFound."""
    connection.execute(
        "UPDATE conversations SET updated_at = ?, document_ids = ?,"
        " title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?",
        (stamp, json.dumps(sorted(document_ids)), one_line(prompt), conversation_id),
    )
    require_change(connection, conversation_id)
    connection.execute(
        "INSERT INTO turns(conversation_id, position, prompt, asked_at)"
        " SELECT ?1, coalesce(max(position), 0) + 1, ?2, ?3 FROM turns"
        " WHERE conversation_id = ?1",
        (conversation_id, prompt, stamp),
    )
    turn_id = connection.last_insert_rowid()
    _index(connection, turn_id)
    return turn_id


def append_events(connection: apsw.Connection, turn_id: int, lines: str, answer: str) -> None:
    """Add lines of events; `answer` is how it stands now. A deleted turn takes nothing."""
    connection.execute(
        "UPDATE turns SET events = events || ?, answer = ? WHERE id = ?", (lines, answer, turn_id)
    )


def finish_turn(connection: apsw.Connection, turn_id: int, outcome: TurnOutcome) -> None:
    """Give a turn its outcome and let its answer be found."""
    connection.execute("UPDATE turns SET outcome = ? WHERE id = ?", (outcome, turn_id))
    _index(connection, turn_id)


def last_said(
    connection: apsw.Connection, conversation_id: int, most: int
) -> list[tuple[str, str]]:
    """Return questions and answers of the last turns, oldest first."""
    rows = connection.execute(
        "SELECT prompt, answer FROM turns WHERE conversation_id = ? ORDER BY position DESC LIMIT ?",
        (conversation_id, most),
    ).fetchall()
    return [(str(prompt), str(answer)) for prompt, answer in reversed(rows)]


def require_change(connection: apsw.Connection, conversation_id: int) -> None:
    """Raise ConversationNotFound if the last statement changed nothing."""
    if not connection.changes():
        raise ConversationNotFound(conversation_id)


def _index(connection: apsw.Connection, turn_id: int) -> None:
    connection.execute("DELETE FROM turns_fts WHERE rowid = ?", (turn_id,))
    connection.execute(
        "INSERT INTO turns_fts(rowid, prompt, answer)"
        " SELECT id, prompt, answer FROM turns WHERE id = ?",
        (turn_id,),
    )
