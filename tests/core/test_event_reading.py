"""What was written as NDJSON comes back as the same events, and nothing else does."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from desktop.core.conversations.rows import UnreadableEvent, event_from_json, read_events
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    Event,
    PageRegion,
    ResultEvent,
    TokenEvent,
    to_json,
)
from desktop.core.geometry import Box
from tests.core.test_events import EVENTS

TWO_LINES = PageRegion(7, "pump.pdf", 3, "4-11", (Box(1.5, 2, 3, 4.25), Box(1, 5, 3, 6)))
FULL: tuple[Event, ...] = (
    DecisionEvent("search", "weil", {"query": "Öl?", "limit": None}, 3, 1.25),
    ResultEvent(
        "search",
        "pages",
        "pages",
        ({"_REF_ID": "a_0", "regions": [[1.0, 2.0, 3.0, 4.0]]}, {"_REF_ID": "a_1"}),
        {"documents": 2},
        "Found.\n\u2028Two.",
        17.5,
    ),
    TokenEvent("line\nbreak \u2028 \x85 separators"),
    CitationEvent(2, TWO_LINES, 'with "quotes" and \\ marks'),
)


@pytest.mark.parametrize("event", [*EVENTS, *FULL], ids=lambda event: event.type)
def test_an_event_comes_back_as_it_was(event):
    assert event_from_json(to_json(event)) == event


def test_every_class_of_event_is_tried():
    assert {type(event) for event in EVENTS} == set(get_args(Event))


def test_the_boxes_of_a_region_come_back_as_boxes():
    event = event_from_json(to_json(CitationEvent(1, TWO_LINES, "5 A")))
    assert isinstance(event, CitationEvent)
    assert event.source.regions == (Box(1.5, 2, 3, 4.25), Box(1, 5, 3, 6))


def changed(event: Event, **values: object) -> str:
    return json.dumps(json.loads(to_json(event)) | values)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "3",
        '"token"',
        '{"content": "no type"}',
        '{"type": "surprise"}',
        '{"type": ["token"], "content": "x"}',
        '{"type": "token"}',
        changed(TokenEvent("x"), extra=1),
        changed(TokenEvent("x"), content=5),
        changed(CompleteEvent("answered", 1.0, 2), outcome="perhaps"),
        changed(CompleteEvent("answered", 1.0, 2), steps="2"),
        changed(CitationEvent(1, TWO_LINES, "q"), source={"document_id": 1}),
        to_json(CitationEvent(1, TWO_LINES, "q")).replace('"y1"', '"z"'),
    ],
)
def test_what_is_not_an_event_is_refused(line):
    with pytest.raises(UnreadableEvent):
        event_from_json(line)


def test_a_stored_text_is_read_as_far_as_it_can_be():
    lines = "\n".join([*map(to_json, FULL), '{"type": "of a later version"}', '{"type": "tok'])
    assert read_events(lines) == list(FULL)
