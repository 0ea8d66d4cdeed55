"""The way back from NDJSON to events: what was stored is checked before it is believed."""

from __future__ import annotations

import json
import logging
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

# Its fields at once: what pydantic loads later, by itself, fails in Qt's import hook if Qt
# was loaded in between (pydantic 2.14 with PySide6 6.11).
import pydantic.fields

from desktop.core import events
from desktop.core.geometry import Box

if TYPE_CHECKING:
    from desktop.core.events import Event

logger = logging.getLogger(__name__)


class UnreadableEvent(ValueError):
    """A line is not an event of this version of the program."""


def event_from_json(line: str) -> Event:
    """Return the event that `events.to_json` wrote as `line`.

    Every field is checked strictly and nothing extra is let in. Values inside a result's
    objects come back as JSON has them: a tuple there becomes a list.

    Raises: UnreadableEvent.
    """
    try:
        values = json.loads(line)
        reader = _readers()[values.pop("type")]
        # as JSON once more: only there does strict mode take an array for a tuple
        event: Event = reader.validate_json(json.dumps(values), strict=True, extra="forbid")
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
