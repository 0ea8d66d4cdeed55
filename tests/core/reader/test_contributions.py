"""Why a place was chosen, and why an answer was refused, as the trace tells it."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.core.events import ConfidenceEvent
from desktop.core.question.query import Query
from desktop.core.reader import contributions
from desktop.core.reader.contributions import (
    MOST,
    THERE_REASONS,
    UNIT_REASONS,
)
from desktop.core.reader.observations import OBSERVATIONS
from desktop.core.reader.ranker import LIST_OBSERVATIONS
from tests.fakes.agent import ask, make_agent
from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.shelf import FakeShelf, manual

SAME_FOR_ALL = {"words_absent", "asked_length"}
"""Observations that all units of a question share: they cannot tell why one of them is best."""


def test_every_observation_is_told_once_in_words():
    told = [name for reason in UNIT_REASONS for name in reason.observations]
    assert sorted(told) == sorted(set(OBSERVATIONS) - SAME_FOR_ALL)
    told = [name for reason in THERE_REASONS for name in reason.observations]
    assert sorted(told) == sorted(LIST_OBSERVATIONS)


@pytest.fixture
def pumps(tmp_path):
    with bookcase_at(tmp_path) as bookcase:
        bookcase.add(
            "pump.pdf",
            [
                Sheet()
                .heading("Fault codes")
                .rows(
                    ["Code", "Meaning"],
                    ["E24", "The pressure is too low."],
                    ["E25", "The temperature of the oil is too high."],
                ),
                Sheet().heading("Storage").text("Store the hose in a dry room at 20 °C."),
            ],
        )
        yield bookcase


def test_a_shared_code_is_among_the_strongest_reasons(pumps):
    first = pumps.search("What does E24 mean?")[0]
    assert "E24" in first.units[0].unit.text
    assert "For: has the code E24" in first.why_best
    assert 1 <= len(first.why_best) <= MOST
    assert 1 <= len(first.why_there) <= MOST


def test_words_that_stand_nowhere_can_be_named(pumps):
    retrieved = pumps.searcher.retrieve(Query("Where is the flux capacitor stored?"))
    observed = pumps.searcher.reader.observe(retrieved.question, retrieved.pages)
    details = contributions._details(retrieved.question, observed, 0)
    assert details["absent"] == "flux, capacitor"


def test_codes_that_are_lacking_are_told_in_the_order_of_the_question(pumps):
    retrieved = pumps.searcher.retrieve(Query("Which fault code is E9, K8, A7, Z6, B5 or Y4?"))
    observed = pumps.searcher.reader.observe(retrieved.question, retrieved.pages)
    details = contributions._details(retrieved.question, observed, 0)
    assert details["codes_lacking"].startswith("E9, K8, A7")


@pytest.mark.parametrize(("least", "about"), [(0.0, ""), (1.0, " an answer")])
def test_an_answer_and_a_refusal_say_what_they_come_from(pumps, least, about):
    class Answering:
        def answer(self, question: str, evidence: Any) -> Any:
            return pumps.answer(question, evidence, least)

    agent = make_agent(searcher=pumps.searcher, answerer=Answering(), shelf=FakeShelf(manual()))
    events = ask(agent, "What does E24 mean?")
    (confidence,) = [event for event in events if isinstance(event, ConfidenceEvent)]
    assert 1 <= len(confidence.reasons) <= MOST
    for reason in confidence.reasons:
        assert reason.startswith((f"For{about}: ", f"Against{about}: "))
