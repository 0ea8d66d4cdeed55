import json
from typing import get_args

import pytest

from desktop.core.events import (
    CitationEvent,
    ClarificationChoice,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    NoteCitationEvent,
    NoteSource,
    PageRegion,
    ResearchProgressEvent,
    ResearchProposalEvent,
    ResultEvent,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
    to_json,
)
from desktop.core.geometry import Box

SOURCE = PageRegion(7, "pump.pdf", 3, "4-11", (Box(1, 2, 3, 4),))
EVENTS: tuple[Event, ...] = (
    DecisionEvent("search", "because", {"query": "Wie groß?"}),
    StatusEvent("Searching"),
    ResultEvent("search", "pages", "pages", ({"_REF_ID": "search_1", "page": 3},)),
    TokenEvent("Fünf Ampere [1]"),
    CitationEvent(1, SOURCE, "5 A"),
    NoteCitationEvent(2, NoteSource("n", "Filter", "fitter", page=SOURCE), "Wechseln bei Öl."),
    RevisionEvent(0, 0, "It is 7 A.", "It is 7 A.", ("7 A",)),
    WarningBlockEvent("WARNING", "Hot.", SOURCE),
    NearestPageEvent(SOURCE, "near"),
    ConfidenceEvent(0.75, "found"),
    ClarificationEvent("Which pump?", ("P-200", "P-300")),
    ErrorEvent("no\nsuch page"),
    ClarificationEvent("Which?", ("A",), (ClarificationChoice("What is it?", (1,), ("A",)),)),
    ResearchProposalEvent("Verify whether it is 5 A", "strict", "It asks to verify something."),
    ResearchProgressEvent(1, 3, "critic", "done", "Nothing is missing.", 12.5),
    CompleteEvent("answered", 12.5, 2),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_an_event_is_one_line_that_says_first_what_it_is(event):
    line = to_json(event)
    assert "\n" not in line
    assert next(iter(json.loads(line).items())) == ("type", event.type)


def test_every_kind_of_event_has_a_name_of_its_own():
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    assert len({event.type for event in EVENTS}) == len(get_args(Event))


def test_a_citation_tells_page_label_and_boxes():
    written = json.loads(to_json(CitationEvent(1, SOURCE, "5 A")))
    assert written["number"] == 1
    assert written["quote"] == "5 A"
    assert written["source"] == {
        "document_id": 7,
        "document": "pump.pdf",
        "page": 3,
        "label": "4-11",
        "regions": [{"x0": 1, "y0": 2, "x1": 3, "y1": 4}],
    }


def test_umlauts_can_be_read_in_the_stream():
    assert "Fünf Ampere" in to_json(TokenEvent("Fünf Ampere"))
