"""One question from the prompt to the last event, with the rule decider."""

from __future__ import annotations

import json
from dataclasses import replace

from desktop.core.answering.answer import Answer, Statement
from desktop.core.errors import LibraryDamaged
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    DecisionEvent,
    ErrorEvent,
    NearestPageEvent,
    ResultEvent,
    TokenEvent,
    WarningBlockEvent,
    to_json,
)
from tests.fakes.agent import ask, make_agent
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import FakeShelf, manual


def text_of(events):
    return "".join(event.content for event in events if isinstance(event, TokenEvent))


def of_kind(events, kind):
    return [event for event in events if isinstance(event, kind)]


def test_a_question_streams_decisions_results_words_citations_and_ends():
    events = ask(make_agent())
    assert [event.type for event in events] == [
        "decision",
        "status",
        "result",
        "decision",
        "status",
        "warning_block",
        "citation",
        "token",
        "token",
        "token",
        "token",
        "token",
        "token",
        "confidence",
        "result",
        "complete",
    ]
    first, second = of_kind(events, DecisionEvent)
    assert (first.tool, first.inputs, first.step) == (
        "fast_vector_search",
        {"query": "What is the fuse?"},
        1,
    )
    assert (second.tool, second.step) == ("text_response", 2)
    assert text_of(events) == "The fuse is 5 A. [1]"
    citation = of_kind(events, CitationEvent)[0]
    assert (citation.number, citation.source.label, citation.quote) == (
        1,
        "4-4",
        "The fuse is 5 A.",
    )
    assert citation.source.regions[0].as_tuple() == (10.0, 20.0, 110.0, 32.0)
    assert of_kind(events, WarningBlockEvent)[0].text == "Disconnect the mains first."
    assert of_kind(events, ConfidenceEvent)[0].value == 0.9
    assert events[-1].outcome == "answered"
    assert events[-1].steps == 2


def test_the_question_before_that_the_pages_were_read_with_is_told():
    found = replace(page_found("The fuse is 5 A."), read_with="What is error 10?")
    for answerer in (FakeAnswerer(), FakeAnswerer(found=False)):
        events = ask(make_agent(searcher=FakeSearcher([found]), answerer=answerer))
        assert of_kind(events, ConfidenceEvent)[0].read_with == "What is error 10?"


def test_every_event_is_a_line_of_json_with_its_keys():
    keys = {}
    for event in ask(make_agent()):
        line = to_json(event)
        assert "\n" not in line
        values = json.loads(line)
        keys[values["type"]] = list(values)
    assert keys["decision"] == ["type", "tool", "reasoning", "inputs", "step", "milliseconds"]
    assert keys["status"] == ["type", "message"]
    assert keys["result"] == [
        "type",
        "tool",
        "name",
        "payload_type",
        "objects",
        "metadata",
        "message",
        "milliseconds",
    ]
    assert keys["token"] == ["type", "content"]
    assert keys["citation"] == ["type", "number", "source", "quote", "reference", "newer", "form"]
    assert keys["warning_block"] == ["type", "level", "text", "source"]
    assert keys["confidence"] == ["type", "value", "reason", "reasons", "read_with", "differs"]
    assert keys["complete"] == ["type", "outcome", "milliseconds", "steps", "missing"]


def test_statements_from_the_same_place_share_one_number():
    here = page_found("x", 4).region()
    there = page_found("y", 5).region()
    answer = Answer(
        True,
        (
            Statement("One.", here, "q1"),
            Statement("Two.", there, "q2"),
            Statement("Three.", here, "q3"),
        ),
        (),
        (),
        0.8,
        "",
    )
    events = ask(make_agent(answerer=FakeAnswerer(prepared=answer)))
    assert text_of(events) == "One. [1]\nTwo. [2]\nThree. [1]"
    assert [citation.number for citation in of_kind(events, CitationEvent)] == [1, 2]


def test_a_mark_is_never_written_before_its_citation_is_known():
    known = set()
    for event in ask(make_agent()):
        if isinstance(event, CitationEvent):
            known.add(f"[{event.number}]")
        elif isinstance(event, TokenEvent) and event.content.strip().startswith("["):
            assert event.content.strip() in known


