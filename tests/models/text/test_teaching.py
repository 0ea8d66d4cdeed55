"""The written manuals are whole, and what is learnt from them is what the program runs."""

import importlib.util
import json
import random
import re

import apsw
import numpy as np
import pytest
from pydantic import ValidationError

from desktop.models import text_model
from scripts.text_model.written_manuals import read_manuals
from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder

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


def read(text, most):
    """Words as tokens, where the reranker reads pieces of words."""
    spans = [found.span() for found in re.finditer(r"\S+", text)][:most]
    return np.arange(len(spans)), spans


@needs_torch
def test_a_sentence_of_a_public_set_answers_and_its_tokens_are_told(tmp_path):
    from scripts.cross_encoder.lessons import of_squad

    context = "The pump needs 24 V at its terminals. It is filled with 2 litres of oil at first."
    asked = [
        {"question": "How much oil?", "answers": [{"text": "2 litres", "answer_start": 56}]},
        {"question": "Which colour?", "is_impossible": True, "answers": []},
    ]
    article = {"title": "Pump", "paragraphs": [{"context": context, "qas": asked}]}
    (tmp_path / "a.json").write_text(json.dumps({"data": [article]}), "utf-8")
    oil, colour = of_squad(tmp_path / "a.json", read, random.Random(0))
    assert oil.right.tolist() == [0, 1]
    words = "Pump It is filled with 2 litres of oil at first.".split()
    told = [word for word, answers in zip(words, oil.answers[1], strict=True) if answers]
    assert told == ["2", "litres"]
    assert not colour.right.any()
    assert not colour.answers


@needs_torch
def test_the_rows_that_answer_compete_with_what_is_like_them(tmp_path):
    from scripts.cross_encoder.lessons import of_manual
    from scripts.reader.manuals import LabelledManual

    rows = [[f"Valve V{number}", f"{number} bar"] for number in range(1, 9)]
    with bookcase_at(tmp_path, FakeEmbedder()) as bookcase:
        bookcase.add("valves.pdf", [Sheet().heading("Settings").rows(["Valve", "Opens"], *rows)])
        connection = apsw.Connection(str(tmp_path / "library" / "library.db"))
        manual = LabelledManual(connection, 1, {"slug": "valves"})
        (row,) = (unit for unit in manual.units(0) if unit.text.endswith("5 bar"))
        words = [[row.indices[0], row.indices[-1]]]
        manual.questions = []
        manual.lessons = [
            {"question": "When does V5 open?", "answers": [{"page": 0, "words": words}]},
            {"question": "When does V9 open?", "answerable": False, "near_page": 0},
        ]
        asked, near = of_manual(manual, read, FakeEmbedder(), random.Random(0))
        connection.close()
    assert asked.right.max() == 1
    assert (asked.right == 1).sum() == 1
    assert len(asked.places) >= len(rows)
    assert not near.right.any()
