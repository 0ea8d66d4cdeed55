"""Labelled questions asked of two small manuals that were really read, beside the baselines."""

from contextlib import closing

import pytest

from desktop.core.answering.extractive import ExtractiveAnswerer
from desktop.core.evaluation.bench import BenchError
from desktop.core.settings.sections import AgentSettings
from scripts.bench.label_files import LabelledManual, LabelledQuestion, Labels
from scripts.bench.labels import OURS, LibraryText, PageBm25, run_labels
from tests.fakes.bookcase import bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.labels import PUMP_QUESTION, label_manual
from tests.fakes.manuals import fill
from tests.fakes.searcher import FakeSearcher
from tests.fakes.workspace import make_workspace

ROW = "No display Fuse F2 blown Replace fuse F2"


@pytest.fixture
def bookcase(tmp_path):
    with bookcase_at(tmp_path, FakeEmbedder()) as bookcase:
        fill(bookcase)
        yield bookcase


@pytest.fixture
def workspace(bookcase):
    answerer = ExtractiveAnswerer(
        bookcase.library, FakeEmbedder(), AgentSettings(least_confidence=0.0)
    )
    with closing(make_workspace(searcher=bookcase.searcher, answerer=answerer)) as workspace:
        workspace.library, workspace.database = bookcase.library, bookcase.database
        yield workspace


def labels_of(bookcase, *changes, **manual):
    """Questions about the pump whose answer is the row of its table, each changed."""
    (document,) = (each for each in bookcase.library.documents() if each.name == "pump.pdf")
    pump = LabelledManual.model_validate(label_manual("pump", sha256=document.sha256, **manual))
    texts = bookcase.library.page_words(document.id, 1).texts
    words = ROW.split()
    first = next(i for i in range(len(texts)) if list(texts[i : i + len(words)]) == words)
    place = {"page": 1, "words": [[first, first + len(words) - 1]], "value": "Fuse F2 blown"}
    asked = PUMP_QUESTION | {"question": "No display, what is the cause?", "answers": [place]}
    questions = [
        LabelledQuestion.model_validate(asked | {"id": str(number)} | change)
        for number, change in enumerate(changes or [{}])
    ]
    crane = LabelledManual.model_validate(label_manual("crane"))
    return Labels((pump, crane), {"pump": tuple(questions)}, {})


def said(message):
    pass


def test_a_right_answer_is_measured_by_words_and_value_beside_a_baseline(workspace, bookcase):
    baseline = PageBm25(LibraryText.read(bookcase.database))
    told: list[str] = []
    run = run_labels(workspace, labels_of(bookcase), [baseline], told.append)
    (ours,), (plain,) = run.systems[OURS], run.systems["BM25 pages"]
    assert ours.ranked[0] == ("pump", 1)
    assert (ours.answered, ours.facts, ours.region_hit) == (True, 1.0, True)
    assert ours.region_precision is not None
    assert ours.region_precision > 0.9
    assert (plain.position, plain.answer) == (0, None)
    assert [each.slug for each in run.missing] == ["crane"]
    assert told == ["asked 1 of 1"]
    report = run.report()
    assert report["systems"][OURS]["region_recall"]["value"] == 1
    assert report["missing"][0]["origin"] == "makers/manuals at abc: docs/crane.pdf"
    assert "blown" not in str(report)


def test_a_question_to_a_manual_is_asked_of_that_one_and_one_to_the_library_of_all(bookcase):
    searcher = FakeSearcher([])
    labels = labels_of(bookcase, {"scope": "manual"}, {"scope": "library"})
    with closing(make_workspace(searcher=searcher)) as workspace:
        workspace.library, workspace.database = bookcase.library, bookcase.database
        run = run_labels(workspace, labels, [], said)
    pump = bookcase.id_of("pump.pdf")
    asked = list(dict.fromkeys(query.document_ids for query in searcher.queries))
    assert asked == [{pump}, frozenset()]
    assert [each.answered for each in run.systems[OURS]] == [False, False]


def test_a_follow_up_is_asked_after_its_previous_question(bookcase):
    searcher = FakeSearcher([])
    followup = {"question": "And of the sensor?", "history": "What is the order number?"}
    with closing(make_workspace(searcher=searcher)) as workspace:
        workspace.library, workspace.database = bookcase.library, bookcase.database
        run = run_labels(workspace, labels_of(bookcase, followup), [], said)
    assert searcher.queries[0].text == "What is the order number?"
    followed = next(query for query in searcher.queries if "sensor" in query.text)
    assert "order number" in followed.before
    assert len(run.systems[OURS]) == 1


def test_a_value_in_words_of_its_own_is_not_looked_for(workspace, bookcase):
    labels = labels_of(bookcase, {}, {"id": "own"})
    (first, own) = labels.questions["pump"]
    place = first.answers[0].model_copy(update={"value": "a dead fuse"})
    labels.questions["pump"] = (first, own.model_copy(update={"answers": (place,)}))
    run = run_labels(workspace, labels, [], said)
    assert [each.facts for each in run.systems[OURS]] == [1.0, None]


def test_words_that_are_not_on_the_page_are_told_and_not_asked(workspace, bookcase):
    beyond = {"answers": [{"page": 1, "words": [[5_000, 5_001]]}]}
    nowhere = {"answers": [{"page": 99, "words": [[0, 1]]}]}
    run = run_labels(workspace, labels_of(bookcase, beyond, nowhere, {}), [], said)
    assert run.unfit == ("pump 0", "pump 1")
    assert [each.question.id for each in run.systems[OURS]] == ["2"]


def test_labels_of_manuals_that_are_not_there_cannot_be_measured(workspace):
    labels = Labels((LabelledManual.model_validate(label_manual("crane")),), {}, {})
    with pytest.raises(BenchError, match="no manual of these labels is ready"):
        run_labels(workspace, labels, [], said)
