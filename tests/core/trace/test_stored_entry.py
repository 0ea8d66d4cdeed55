"""An entry comes back from the library as it was, whatever names its values have."""

import json

import pytest

from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningEntry, ReasoningStage
from desktop.core.trace.store import UnreadableEntry, from_stored, to_stored

ENTRY = ReasoningEntry(
    "ca71c247aadc4b77",
    "question",
    "2026-11-22T09:19:43.767+00:00",
    ReasoningStage.EXECUTION,
    "Look for the words and the meaning of the question.",
    "fast_vector_search",
    {"query": "How long does the RS-485 battery test last?", "i": 1, "~": 2},
    ("Found 10 pages.",),
    OutcomeStatus.PARTIAL,
    "one page could not be read",
    ("cite_page",),
    (
        {"type": "region", "document_id": 1, "page": 4, "label": "4-11", "regions": [[1.5, 2]]},
        {"type": "file", "path": "answer.pdf", "t": "of ours?", "~p": "marked"},
    ),
    ("Say the unit.",),
    {"milliseconds": 12.0, "tokens_in": 310, "score": 1.42, "m": 7.5, "cells": 3},
)


def test_an_entry_with_every_field_comes_back_as_it_was():
    assert from_stored(to_stored(ENTRY), "question") == ENTRY


def test_an_entry_with_nothing_but_a_thought_comes_back_as_it_was():
    bare = ReasoningEntry("1", "question", "2026-11-22", ReasoningStage.PLANNING, "Think.")
    assert from_stored(to_stored(bare), "question") == bare


def test_entries_stored_with_whole_names_are_still_read():
    before = {name: value for name, value in ENTRY.to_dict().items() if name != "interaction_id"}
    assert from_stored(json.dumps(before), "question") == ENTRY


def test_nothing_that_is_empty_and_no_long_name_is_stored():
    stored = json.loads(to_stored(ENTRY))
    assert max(len(name) for name in stored) == 1
    bare = ReasoningEntry("1", "question", "2026-11-22", ReasoningStage.PLANNING, "Think.")
    assert set(json.loads(to_stored(bare)).values()) == {
        *("1", "2026-11-22", "planning", "Think.", "pending")
    }


@pytest.mark.parametrize("text", ["", "[]", "3", '{"i":"1"}', '{"zz":1}', '{"f":[3]}', '{"m":1}'])
def test_what_is_not_an_entry_is_refused(text):
    with pytest.raises(UnreadableEntry):
        from_stored(text, "question")
