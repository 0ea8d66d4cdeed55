"""Clusters of similar vectors."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.core.late_interaction.page_vectors import pooled
from tests.core.late_interaction.page_samples import unit


def test_vectors_that_are_alike_become_one_and_others_stay_apart():
    chance = np.random.default_rng(0)
    centres = unit(chance.standard_normal((5, 32)))
    vectors = unit(np.repeat(centres, 4, axis=0) + 0.02 * chance.standard_normal((20, 32)))
    (found,) = pooled(vectors[chance.permutation(20)], [4])
    assert found.shape == (5, 32)
    assert ((found @ centres.T).max(axis=0) > 0.99).all()


@pytest.mark.parametrize("count", [1, 2, 3, 8, 10])
def test_every_factor_gives_one_vector_in_so_many_rounded_up(count):
    vectors = unit(np.random.default_rng(count).standard_normal((count, 16)))
    fine, coarse = pooled(vectors, (3, 9))
    assert (len(fine), len(coarse)) == (-(-count // 3), -(-count // 9))
    np.testing.assert_allclose(np.linalg.norm(fine, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("different", [1, 2, 5, 30])
def test_pages_of_mostly_equal_vectors_are_pooled_too(different):
    chance = np.random.default_rng(different)
    vectors = unit(chance.standard_normal((different, 128)))[chance.integers(0, different, 600)]
    (found,) = pooled(vectors, [3])
    assert found.shape == (200, 128)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_clusters_are_those_of_wards_method():
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    vectors = unit(np.random.default_rng(3).standard_normal((60, 24)))
    labels = hierarchy.fcluster(hierarchy.linkage(vectors, "ward"), 20, "maxclust")
    means = np.stack([vectors[labels == label].sum(axis=0) for label in np.unique(labels)])
    (found,) = pooled(vectors, [3])
    assert sorted(unit(means)[:, 0].tolist()) == pytest.approx(
        sorted(found[:, 0].tolist()), abs=1e-5
    )
