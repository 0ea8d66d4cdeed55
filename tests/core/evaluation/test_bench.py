"""Asking the questions of a gold file through a workspace of scripted parts."""

import json
from contextlib import closing

import pytest

from desktop.core.evaluation.bench import BenchError, ask_one, run_bench
from desktop.core.evaluation.gold import GoldQuestion
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.workspace import make_workspace

FUSE = {"id": "q1", "kind": "spec", "question": "Which fuse?", "document": "pump.pdf", "pages": [4]}
BOILER: dict[str, object] = FUSE | {"id": "q2", "kind": "none", "document": None, "pages": []}


def ignore(_message):
    pass


def ask(question, **agent):
    with closing(make_workspace(**agent)) as workspace:
        return ask_one(workspace, GoldQuestion.model_validate(question))


def test_an_answer_is_measured_by_what_it_found_cited_and_highlighted():
    pages = [page_found("Fuse F2 is 5 A."), page_found("Fuses are in the lid.", 7)]
    outcome = ask(FUSE, searcher=FakeSearcher(pages))
    assert outcome.ranked == (("pump.pdf", 4), ("pump.pdf", 7))
    assert outcome.position == 0
    assert outcome.answered
    assert outcome.cited == ("pump.pdf", 4)
    assert outcome.highlighted == pages[0].passages[0].boxes
    assert outcome.milliseconds > 0


def test_boxes_on_another_page_than_the_first_cited_are_not_counted():
    elsewhere = page_found("Fuse F2 is 5 A.", 7)
    outcome = ask(FUSE, searcher=FakeSearcher([elsewhere, page_found("Fuses.", 4)]))
    assert outcome.cited == ("pump.pdf", 7)
    assert outcome.highlighted == elsewhere.passages[0].boxes


def test_a_refusal_is_no_answer_and_cites_nothing():
    outcome = ask(BOILER, answerer=FakeAnswerer(found=False))
    assert not outcome.answered
    assert outcome.cited is None
    assert outcome.highlighted == ()
    assert outcome.position is None


def test_a_search_that_fails_is_no_answer():
    outcome = ask(FUSE, searcher=FakeSearcher(ValueError("broken")))
    assert not outcome.answered
    assert outcome.ranked == ()


def test_a_bench_over_the_library_gives_figures_and_tells_how_far_it_is(tmp_path):
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([FUSE]))
    told: list[str] = []
    with closing(make_workspace()) as workspace:
        found = run_bench(workspace, gold, tmp_path, told.append)
    assert found["overall"]["hit@1"] == 1
    assert found["failures"] == []
    assert told == ["asked 1 of 1"]


def test_a_bench_without_one_of_its_manuals_says_which(tmp_path):
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([FUSE, FUSE | {"document": "crane.pdf"}]))
    with closing(make_workspace()) as workspace, pytest.raises(BenchError, match=r"crane\.pdf"):
        run_bench(workspace, gold, tmp_path, ignore)
