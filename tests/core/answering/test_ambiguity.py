"""A question that means several things: asked back only where the evidence is really split."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop.core.answering.ambiguity import ambiguity_of
from desktop.core.events import ClarificationEvent, DecisionEvent
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence
from tests.fakes.agent import ask, make_agent
from tests.fakes.searcher import FakeSearcher
from tests.fakes.shelf import FakeShelf, manual

QUESTION = "How long does the battery test last?"


def found(document_id: int, title: str, *texts: str, score: float = 1.0, page: int = 4) -> Evidence:
    passages = tuple(
        Passage(number, "paragraph", text, "5 Battery", (), (), 1.0)
        for number, text in enumerate(texts, 1)
    )
    return Evidence(document_id, f"{title}.pdf", title, page, "", score, ("words",), passages)


def titled(document_id: int, title: str, **more: Any):
    return replace(manual(document_id, f"{title}.pdf"), title=title, **more)


PUMPS = (titled(1, "HX-200 Operator manual"), titled(2, "RX-900 Operator manual"))
SPLIT = (
    found(1, "HX-200 Operator manual", "The battery test lasts 2 minutes."),
    found(2, "RX-900 Operator manual", "The battery test lasts 24 hours.", score=0.95),
)


def test_two_products_with_different_answers_are_told_apart():
    ambiguity = ambiguity_of(QUESTION, SPLIT, PUMPS)
    assert ambiguity is not None
    assert ambiguity.kind == "product"
    event = ambiguity.event
    assert event.options == ("HX-200", "RX-900")
    assert [choice.document_ids for choice in event.choices] == [(1,), (2,)]
    assert [choice.prompt for choice in event.choices] == [QUESTION, QUESTION]
    assert event.choices[1].manuals == ("RX-900 Operator manual",)


def test_two_revisions_of_one_manual_are_told_apart():
    revisions = (
        titled(1, "HX-200 Operator manual", revision="Edition 2", revision_date="2021-01"),
        titled(2, "HX-200 Operator manual", revision="Edition 3", revision_date="2026-03"),
    )
    pages = (SPLIT[0], replace(SPLIT[1], title="HX-200 Operator manual"))
    ambiguity = ambiguity_of(QUESTION, pages, revisions)
    assert ambiguity is not None
    assert ambiguity.kind == "revision"
    assert ambiguity.event.options == ("HX-200, Edition 2, 2021-01", "HX-200, Edition 3, 2026-03")


def test_a_word_with_two_meanings_in_one_manual_is_told_apart():
    page = found(
        1,
        "HX-200 Operator manual",
        "Both are tested. The internal battery test lasts 2 minutes. The external battery test"
        " lasts 24 hours.",
    )
    ambiguity = ambiguity_of(QUESTION, [page], PUMPS)
    assert ambiguity is not None
    assert ambiguity.kind == "term"
    assert ambiguity.event.options == ("the internal battery", "the external battery")
    prompts = [choice.prompt for choice in ambiguity.event.choices]
    assert prompts[0] == "How long does the battery test last (internal battery)?"
    assert all(ambiguity_of(prompt, [page], PUMPS) is None for prompt in prompts)


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        # both say the same
        (QUESTION, (SPLIT[0], replace(SPLIT[0], document_id=2, title="RX-900 Operator manual"))),
        # one is far more likely
        (QUESTION, (SPLIT[0], replace(SPLIT[1], score=0.5))),
        # both are asked for
        ("Compare how long the battery test lasts in both manuals", SPLIT),
        # no value is asked for
        ("Where is the battery test described?", SPLIT),
        # the product is named
        ("How long does the internal battery test last?", SPLIT[:1]),
        # two manuals of one product, which contradict each other
        (QUESTION, (SPLIT[0], replace(SPLIT[1], title="HX-200 Installation manual"))),
        # the other page speaks of something else
        (QUESTION, (SPLIT[0], found(2, "RX-900", "Charge for 14 hours."))),
        (QUESTION, ()),
    ],
)
def test_nobody_is_bothered_without_need(question, pages):
    documents = PUMPS
    if len(pages) == 2 and pages[1].title.startswith("HX-200 Inst"):
        documents = (PUMPS[0], titled(2, "HX-200 Installation manual"))
    assert ambiguity_of(question, pages, documents) is None


def test_the_agent_asks_by_rules_and_the_choice_continues_the_same_question():
    searcher = FakeSearcher(SPLIT)
    agent = make_agent(searcher=searcher, shelf=FakeShelf(*PUMPS))
    events = ask(agent, QUESTION)
    (back,) = [event for event in events if isinstance(event, ClarificationEvent)]
    assert events[-1].outcome == "clarification"
    assert [e.tool for e in events if isinstance(e, DecisionEvent)][-1] == "ask_clarification"
    choice = back.choices[1]
    again = ask(agent, choice.prompt, document_ids=frozenset(choice.document_ids))
    assert again[-1].outcome == "answered"
    assert searcher.queries[-1].document_ids == frozenset({2})


def test_the_agent_does_not_ask_where_the_evidence_is_not_split():
    agent = make_agent(searcher=FakeSearcher(SPLIT[:1]), shelf=FakeShelf(*PUMPS))
    events = ask(agent, QUESTION)
    assert events[-1].outcome == "answered"
    assert not [event for event in events if isinstance(event, ClarificationEvent)]
