"""Asking the questions of a gold file through a workspace of scripted parts."""

from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from desktop.core.evaluation.bench import BenchError, ask_all, ask_one, run_bench
from desktop.core.evaluation.figures import Column, side_by_side
from desktop.core.evaluation.gold import GoldFile, GoldQuestion
from desktop.core.evaluation.judge import judged
from desktop.core.evaluation.measures import figures
from desktop.core.page_words import PageWords
from desktop.core.settings.sections import Settings
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import manual
from tests.fakes.workspace import FakeLibrary, make_workspace

FUSE = {"id": "q1", "kind": "spec", "question": "Which fuse?", "document": "pump.pdf", "pages": [4]}
BOILER: dict[str, object] = FUSE | {"id": "q2", "kind": "none", "document": None, "pages": []}


def ignore(_message):
    pass


RULES = Column("rules", "lite")


def gold_of(*questions):
    return GoldFile(tuple(GoldQuestion.model_validate(each) for each in questions))


def measured(gold, manuals, progress, *columns):
    def open_library(settings, read_only):
        return closing(make_workspace())

    return run_bench(open_library, Settings(), columns, gold, manuals, progress)


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
    assert [each.page for each in outcome.citations] == [("pump.pdf", 4), ("pump.pdf", 7)]
    assert outcome.milliseconds > 0


def test_the_words_of_gold_regions_and_marks_are_looked_up_on_their_pages(monkeypatch):
    box = page_found("Fuse F2 is 5 A.").passages[0].boxes[0]
    words = PageWords(
        ("Fuse", "F2", "elsewhere"),
        np.array([[10, 20, 60, 30], [65, 20, 100, 30], [10, 200, 60, 210]], np.float32),
        np.array([0, 0, 1], np.int32),
    )
    library = FakeLibrary(manual())
    region = {"page": 4, "bbox": box.as_tuple()}
    picture = {"page": 4, "bbox": (300, 300, 310, 310)}
    with closing(make_workspace(library=library)) as workspace:
        workspace.database = SimpleNamespace(rows=lambda *_: [])
        monkeypatch.setattr(library, "page_words", lambda document, page: words)
        asked = GoldQuestion.model_validate(FUSE | {"regions": [region, picture]})
        outcome = ask_one(workspace, asked)
    assert outcome.gold_words == ((("pump.pdf", 4), frozenset({0, 1})),)
    assert outcome.region_recall == 1
    assert outcome.region_precision == 0.5  # the fake quotes "The fuse is 5 A.", not F2


def test_a_refusal_is_no_answer_and_cites_nothing():
    outcome = ask(BOILER, answerer=FakeAnswerer(found=False))
    assert not outcome.answered
    assert outcome.cited is None
    assert outcome.citations == ()
    assert outcome.position is None


def test_a_search_that_fails_is_no_answer():
    outcome = ask(FUSE, searcher=FakeSearcher(ValueError("broken")))
    assert not outcome.answered
    assert outcome.ranked == ()


def test_a_bench_over_the_library_gives_figures_and_tells_how_far_it_is(tmp_path):
    told: list[str] = []
    found = measured(gold_of(FUSE), tmp_path, told.append, RULES)
    (column,) = found["columns"]
    assert (column["decider"], column["profile"]) == ("rules", "lite")
    assert column["overall"]["hit@1"] == 1
    assert column["failures"] == []
    assert told == ["asked 1 of 1"]


def test_a_bench_without_one_of_its_manuals_says_which(tmp_path):
    with pytest.raises(BenchError, match=r"crane\.pdf"):
        measured(gold_of(FUSE, FUSE | {"document": "crane.pdf"}), tmp_path, ignore, RULES)


def test_columns_that_would_be_the_same_as_another_are_named_and_not_measured(tmp_path):
    columns = (RULES, Column("dspy", "lite"), Column("rules", "field"))
    found = measured(gold_of(FUSE), tmp_path, ignore, *columns)
    assert [each["decider"] for each in found["columns"]] == ["rules"]
    assert found["not_measured"] == {
        "dspy, lite": "without a language model dspy is the same as rules",
        "rules, field": "no language model for the profile field is installed",
    }


def test_a_column_changes_a_copy_of_the_settings_alone():
    own = Settings()
    changed = Column("prompt", "field").settings(own)
    assert (changed.agent.decider, changed.models.profile) == ("prompt", "field")
    assert own == Settings()


def test_figures_stand_side_by_side_where_somebody_has_them():
    reports = {"a": {"overall": {"hit@1": 1.0}}, "b": {"overall": {"hit@1": 0.5, "facts": 80}}}
    assert side_by_side(reports) == [("hit@1", [1.0, 0.5]), ("facts", [None, 80])]


def test_a_model_that_is_there_judges_what_was_answered():
    judge = FakeLanguageModel('{"missing_facts": [], "wrong_facts": ["10 A"], "score": 40}')
    with closing(make_workspace()) as workspace:
        workspace.models.language = lambda: judge
        (outcome,) = ask_all(workspace, gold_of(FUSE | {"answer": "5 A"}), ignore)
    assert outcome.judged == 40
    assert figures([outcome])["judged"] == 40
    assert "5 A" in judge.requests[0].messages[-1].text
    assert judge.requests[0].schema is not None


def test_a_judge_whose_words_cannot_be_used_says_nothing():
    judge = FakeLanguageModel("very good", "very good")
    assert judged(judge, "Which fuse?", "5 A", "The fuse is 5 A [1].") is None
