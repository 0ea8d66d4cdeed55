"""A second text model reads the best places of a question again, and never makes it worse."""

from typing import Any

import numpy as np
import pytest

from desktop.app import make_embedders
from desktop.models.adapters import mlx_runtime
from desktop.models.errors import ModelOutOfBudget, ModelStopped
from desktop.models.inference_thread import Priority
from desktop.models.manager import ThreadedEmbedder, read_again
from tests.fakes.embedder import FakeEmbedder

TEXTS = ["the fuse of the pump", "a lamp", "a cover"]


@pytest.fixture
def first():
    embedder = FakeEmbedder("first@1")
    embedder.reranked = np.array([0.5, 1.0, -4.0], np.float32)
    return embedder


@pytest.fixture
def second():
    return FakeEmbedder("second@1", 64)


@pytest.fixture
def built_in(first, inference):
    return ThreadedEmbedder(lambda: first, inference, Priority.QUESTION)


def test_what_the_second_model_finds_nearer_moves_up_and_the_surest_is_no_surer(built_in, second):
    asked = "Which fuse has the pump?"
    alone = built_in.rerank(asked, TEXTS)
    both = built_in.beside(lambda: second).rerank(asked, TEXTS)
    assert (alone.argmax(), both.argmax()) == (1, 0)
    assert both.max() == pytest.approx(alone.max())
    assert second.queries == [asked]
    assert second.embedded[: len(TEXTS)] == TEXTS


def test_vectors_and_tokens_stay_those_of_the_first(built_in, first, second):
    pair = built_in.beside(lambda: second)
    assert (pair.model_id, pair.dimension) == ("first@1", 384)
    assert np.array_equal(pair.embed(["a fuse"]), first.embed(["a fuse"]))
    assert second.embedded == []


def test_texts_that_are_equally_near_stay_as_they_are():
    odds = np.array([0.5, -1.0], np.float32)
    assert read_again(odds, np.array([0.3, 0.3], np.float32)) is odds


def test_a_second_model_that_comes_later_is_used_then(built_in, first, second):
    there: list[FakeEmbedder] = []
    pair = built_in.beside(lambda: there[0] if there else None)
    assert np.array_equal(pair.rerank("fuse pump", TEXTS), first.reranked)
    there.append(second)
    assert not np.array_equal(pair.rerank("fuse pump", TEXTS), first.reranked)


def test_a_second_model_that_fails_changes_nothing_and_being_closed_ends_the_question(
    built_in, first, second
):
    pair = built_in.beside(lambda: second)
    second.failure = ModelOutOfBudget("no room", needed_bytes=2, free_bytes=1)
    assert np.array_equal(pair.rerank("fuse pump", TEXTS), first.reranked)
    second.failure = ModelStopped("closed")
    with pytest.raises(ModelStopped):
        pair.rerank("fuse pump", TEXTS)


def _rerank(embedder):
    return embedder.rerank("fuse pump", TEXTS)


class Models:
    """The text model of a manager, installed and still on the disk."""

    def __init__(self, model):
        self.model, self.loaded, self.begun = model, False, 0

    def text(self):
        return self.model

    def is_loaded(self, role):
        assert role == "text"
        return self.loaded

    def load_beside(self, role):
        assert role == "text"
        self.begun += 1


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setattr(mlx_runtime, "has_gpu", lambda: True)


def test_without_a_gpu_no_question_waits_for_a_second_model(built_in, first, second, monkeypatch):
    monkeypatch.setattr(mlx_runtime, "has_gpu", lambda: False)
    models: Any = Models(second)
    asking, _ = make_embedders(built_in, models, wait=True)
    assert np.array_equal(_rerank(asking), first.reranked)
    assert (models.begun, second.embedded) == (0, [])


@pytest.mark.usefixtures("gpu")
def test_a_question_does_not_wait_until_the_second_model_is_loaded(built_in, first, second):
    models: Any = Models(second)
    asking, ingesting = make_embedders(built_in, models)
    assert asking is not None
    assert ingesting is not None
    assert np.array_equal(_rerank(asking), first.reranked)
    assert models.begun == 1
    models.loaded = True
    assert not np.array_equal(_rerank(asking), first.reranked)
    assert np.array_equal(_rerank(ingesting), first.reranked)


@pytest.mark.usefixtures("gpu")
def test_a_single_command_waits_for_it(built_in, first, second):
    models: Any = Models(second)
    asking, _ = make_embedders(built_in, models, wait=True)
    assert asking is not None
    assert not np.array_equal(_rerank(asking), first.reranked)
    assert models.begun == 0