def test_an_answer_that_is_not_in_the_manuals_says_so_and_shows_the_nearest_pages():
    events = ask(make_agent(answerer=FakeAnswerer(found=False)))
    assert text_of(events) == "Not sure your manuals answer this."
    assert [near.source.label for near in of_kind(events, NearestPageEvent)] == ["4-4"]
    assert of_kind(events, CitationEvent) == []
    assert events[-1].outcome == "not_found"


def test_a_search_that_finds_nothing_is_tried_once_more_in_other_words():
    searcher = FakeSearcher([], [page_found("F-12 is 5 A.")])
    events = ask(make_agent(searcher=searcher), "Where is the fuse F-12?")
    assert [query.text for query in searcher.queries] == [
        "Where is the fuse F-12?",
        "fuse F-12 F12 F 12",
    ]
    errors = of_kind(events, ErrorEvent)
    assert [(error.tool, error.recoverable) for error in errors] == [("fast_vector_search", True)]
    assert errors[0].suggestion == "Try different words."
    assert events[-1].outcome == "answered"


def test_a_search_that_found_something_is_not_repeated():
    searcher = FakeSearcher([page_found("F-12 is 5 A.")])
    ask(make_agent(searcher=searcher), "Where is the fuse F-12?")
    assert len(searcher.queries) == 1


def test_two_searches_that_find_nothing_end_with_not_in_your_manuals():
    searcher = FakeSearcher([])
    events = ask(make_agent(searcher=searcher))
    assert len(searcher.queries) == 2
    assert text_of(events) == "I did not find the answer in your manuals."
    assert events[-1].outcome == "not_found"


def test_only_the_chosen_manuals_are_searched_and_the_answer_says_so():
    searcher = FakeSearcher([])
    shelf = FakeShelf(manual(1), manual(2, "boiler.pdf"))
    events = ask(make_agent(searcher=searcher, shelf=shelf), document_ids=frozenset({2}))
    assert searcher.queries[0].document_ids == frozenset({2})
    assert text_of(events) == "I did not find the answer in the manual you selected."


def test_an_empty_library_says_what_to_do():
    searcher = FakeSearcher([])
    events = ask(make_agent(searcher=searcher, shelf=FakeShelf()))
    assert searcher.queries == []
    assert text_of(events).startswith("There are no manuals in this library yet. Add PDF files")
    assert events[-1].outcome == "impossible"


def test_a_library_that_is_still_being_read_says_so():
    shelf = FakeShelf(manual(state="indexing", pages_read=0))
    events = ask(make_agent(shelf=shelf))
    assert text_of(events) == "The manuals are still being read. Ask again in a moment."
    assert events[-1].outcome == "impossible"


def test_a_not_found_mentions_manuals_that_are_still_being_read():
    shelf = FakeShelf(manual(1), manual(2, "boiler.pdf", "indexing", 0))
    events = ask(make_agent(searcher=FakeSearcher([]), shelf=shelf))
    assert "Still being read: boiler. Ask again" in text_of(events)


def test_a_damaged_library_is_reported_once_and_not_searched_again():
    searcher = FakeSearcher(LibraryDamaged("malformed"))
    events = ask(make_agent(searcher=searcher))
    assert len(searcher.queries) == 1
    assert "library file is damaged" in text_of(events)
    assert events[-1].outcome == "failed"


def test_a_bug_ends_the_question_with_an_error_that_does_not_quote_it():
    searcher = FakeSearcher(ValueError("secret text of a manual"))
    events = ask(make_agent(searcher=searcher))
    assert isinstance(events[-2], ErrorEvent)
    assert not events[-2].recoverable
    assert "secret" not in events[-2].message + events[-2].suggestion
    assert isinstance(events[-1], CompleteEvent)
    assert events[-1].outcome == "failed"


def test_an_empty_question_is_refused():
    events = ask(make_agent(), "   ")
    assert [event.type for event in events] == ["error", "complete"]
    assert events[-1].outcome == "impossible"


def test_a_pasted_page_is_cut_to_what_a_search_takes():
    searcher = FakeSearcher([page_found("x y")])
    events = ask(make_agent(searcher=searcher), "word " * 20_000)
    assert len(searcher.queries[0].text) <= 4_000
    assert events[-1].outcome == "answered"


def test_results_carry_the_references_that_the_environment_gave_them():
    found = of_kind(ask(make_agent()), ResultEvent)[0]
    assert found.objects[0]["_REF_ID"] == "fast_vector_search_pages_0_0"
    assert found.objects[0]["label"] == "4-4"
    assert found.message == "Found 1 page in 1 manual."
