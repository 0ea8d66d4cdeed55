"""The written manuals are whole, and what is learnt from them is what the program runs."""

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from scripts.text_model.written_manuals import read_manuals
from tests.models.texts import REFERENCE_TEXTS

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)


@pytest.fixture(scope="module")
def manuals():
    return read_manuals()


@pytest.fixture
def network(model_folder):
    import torch

    from scripts.text_model.network import Network

    torch.manual_seed(0)
    return Network(model_folder, rank=2)


@pytest.fixture
def lesson(manuals):
    from scripts.text_model.lessons import lessons

    few = [manuals[0][:8], manuals[-1][:8]]
    return next(lessons(few, random.Random(0)))


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
def test_a_question_is_answered_by_its_own_passage(lesson, manuals):
    asks = {
        (question, passage.read)
        for manual in manuals
        for passage in manual
        for question in (*passage.q, *passage.x)
    }
    for question, answer in zip(lesson.questions, lesson.answers.tolist(), strict=True):
        assert (question, lesson.passages[answer]) in asks


@needs_torch
def test_learning_makes_the_network_less_wrong(network, lesson):
    import torch

    from scripts.text_model.lessons import loss

    before = loss(network, lesson).item()
    optimiser = torch.optim.AdamW(network.learnt, lr=2e-3)
    for _ in range(3):
        optimiser.zero_grad()
        loss(network, lesson).backward()
        optimiser.step()
    assert loss(network, lesson).item() < before


@needs_torch
def test_an_adapter_that_learnt_nothing_yet_leaves_the_published_vectors(network):
    published = np.load(Path(__file__).with_name("published_minilm.npy"))
    network.train(on=False)
    whole = network.read(REFERENCE_TEXTS, most_tokens=256).whole
    assert np.abs(whole.detach().numpy() - published).max() < 1e-5
