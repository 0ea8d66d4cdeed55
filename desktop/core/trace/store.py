"""The traces that a library keeps: read for panels and exports, written behind a question.

An entry is one line of JSON without empty fields, with short names: the names of fields were a
third of what an entry takes. A name that is not ours and looks like a short one, or begins with
the mark, is stored behind the mark. What earlier versions wrote, with whole names, is read as
well.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

# Its fields at once: what pydantic loads later, by itself, fails in Qt's import hook if Qt
# was loaded in between (pydantic 2.14 with PySide6 6.11).
import pydantic.fields

from desktop.core.problems import failure_place
from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningEntry, ReasoningTrace
from desktop.sentences import from_values, put_back, to_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

    from desktop.core.store.database import Database

logger = logging.getLogger(__name__)


_MARK = "~"
_SHORT = {
    "entry_id": "i",
    "timestamp": "t",
    "stage": "s",
    "thought": "h",
    "action": "a",
    "parameters": "p",
    "evidence": "v",
    "outcome": "o",
    "error": "e",
    "commitments": "c",
    "attachments": "f",
    "corrections": "r",
    "metrics": "m",
}
_SHORT_IN_ATTACHMENTS = {
    "type": "t",
    "document_id": "i",
    "document": "d",
    "page": "p",
    "label": "l",
    "regions": "r",
    "path": "f",
}
_SHORT_IN_METRICS = {
    "milliseconds": "m",
    "tokens_in": "i",
    "tokens_out": "o",
    "score": "s",
    "hits": "h",
}
_COLUMNS = "id, interaction_id, user_request, started_at, outcome, confidence, fulfilled, turn_id"
DELAY_SECONDS: Final = 0.2
"""Entries are gathered this long, because each write waits for the disk. With the write itself
an entry is on the disk within 250 ms; what a killed program loses is what is younger."""


class UnreadableEntry(ValueError):  # noqa: N818 - named after the state
    """A stored entry is not one of this version of the program."""


def to_stored(entry: ReasoningEntry) -> str:
    """Return the entry as one line of JSON, without its question."""
    values = entry.to_dict()
    del values["interaction_id"]
    if "attachments" in values:
        values["attachments"] = [
            _shortened(each, _SHORT_IN_ATTACHMENTS) for each in values["attachments"]
        ]
    if "metrics" in values:
        whole = {
            name: int(value) if float(value).is_integer() else value
            for name, value in values["metrics"].items()
        }
        values["metrics"] = _shortened(whole, _SHORT_IN_METRICS)
    return json.dumps(
        to_values(_shortened(values, _SHORT)),
        ensure_ascii=False,
        separators=(",", ":"),
        default=str,
    )


def from_stored(text: str, interaction_id: str) -> ReasoningEntry:
    """Return the entry that `to_stored` wrote, checked. Raises: UnreadableEntry."""
    try:
        values = from_values(json.loads(text))
        if "entry_id" not in values:
            values = _with_whole_names(values)
        entry = _reader().validate_python(
            {"interaction_id": interaction_id, **values}, extra="forbid"
        )
        read: ReasoningEntry = put_back(entry, values)
        return read
    except (ValueError, TypeError, AttributeError) as error:
        raise UnreadableEntry(f"not an entry of a trace: {text[:80]!r}") from error


def _with_whole_names(stored: dict[str, Any]) -> dict[str, Any]:
    values = _lengthened(stored, _SHORT)
    if "attachments" in values:
        values["attachments"] = [
            _lengthened(each, _SHORT_IN_ATTACHMENTS) for each in values["attachments"]
        ]
    if "metrics" in values:
        values["metrics"] = _lengthened(values["metrics"], _SHORT_IN_METRICS)
    return values


def _shortened(values: Mapping[str, Any], short: Mapping[str, str]) -> dict[str, Any]:
    taken = short.values()
    return {
        short.get(name) or (_MARK + name if name in taken or name[:1] == _MARK else name): value
        for name, value in values.items()
    }


def _lengthened(values: Mapping[str, Any], short: Mapping[str, str]) -> dict[str, Any]:
    whole = {brief: name for name, brief in short.items()}
    return {
        name[1:] if name[:1] == _MARK else whole.get(name, name): value
        for name, value in values.items()
    }


@cache
def _reader() -> pydantic.TypeAdapter[ReasoningEntry]:
    return pydantic.TypeAdapter(ReasoningEntry)


def put_trace(connection: apsw.Connection, conversation_id: int, trace: ReasoningTrace) -> None:
    """Add a trace to its conversation's open turn, or update its outcome; none to a deleted one."""
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


