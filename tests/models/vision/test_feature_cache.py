import numpy as np

from desktop.models.adapters.mlx_vision import FeatureCache

TEN = np.zeros(10, np.uint8)


def test_least_recently_used_value_goes_first():
    cache: FeatureCache = FeatureCache()
    for key in "abc":
        cache.put(key, TEN, 30)
    cache.get("a")

    cache.put("d", TEN, 30)

    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]
    assert cache.nbytes == 30


def test_value_larger_than_the_limit_is_not_kept_and_costs_no_other():
    cache: FeatureCache = FeatureCache()
    cache.put("a", TEN, 30)

    cache.put("large", np.zeros(31, np.uint8), 30)

    assert cache.get("large") is None
    assert cache.get("a") is TEN


def test_limit_that_has_become_smaller_is_kept():
    cache: FeatureCache = FeatureCache()
    for key in "abc":
        cache.put(key, TEN, 30)

    cache.shrink(15)
    assert cache.nbytes == 10
    cache.shrink(-5)
    assert cache.nbytes == 0


def test_value_put_again_counts_once():
    cache: FeatureCache = FeatureCache()

    cache.put("a", TEN, 30)
    cache.put("a", TEN, 30)

    assert cache.nbytes == 10
