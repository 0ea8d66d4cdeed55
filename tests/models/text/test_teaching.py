"""The written manuals are whole, and what is learnt from them is what the program runs."""

import importlib.util
import random

import numpy as np
import pytest
from pydantic import ValidationError

from desktop.models import text_model
from scripts.text_model.written_manuals import read_manuals

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)


@pytest.fixture(scope="module")
def manuals():
    return read_manuals()


def test_every_manual_has_neighbours_to_tell_apart_and_questions(manuals):
    assert len(manuals) > 100
    for manual in manuals:
        assert len(manual) >= 5, manual[0].manual
        assert sum(bool(passage.q) for passage in manual) > len(manual) / 2, manual[0].manual


def test_no_passage_is_written_twice(manuals):
    texts = [passage.read for manual in manuals for passage in manual]
    assert len(set(texts)) == len(texts)


def test_a_line_that_is_no_passage_is_refused(tmp_path):
    (tmp_path / "X.jsonl").write_text('{"manual": "pump", "text": "Stop the pump."}\n', "utf-8")
    with pytest.raises(ValidationError):
        read_manuals(tmp_path)


@needs_torch
def test_a_question_is_answered_by_its_own_passage(manuals):
    from scripts.text_model.lessons import invented_lessons

    lesson = next(invented_lessons([manuals[0], manuals[-1]], random.Random(0)))
    asks = {
        (question, passage.read)
        for manual in manuals
        for passage in manual
        for question in (*passage.q, *passage.x)
    }
    for question, answer in zip(lesson.questions, lesson.unit_answers.tolist(), strict=True):
        assert (question, lesson.units[answer]) in asks


def test_the_adapter_changes_matrices_that_the_model_has():
    from desktop.models.adapters.e5_packed import WIDE, WIDTH, taught_changes

    changes = taught_changes(text_model.adapter_folder() / text_model.ADAPTER)
    assert len(changes) == 12 * 6
    shapes = {change.shape for change in changes.values()}
    assert shapes == {(WIDTH, WIDTH), (WIDE, WIDTH), (WIDTH, WIDE)}
    assert any(np.abs(change).max() > 1e-3 for change in changes.values())
