"""The night that compares deciders: what stands beside what, and when a figure is missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.core.evaluation.gold import GoldQuestion
from desktop.core.events import CitationEvent, CompleteEvent, PageRegion, StatusEvent
from scripts.bench.nightly_deciders import (
    COLUMNS,
    beside_lite,
    deciding_settings,
    figures_of,
    told_by_second,
)

if TYPE_CHECKING:
    from scripts.bench.nightly_deciders import Seen

QUESTION = GoldQuestion.model_validate(
    {
        "id": "a",
        "question": "How long does the test last?",
        "kind": "value",
        "answer": "2 minutes",
        "document": "pump.pdf",
        "evidence": [{"document": "pump.pdf", "page": 4}],
    }
)


def seen(*, quoted: float, end: float) -> Seen:
    place = PageRegion(1, "pump.pdf", 4, "5-1", ())
    return [
        (0.1, StatusEvent("Searching 1 manual")),
        (quoted, CitationEvent(1, place, "It lasts 2 minutes.")),
        (end, CompleteEvent("answered", end * 1000, 2)),
    ]


def column(decider: str, facts: float) -> dict[str, Any]:
    return {"decider": decider, "overall": {"fact_recall": facts, "hit@1": 0.9}}


def test_the_three_deciders_are_compared_and_all_of_them_quote():
    assert [column.decider for column in COLUMNS] == ["rules", "dspy", "prompt"]
    settings = deciding_settings()
    for column in COLUMNS:
        assert column.settings(settings).agent.model_does == "decide"


@pytest.mark.parametrize(("facts", "met"), [(0.95, True), (0.9, True), (0.8, False)])
def test_a_decider_that_falls_behind_the_rules_misses_its_figure(facts, met):
    figures = {
        each.name: each for each in figures_of([column("rules", 0.9), column("dspy", facts)])
    }
    assert figures["dspy: fact_recall"].baseline == 0.9
    assert figures["dspy: fact_recall"].met is met
    assert figures["dspy: hit@1"].met


@pytest.mark.parametrize(
    ("right", "quoted", "missed"),
    [
        (100.0, 1.0, set()),
        (60.0, 1.0, {"default settings: answers worse than in Lite"}),
        (100.0, 9.0, {"default settings: first words later than in Lite"}),
    ],
)
def test_default_settings_are_held_against_lite(right, quoted, missed):
    lite = [(QUESTION, 100.0, seen(quoted=1.0, end=1.1))]
    default = [(QUESTION, right, seen(quoted=quoted, end=30.0))]
    figures = beside_lite(lite, default)
    assert {each.name for each in figures if not each.met} == missed
    assert next(each.value for each in figures if "longest" in each.name) == 30.0


def test_what_a_person_saw_is_told_second_by_second():
    assert told_by_second([(QUESTION, 100.0, seen(quoted=1.0, end=30.0))]) == [
        "How long does the test last?",
        "     0.1 s  Searching 1 manual",
        "     1.0 s  quoted: It lasts 2 minutes.",
        "    30.0 s  the end",
    ]
