"""Figures over labelled questions, which refusing, quoting whole pages or shouting cannot buy."""

from dataclasses import replace

import pytest

from desktop.core.evaluation.cited import CitedWords
from scripts.bench.label_files import LabelledManual, LabelledQuestion
from scripts.bench.label_measures import (
    GivenAnswer,
    LabelOutcome,
    ahead,
    figures,
    grouped,
    plain_figures,
    refusals,
)
from tests.fakes.labels import PUMP_QUESTION, label_manual

PUMP = LabelledManual.model_validate(label_manual("pump"))
CRANE = LabelledManual.model_validate(label_manual("crane", language="de", trade="cranes"))
ANSWERABLE = LabelledQuestion.model_validate(PUMP_QUESTION)
NOBODY = LabelledQuestion.model_validate(
    {key: value for key, value in PUMP_QUESTION.items() if key != "answers"}
    | {"answerable": False, "near_page": 4}
)
HERE = ("pump", 4)
RIGHT = CitedWords(HERE, frozenset({0, 1, 2, 3}), 1.0)
REFUSED = GivenAnswer(False, "Not in your manuals.", 0.2, ())


def answer(*citations, text="It is 5 A.", confidence=0.9):
    return GivenAnswer(True, text, confidence, citations)


def outcome(given, question=ANSWERABLE, ranked=(HERE,), manual=PUMP):
    expected = tuple(
        tuple(place.value for place in part.answers) for part in question.answered_parts
    )
    return LabelOutcome(manual, question, ranked, 0.5, given, expected)


def value(outcomes, name):
    found = figures(outcomes)[name]
    return None if found is None else found.value


def test_a_right_answer_is_right_in_every_figure():
    found = plain_figures(figures([outcome(answer(RIGHT))]))
    for name in ("hit@1", "mrr", "facts", "region_recall", "region_hit", "region_precision"):
        assert found[name] == {"value": 1.0, "n": 1, "low": None, "high": None}
    assert found["refused_wrong"]["value"] == 0
    assert found["refused_right"] is None
    assert found["calibration_error"]["value"] == pytest.approx(0.1)


def test_citations_cover_a_place_together_but_only_on_its_page():
    halves = [CitedWords(HERE, frozenset({0, 1}), 1.0), CitedWords(HERE, frozenset({2, 3}), 1.0)]
    assert outcome(answer(*halves)).region_hit
    assert outcome(answer(halves[0])).region_recall == 0.5
    assert not outcome(answer(halves[0])).region_hit
    elsewhere = replace(RIGHT, page=("crane", 4))
    assert outcome(answer(elsewhere)).region_recall == 0


def test_any_acceptable_place_is_enough_but_not_two_halves_of_different_ones():
    also = {"also": [{"page": 7, "words": [[10, 13]]}]}
    question = LabelledQuestion.model_validate(PUMP_QUESTION | also)
    other = CitedWords(("pump", 7), frozenset({10, 11, 12, 13}), 1.0)
    assert outcome(answer(other), question).region_hit
    halves = (replace(RIGHT, marked=frozenset({0, 1})), replace(other, marked=frozenset({10, 11})))
    assert outcome(answer(*halves), question).region_recall == 0.5
    assert outcome(answer(other), question, ranked=(("pump", 7),)).position == 0


def test_every_part_of_a_question_must_be_covered_and_told():
    parts = [
        {"question": "Fuse?", "answers": [{"page": 4, "words": [[0, 3]], "value": "5 A"}]},
        {"question": "Oil?", "answers": [{"page": 5, "words": [[0, 1]], "value": "2 l"}]},
        {"question": "Price?", "answerable": False},
    ]
    both = {key: value for key, value in PUMP_QUESTION.items() if key != "answers"}
    question = LabelledQuestion.model_validate(both | {"parts": parts})
    one = outcome(answer(RIGHT), question)
    assert (one.region_recall, one.region_hit, one.facts) == (0.5, False, 0.5)
    oil = CitedWords(("pump", 5), frozenset({0, 1}), 1.0)
    whole = outcome(answer(RIGHT, oil, text="5 A, and 2 litres"), question)
    assert (whole.region_recall, whole.region_hit, whole.facts) == (1, True, 1)