class TraceStore:
    """Reads traces; blocks, callable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_turn(self, turn_id: int) -> ReasoningTrace | None:
        """Return the trace of a turn of a conversation, None if it was asked without one."""
        found = self._found("turn_id = ? ORDER BY id DESC LIMIT 1", turn_id)
        return found[0] if found else None

    def of_conversation(self, conversation_id: int) -> list[ReasoningTrace]:
        """Return the traces of a conversation, oldest first; [] if it has none."""
        return self._found("conversation_id = ? ORDER BY id", conversation_id)

    def mark_interrupted(self) -> int:
        """Finish as failed, before anything runs, what an earlier run left; return how many."""

        def finish(connection: apsw.Connection) -> int:
            connection.execute("UPDATE traces SET outcome = 'failed' WHERE outcome = 'pending'")
            return int(connection.changes())

        return self._database.write(finish)

    def _found(self, condition: str, id_: int) -> list[ReasoningTrace]:
        def read(connection: apsw.Connection) -> list[ReasoningTrace]:
            select = f"SELECT {_COLUMNS} FROM traces WHERE {condition}"
            return _with_entries(connection, connection.execute(select, (id_,)).fetchall())

        return self._database.read(read)


class TraceKeeper:
    """Keeps the traces of one conversation while they grow; nothing here blocks or raises."""

    def __init__(self, database: Database, conversation_id: int) -> None:
        self._database = database
        self._conversation_id = conversation_id
        self._lock = threading.Lock()
        self._entries: dict[tuple[str, int], ReasoningEntry] = {}
        self._scheduled = False
        self.failure: BaseException | None = None

    def keep_trace(self, trace: ReasoningTrace) -> None:
        """Queue the trace at once, with what waits: it must know the turn it belongs to."""
        snapshot = replace(trace, entries=[], fulfilled=list(trace.fulfilled))
        conversation_id = self._conversation_id

        def write(connection: apsw.Connection) -> None:
            put_trace(connection, conversation_id, snapshot)
            self._write_entries(connection)

        self._submit(write)

    def keep_entry(self, interaction_id: str, position: int, entry: ReasoningEntry) -> None:
        """Keep an entry until the next write; several changes of it become one."""
        with self._lock:
            self._entries[interaction_id, position] = entry
            if self._scheduled:
                return
            self._scheduled = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no question is running on this thread: nothing to wait for
            self.flush()
            return
        loop.call_later(DELAY_SECONDS, self.flush)

    def flush(self) -> None:
        """Queue what was kept since the last write."""
        self._submit(self._write_entries)

    def _write_entries(self, connection: apsw.Connection) -> None:
        with self._lock:
            waiting, self._entries, self._scheduled = self._entries, {}, False
        for (_, position), entry in waiting.items():
            connection.execute(
                "INSERT OR REPLACE INTO trace_entries(trace_id, position, entry)"
                " SELECT id, ?, ? FROM traces WHERE interaction_id = ?",
                (position, to_stored(entry), entry.interaction_id),
            )

    def _submit(self, write: Any) -> None:
        try:
            written = self._database.submit(write)
        except RuntimeError as error:  # the library was closed meanwhile
            self._note(error)
            return
        written.add_done_callback(lambda done: self._note(done.exception()))

    def _note(self, failure: BaseException | None) -> None:
        if failure is not None and self.failure is None:
            self.failure = failure
            logger.error("a trace was not stored: %s", failure_place(failure))
