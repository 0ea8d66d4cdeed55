"""Exact MaxSim: MLX against numpy, and where it runs."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from desktop.core.late_interaction.page_search import NumpyScorer
from desktop.core.late_interaction.page_vectors import quantized
from desktop.models.adapters import mlx_runtime
from desktop.models.built_in import ThreadedScorer, gpu_scorer
from desktop.models.inference_thread import InferenceThread

DIMENSION = 128


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def pages_of(*lengths, seed=0):
    chance = np.random.default_rng(seed)
    return [quantized(unit(chance.standard_normal((n, DIMENSION)))) for n in lengths]


def question(seed=1, tokens=24):
    return unit(np.random.default_rng(seed).standard_normal((tokens, DIMENSION)))


@pytest.fixture
def mlx_scorer():
    pytest.importorskip("mlx")
    from desktop.models.adapters.colqwen_mlx import MlxScorer

    return MlxScorer()


@pytest.mark.models
@pytest.mark.parametrize("lengths", [(1,), (7, 700, 33), (40, 40, 40, 40)])
def test_mlx_scores_as_numpy_does(mlx_scorer, lengths):
    pages = pages_of(*lengths)
    expected = NumpyScorer().scores(question(), pages)
    np.testing.assert_allclose(mlx_scorer.scores(question(), pages), expected, rtol=1e-5)


@pytest.mark.models
def test_padding_never_wins_on_the_gpu_either(mlx_scorer):
    against = -question(tokens=1)
    short = quantized(np.repeat(-against, 2, axis=0))
    long = pages_of(50)[0]
    found = mlx_scorer.scores(against, [short, long])
    assert found[0] == pytest.approx(-1, abs=0.01)


@pytest.mark.models
def test_a_threaded_scorer_works_on_the_inference_thread(mlx_scorer):
    thread = InferenceThread()
    thread.on_close(mlx_runtime.finish)
    try:
        pages = pages_of(5, 9)
        found = ThreadedScorer(mlx_scorer, thread).scores(question(), pages)
        np.testing.assert_allclose(found, NumpyScorer().scores(question(), pages), rtol=1e-5)
    finally:
        thread.close()


def test_a_scorer_for_the_gpu_is_called_on_the_inference_thread_alone(monkeypatch):
    class Named:
        def scores(self, question, pages):
            return np.array([len(threading.current_thread().name)], np.float32)

    thread = InferenceThread("the inference thread")
    try:
        scorer = ThreadedScorer(Named(), thread)
        assert scorer.scores(question(), pages_of(3))[0] == len("the inference thread")
    finally:
        thread.close()


@pytest.mark.parametrize(
    ("system", "machine", "installed", "expected"),
    [
        ("darwin", "arm64", True, True),
        ("darwin", "x86_64", True, False),
        ("darwin", "arm64", False, False),
        ("linux", "aarch64", True, False),
    ],
)
def test_the_gpu_is_used_on_apple_silicon_with_mlx(
    monkeypatch, system, machine, installed, expected
):
    monkeypatch.setattr("desktop.models.built_in.sys.platform", system)
    monkeypatch.setattr("desktop.models.built_in.platform.machine", lambda: machine)
    monkeypatch.setattr("desktop.models.built_in.mlx_runtime.installed", lambda: installed)
    thread = InferenceThread()
    assert (gpu_scorer(thread) is not None) is expected
    thread.close()