def test_a_value_that_its_place_does_not_say_is_not_expected():
    asked = replace(outcome(answer(text="It is shut.")), expected=((),))
    assert asked.facts is None
    assert figures([asked])["facts"] is None


def test_refusing_what_is_hard_buys_no_recall_and_no_facts():
    some = [outcome(answer(RIGHT)), outcome(REFUSED)]
    assert value(some, "region_recall") == value(some, "region_hit_when_first") == 0.5
    assert value(some, "facts") == value(some, "refused_wrong") == 0.5


def test_marking_the_whole_page_is_told_by_precision_or_by_the_share_of_gold():
    page = CitedWords(HERE, frozenset(range(400)), 0.01)
    assert value([outcome(answer(page))], "region_recall") == 1
    assert value([outcome(answer(page))], "region_precision") == 0.01
    quoted = replace(page, precision=1.0)
    assert value([outcome(answer(quoted))], "gold_share") == 0.01


def test_an_answer_to_what_nobody_answers_counts_against_refusal_and_calibration():
    some = [outcome(answer(RIGHT, confidence=1.0)), outcome(answer(confidence=1.0), NOBODY)]
    assert value(some, "refused_right") == 0
    assert value(some, "calibration_error") == 0.5
    assert value(some, "hit@1") == 1
    assert figures(some)["hit@1"].n == 1  # type: ignore[union-attr]


def test_the_refusal_curve_tells_what_another_threshold_would_bring():
    some = [outcome(answer(RIGHT, confidence=0.9)) for _ in range(9)]
    some += [outcome(answer(confidence=0.3)), outcome(REFUSED, NOBODY)]
    some += [outcome(answer(confidence=0.5), NOBODY)]
    told = refusals(some)
    at = dict(zip(told["answerable_refused"], told["unanswerable_refused"], strict=True))
    assert (at[0.0], at[0.05], at[0.1], at[1.0]) == (0.5, 0.5, 1.0, 1.0)
    assert told["operating_point"] == {"answerable_refused": 0.0, "unanswerable_refused": 0.5}


def test_a_search_that_only_ranks_pages_has_no_figures_of_answers():
    found = figures([outcome(None)])
    assert found["mrr"] is not None
    for name in ("facts", "region_recall", "refused_wrong", "calibration_error"):
        assert found[name] is None


def test_a_page_in_third_place_counts_a_third():
    third = outcome(answer(), ranked=(("pump", 1), ("", 4), HERE))
    assert value([third], "mrr") == pytest.approx(1 / 3)
    assert value([third], "hit@1") == 0
    assert value([third], "hit@5") == 1
    assert value([outcome(answer(), ranked=())], "mrr") == 0


def test_what_both_find_and_both_miss_says_nothing_of_who_is_ahead():
    first, second, missed = ((HERE,), (("pump", 1), HERE), ())
    ours = [outcome(None, ranked=ranked) for ranked in (first, first, missed)]
    theirs = [outcome(None, ranked=ranked) for ranked in (first, second, missed)]
    told = ahead(ours, theirs)
    assert told["hit@1"].value == pytest.approx(1 / 3)  # type: ignore[union-attr]
    assert told["mrr"].value == pytest.approx(1 / 6)  # type: ignore[union-attr]
    assert ahead(theirs, ours)["mrr"].value == pytest.approx(-1 / 6)  # type: ignore[union-attr]


def test_groups_tell_languages_trades_and_systems_apart():
    german = LabelledQuestion.model_validate(
        PUMP_QUESTION | {"lang": "de", "style": "otherlang", "scope": "library"}
    )
    ours = [outcome(answer(RIGHT)), outcome(answer(), german), outcome(REFUSED, manual=CRANE)]
    told = grouped(
        {"Groundwork": ours, "BM25 pages": [replace(each, answer=None) for each in ours]}
    )
    assert set(told["language"]) == {"de", "en"}
    assert set(told["trade"]) == {"cranes", "pumps"}
    assert told["scope"]["library"]["Groundwork"]["region_hit"].value == 0  # type: ignore[union-attr]
    assert told["asked in"]["another language"]["BM25 pages"]["mrr"].n == 2  # type: ignore[union-attr]
