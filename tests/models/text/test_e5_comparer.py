"""The text model that compares statements, for real: what it gives, not how well it judges."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.models.adapters.e5 import E5Comparer
from desktop.models.errors import ModelNotInstalled

MANUAL = "Disconnect the mains before you open the cover."
PAIRS = [
    (MANUAL, "Switch the mains off before opening the cover."),
    (MANUAL, "The cover may be opened while the mains are connected."),
    (MANUAL, "The warranty lasts two years."),
]


@pytest.fixture(scope="module")
def comparer(model_folder):
    return E5Comparer(model_folder)


def test_each_pair_gets_three_chances_that_add_up_to_one(comparer):
    chances = comparer.compare(PAIRS)
    assert chances.shape == (3, 3)
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)
    assert [int(row.argmax()) for row in chances] == [0, 1, 2]


def test_what_is_said_of_a_pair_does_not_depend_on_the_pairs_beside_it(comparer):
    together = comparer.compare(PAIRS)
    alone = np.concatenate([comparer.compare([pair]) for pair in PAIRS])
    assert np.array_equal(together, alone)


def test_long_and_empty_texts_are_read(comparer):
    assert comparer.compare([("word " * 900, "word " * 900), ("", "")]).shape == (2, 3)
    assert comparer.compare([]).shape == (0, 3)


def test_a_missing_model_is_not_installed(tmp_path):
    with pytest.raises(ModelNotInstalled):
        E5Comparer(tmp_path).compare(PAIRS)
