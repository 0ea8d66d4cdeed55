"""The text model that reads question and passage together, for real: what it gives."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.models.adapters.text.e5 import E5Reranker
from desktop.models.errors import ModelNotInstalled

QUESTION = "How tightly must the screws of the terminals be fastened?"
PASSAGES = [
    "Terminals: Tighten the screws to 0.6 Nm.",
    "Terminals: The screws are made of galvanised steel.",
    "The warranty lasts two years.",
]


@pytest.fixture(scope="module")
def reranker(model_folder):
    return E5Reranker(model_folder)


def test_what_answers_is_more_likely_than_what_is_only_alike(reranker):
    scores = reranker.scores(QUESTION, PASSAGES)
    assert scores.shape == (3,)
    assert scores.dtype == np.float32
    assert scores[0] > max(scores[1:]) + 1


def test_the_score_of_a_passage_does_not_depend_on_the_passages_beside_it(reranker):
    together = reranker.scores(QUESTION, PASSAGES)
    alone = np.concatenate([reranker.scores(QUESTION, [passage]) for passage in PASSAGES])
    assert np.array_equal(together, alone)


def test_long_and_empty_texts_are_read(reranker):
    assert reranker.scores("word " * 900, ["word " * 900, ""]).shape == (2,)
    assert np.isfinite(reranker.scores("", [""])).all()
    assert reranker.scores(QUESTION, []).shape == (0,)


def test_a_missing_model_is_not_installed(tmp_path):
    with pytest.raises(ModelNotInstalled):
        E5Reranker(tmp_path).scores(QUESTION, PASSAGES)
