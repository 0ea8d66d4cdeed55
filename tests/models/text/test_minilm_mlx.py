import importlib.util

import numpy as np
import pytest

from desktop.models.adapters.text.minilm_mlx import MiniLmMlx
from desktop.models.inference_thread import Priority
from desktop.models.threaded_embedder import ThreadedEmbedder
from tests.models.texts import REFERENCE_TEXTS

pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(
        importlib.util.find_spec("mlx_vlm") is None, reason="MLX is not installed on this platform"
    ),
]


@pytest.fixture
def mlx_embedder(model_folder, inference):
    return ThreadedEmbedder(lambda: MiniLmMlx(model_folder), inference, Priority.QUESTION)


def test_mlx_gives_the_vectors_of_numpy(mlx_embedder, minilm):
    difference = mlx_embedder.embed(REFERENCE_TEXTS) - minilm.embed(REFERENCE_TEXTS)
    assert np.abs(difference).max() < 1e-4


def test_mlx_gives_the_token_vectors_of_numpy(mlx_embedder, minilm):
    ours = mlx_embedder.embed_tokens(REFERENCE_TEXTS[:3])
    theirs = minilm.embed_tokens(REFERENCE_TEXTS[:3])
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.shape == other.shape
        assert np.abs(mine - other).max() < 1e-3
