"""What the events of a question say about the agent."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desktop.core.errors import DocumentNotFound
from desktop.core.evaluation.cited import words_in
from desktop.core.evaluation.measures import conduct_of
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    PageRegion,
    RevisionEvent,
    TokenEvent,
)
from desktop.core.geometry import Box
from desktop.core.page_words import PageWords

REGION = PageRegion(1, "pump.pdf", 4, "5", (Box(0, 0, 100, 10),))
ANSWERED: list[Event] = [
    DecisionEvent("fast_vector_search", "", step=1),
    DecisionEvent("text_response", "", step=2),
    CitationEvent(1, REGION, "5 A"),
    TokenEvent("The fuse F2 is 5 A. [1]"),
    CompleteEvent("answered", 1500.0, 2),
]


def region_text(region):
    return "Fuse F2 5 A"


def test_an_answer_that_its_region_carries_is_grounded():
    conduct = conduct_of(ANSWERED, region_text)
    assert conduct.answered
    assert conduct.fully_grounded
    assert (conduct.statements, conduct.grounded) == (1, 1)
    assert (conduct.decisions, conduct.steps, conduct.seconds) == (2, 2, 1.5)
    assert not conduct.fallen_back
    assert conduct.compared("5 A, code F2").score == 100


def test_a_withdrawn_sentence_is_no_part_of_the_answer():
    text = "It is red."
    events = [TokenEvent(text), RevisionEvent(0, 0, text, ""), *ANSWERED]
    assert conduct_of(events, region_text).text == "The fuse F2 is 5 A. [1]"


def test_a_decision_that_could_not_be_used_is_a_fallback_and_another_error_is_none():
    rejected = ErrorEvent("The decision was not valid.", tool="decision")
    failed = ErrorEvent("No page matches.", tool="fast_vector_search")
    assert conduct_of([rejected, *ANSWERED], region_text).fallen_back
    assert not conduct_of([failed, *ANSWERED], region_text).fallen_back


def test_a_stream_that_broke_off_has_failed():
    assert conduct_of([], region_text).outcome == "failed"


def test_the_words_of_a_region_are_those_whose_middle_lies_in_a_box():
    boxes = np.array([[1, 1, 20, 9], [30, 1, 50, 9], [1, 12, 20, 20]], np.float32)
    words = PageWords(("Fuse", "F2", "below"), boxes, np.array([0, 0, 1], np.int32))
    library: Any = SimpleNamespace(page_words=lambda document, page: words)
    assert words_in(library, REGION) == "Fuse F2"


def test_a_manual_that_is_gone_has_no_words():
    def gone(document, page):
        raise DocumentNotFound(document)

    library: Any = SimpleNamespace(page_words=gone)
    assert words_in(library, REGION) == ""


@pytest.mark.parametrize("outcome", ["not_found", "clarification", "cancelled"])
def test_only_an_answer_counts_as_one(outcome):
    assert not conduct_of([CompleteEvent(outcome, 1.0, 1)], region_text).answered
