"""The figures of the benchmark, on outcomes made by hand."""

import pytest

from desktop.core.evaluation.bench import report
from desktop.core.evaluation.cited import CitedWords
from desktop.core.evaluation.gold import GoldQuestion
from desktop.core.evaluation.measures import QuestionOutcome, figures

A, B = "a.pdf", "b.pdf"


def question(*pages, document=A, kind="spec"):
    """A question answered on pages of a.pdf, or on (document, page); without any on none."""
    places = [page if isinstance(page, tuple) else (document, page) for page in pages]
    return GoldQuestion.model_validate(
        {
            "id": "q",
            "kind": kind,
            "question": "?",
            "document": document if pages else None,
            "evidence": [{"document": name, "page": page} for name, page in places],
        }
    )


def outcome(asked, *ranked, marked=(), gold=(), answered=True, milliseconds=10.0):
    """Marks are (page, words), half of which belong to the quote; gold as in the outcome."""
    places = tuple(page if isinstance(page, tuple) else (A, page) for page in ranked)
    citations = tuple(
        CitedWords(page if isinstance(page, tuple) else (A, page), frozenset(words), 0.5)
        for page, words in marked
    )
    return QuestionOutcome(
        asked, places, None, answered, milliseconds, citations=citations, gold_words=gold
    )


def test_a_page_counts_by_the_place_it_was_found_at():
    found = figures(
        [
            outcome(question(3), 3, 1, 2),
            outcome(question(3), 1, 3),
            outcome(question(3), 1, 2, 4, 3),
            outcome(question(3), 1, 2),
        ]
    )
    assert found["n"] == 4
    assert (found["hit@1"], found["hit@3"], found["hit@5"]) == (0.25, 0.5, 0.75)
    assert found["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 4 + 0) / 4, abs=1e-4)


def test_any_page_that_answers_counts():
    assert figures([outcome(question(3, 8), 8)])["hit@1"] == 1


def test_the_same_page_of_another_manual_does_not():
    assert figures([outcome(question(3), (B, 3))])["hit@5"] == 0


def test_questions_over_two_manuals_need_a_page_of_both_among_five():
    both = question((A, 3), (B, 7))
    found = figures(
        [
            outcome(both, (A, 3), (A, 1), (B, 7)),
            outcome(both, (A, 3), (A, 1)),
            outcome(both, (A, 3), (A, 1), (A, 2), (A, 4), (A, 5), (B, 7)),
            outcome(question(3), (A, 3)),
        ]
    )
    assert found["both_pages@5"] == pytest.approx(1 / 3, abs=1e-4)


def test_two_pages_of_one_manual_are_no_question_over_two():
    assert figures([outcome(question(3, 4), 3)])["both_pages@5"] is None


def test_refusals_are_told_apart_by_whether_there_was_an_answer():
    found = figures(
        [
            outcome(question(), answered=False),
            outcome(question(), 1, answered=True),
            outcome(question(), answered=False),
            outcome(question(3), 3, answered=False),
            outcome(question(3), 3, answered=True),
        ]
    )
    assert found["unanswerable"] == 3
    assert found["refused_right"] == 2
    assert found["refused_wrong"] == 1
    assert found["hit@1"] == 1, "questions without an answer have no page to find"


def test_a_region_is_covered_by_words_on_its_page_and_any_one_is_enough():
    asked = question(3, 9)
    gold = (((A, 3), frozenset(range(20))), ((A, 9), frozenset({0, 1})))
    found = figures(
        [
            outcome(asked, 3, marked=[(3, range(19))], gold=gold),
            outcome(asked, 3, marked=[(3, range(10))], gold=gold),
            outcome(asked, 3, marked=[(9, range(40))], gold=gold),
            outcome(asked, 1, 3, marked=[((B, 3), range(20))], gold=gold),
            outcome(asked, 3, answered=False, gold=gold),
            outcome(asked, 3, marked=[(3, range(20))]),
        ]
    )
    assert found["region_recall"] == pytest.approx((0.95 + 0.5 + 1 + 0 + 0) / 5)
    assert found["region_covered"] == pytest.approx(2 / 5)
    assert found["region_recall_when_first"] == pytest.approx((0.95 + 0.5 + 1 + 0) / 4, abs=1e-4)
    assert found["region_precision"] == 0.5


def test_times_are_given_by_the_middle_and_the_slowest():
    times = [outcome(question(3), 3, milliseconds=float(n)) for n in range(1, 101)]
    found = figures(times)
    assert found["p50_ms"] == pytest.approx(50, abs=1)
    assert found["p95_ms"] == pytest.approx(95, abs=1)


def test_without_questions_there_is_no_figure_instead_of_a_zero():
    found = figures([])
    assert found["n"] == 0
    assert found["hit@1"] is found["mrr"] is found["region_recall"] is None


def test_the_report_has_figures_by_kind_and_manual_and_names_the_failures():
    told = report(
        [
            outcome(question(3, kind="spec"), 3),
            outcome(question(3, kind="table"), 1, 3),
            outcome(question(3, kind="table"), 3, answered=False),
            outcome(question(5, document=B, kind="spec"), (B, 5)),
            outcome(question(kind="none"), answered=False),
            outcome(question(kind="none"), 1, answered=True),
        ]
    )
    assert told["overall"]["n"] == 6
    assert told["by_kind"]["table"]["hit@1"] == 0.5
    assert {name: each["n"] for name, each in told["by_document"].items()} == {A: 3, B: 1}
    failed = [(f["kind"], f["position"], f["answered"]) for f in told["failures"]]
    assert failed == [("table", 1, True), ("table", 0, False), ("none", None, True)]
