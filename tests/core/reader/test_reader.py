"""How the reader's trees are walked."""

from __future__ import annotations

import lightgbm
import numpy as np
import pytest

from desktop.core.reader.observations import OBSERVATIONS
from desktop.core.reader.ranker import Observed, Ranker
from scripts.reader.fit import full_tree


@pytest.fixture(scope="module")
def learnt():
    """Rows, and the trees that LightGBM learnt from them."""
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(2000, len(OBSERVATIONS))).astype(np.float32)
    rows[:, 5] = np.round(rows[:, 5])
    grades = (rows[:, 0] + rows[:, 5] > 1).astype(int) * 3
    told = lightgbm.Dataset(rows, grades, group=[40] * 50)
    settings = {"objective": "lambdarank", "max_depth": 6, "verbose": -1, "num_threads": 1}
    return rows, lightgbm.train(settings, told, 20)


def ranker_of(booster: lightgbm.Booster) -> Ranker:
    trees = [full_tree(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    features, thresholds, leaves = (np.stack(each) for each in zip(*trees, strict=True))
    tensors = {
        "model.features": features.astype(np.int16),
        "model.thresholds": thresholds,
        "model.leaves": leaves.astype(np.float32),
    }
    return Ranker(tensors, {"observations": list(OBSERVATIONS)})


def test_trees_are_walked_as_lightgbm_walks_them(learnt):
    rows, booster = learnt
    scores = ranker_of(booster).scores_of(rows, with_model=True)
    assert scores == pytest.approx(booster.predict(rows), abs=1e-5)


def test_no_rows_have_no_scores(learnt):
    rows, booster = learnt
    assert ranker_of(booster).scores_of(rows[:0], with_model=True).shape == (0,)


def test_what_was_never_observed_counts_as_nothing(learnt):
    rows, booster = learnt
    unknown = rows[:3].copy()
    unknown[:, 5] = np.nan
    known = np.nan_to_num(unknown)
    ranker = ranker_of(booster)
    same = ranker.scores_of(known, with_model=True)
    assert ranker.scores_of(unknown, with_model=True) == pytest.approx(same)


def test_what_is_read_together_counts_by_its_weight_and_the_rest_as_the_least():
    weights = {"rerank.weight": np.array([0.5], np.float32)}
    ranker = Ranker(weights, {"observations": list(OBSERVATIONS)})
    nothing = np.zeros((0, 0), np.float32)
    read = np.ones(4, bool)
    said = np.array([-6, np.nan, 2, np.nan], np.float32)
    observed = Observed([], nothing, read, nothing, said)
    scores = np.array([1, 1, 0, 3], np.float32)
    assert ranker.reranked(observed, scores).tolist() == [-3, -3, 0, -1]
    unread = Observed([], nothing, read, nothing, np.full(4, np.nan, np.float32))
    assert ranker.reranked(unread, scores).tolist() == scores.tolist()


def test_weights_for_other_observations_are_refused():
    with pytest.raises(ValueError, match="other observations"):
        Ranker({}, {"observations": ["late"]})
