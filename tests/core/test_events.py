from __future__ import annotations

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
    RevisedText,
    RevisionEvent,
    StatusEvent,
    TextPiece,
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


TOKENS = [TokenEvent("One is 1."), TokenEvent(" Two is 3."), TokenEvent("\nOne is 1.")]


def test_without_revisions_the_text_is_what_was_streamed():
    assert RevisedText(TOKENS).text == "One is 1. Two is 3.\nOne is 1."


def test_a_withdrawn_sentence_is_a_piece_and_no_part_of_the_text():
    revised = RevisedText([*TOKENS, RevisionEvent(1, 10, "Two is 3.", "", ("3",))])
    assert revised.text == "One is 1.\nOne is 1."
    assert TextPiece("Two is 3.", ("3",), withdrawn=True) in revised.pieces
    assert "".join(piece.text for piece in revised.pieces) == "One is 1. Two is 3.\nOne is 1."


def test_of_two_equal_sentences_the_one_that_was_meant_is_revised():
    revised = RevisedText([*TOKENS, RevisionEvent(2, 20, "One is 1.", "")])
    assert revised.text == "One is 1. Two is 3."
    revised = RevisedText([*TOKENS, RevisionEvent(0, 0, "One is 1.", "")])
    assert revised.text == "Two is 3.\nOne is 1."


def test_the_last_revision_of_a_sentence_counts_and_a_corrected_one_is_in_the_text():
    mark = RevisionEvent(1, 10, "Two is 3.", "Two is 3.", ("3",))
    revised = RevisedText([*TOKENS, mark, RevisionEvent(1, 10, "Two is 3.", "Two is 2.")])
    assert revised.text == "One is 1. Two is 2.\nOne is 1."


def test_a_revision_of_text_that_came_after_others_text_is_found_all_the_same():
    revised = RevisedText(
        [TokenEvent("Page 4. "), TokenEvent("Bad."), RevisionEvent(0, 0, "Bad.", "")]
    )
    assert revised.text == "Page 4."


def test_what_changes_nothing_says_so():
    revised = RevisedText(TOKENS)
    assert not revised.take(StatusEvent("Reading"))
    assert not revised.take(RevisionEvent(0, 0, "never said", ""))
    assert revised.take(TokenEvent(" More."))
