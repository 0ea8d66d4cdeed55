"""The statements behind stored traces, each inside one read or one transaction."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from desktop.core.trace.entry import OutcomeStatus, ReasoningEntry
from desktop.core.trace.reasoning_trace import ReasoningTrace
from desktop.core.trace.stored_entry import UnreadableEntry, from_stored, to_stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

logger = logging.getLogger(__name__)

_COLUMNS = "id, interaction_id, user_request, started_at, outcome, confidence, fulfilled, turn_id"


def put_trace(connection: apsw.Connection, conversation_id: int, trace: ReasoningTrace) -> None:
    """Add a trace, or bring its outcome up to date. A deleted conversation takes nothing.

    It belongs to the turn that is being answered in its conversation.
    """
    connection.execute(
        "INSERT INTO traces(interaction_id, conversation_id, turn_id, user_request, started_at,"
        " outcome, confidence, fulfilled)"
        " SELECT ?1, id, (SELECT max(id) FROM turns WHERE conversation_id = ?2 AND outcome = ''),"
        " ?3, ?4, ?5, ?6, ?7 FROM conversations WHERE id = ?2"
        " ON CONFLICT(interaction_id) DO UPDATE SET outcome = excluded.outcome,"
        " confidence = excluded.confidence, fulfilled = excluded.fulfilled",
        (
            trace.interaction_id,
            conversation_id,
            trace.user_request,
            trace.started_at,
            trace.outcome.value,
            trace.confidence,
            json.dumps(trace.fulfilled),
        ),
    )


def put_entry(connection: apsw.Connection, position: int, entry: ReasoningEntry) -> None:
    """Add an entry to its trace, or put it in the place of what stood there."""
    connection.execute(
        "INSERT OR REPLACE INTO trace_entries(trace_id, position, entry)"
        " SELECT id, ?, ? FROM traces WHERE interaction_id = ?",
        (position, to_stored(entry), entry.interaction_id),
    )


def traces_of(connection: apsw.Connection, conversation_id: int) -> list[ReasoningTrace]:
    """Return the traces of a conversation, oldest first."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM traces WHERE conversation_id = ? ORDER BY id", (conversation_id,)
    ).fetchall()
    return _with_entries(connection, found)


def trace_of_turn(connection: apsw.Connection, turn_id: int) -> ReasoningTrace | None:
    """Return the trace of a stored turn, None if it has none."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM traces WHERE turn_id = ? ORDER BY id DESC LIMIT 1", (turn_id,)
    ).fetchall()
    return next(iter(_with_entries(connection, found)), None)


def skip_pending(connection: apsw.Connection) -> int:
    """Finish the traces that a killed program left pending as failed; returns how many."""
    connection.execute("UPDATE traces SET outcome = 'failed' WHERE outcome = 'pending'")
    return int(connection.changes())


def _with_entries(
    connection: apsw.Connection, found: Sequence[tuple[object, ...]]
) -> list[ReasoningTrace]:
    traces = {int(str(row[0])): _trace(row) for row in found}
    marks = ",".join("?" * len(traces))
    rows = connection.execute(
        "SELECT trace_id, entry FROM trace_entries"
        f" WHERE trace_id IN ({marks}) ORDER BY trace_id, position",
        tuple(traces),
    ).fetchall()
    unreadable = 0
    for trace_id, text in rows:
        try:
            trace = traces[int(str(trace_id))]
            trace.entries.append(from_stored(str(text), trace.interaction_id))
        except UnreadableEntry:  # of another version: the rest is still worth showing
            unreadable += 1
    if unreadable:
        logger.warning("%d entries of traces could not be read", unreadable)
    return list(traces.values())


def _trace(row: Sequence[object]) -> ReasoningTrace:
    _, interaction_id, request, started_at, outcome, confidence, fulfilled, turn_id = row
    return ReasoningTrace(
        str(interaction_id),
        str(request),
        str(started_at),
        [],
        OutcomeStatus(str(outcome)),
        None if confidence is None else float(str(confidence)),
        [str(each) for each in json.loads(str(fulfilled))],
        None if turn_id is None else int(str(turn_id)),
    )
