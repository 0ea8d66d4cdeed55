"""Intervals that draw manuals, the same ones every time."""

import pytest

from scripts.bench.uncertainty import figure, mean_figure


def share(values):
    return sum(values) / len(values) if values else None


def test_the_mean_of_manuals_counts_each_question_once():
    found = mean_figure({"pump": [1, 1, 1], "crane": [0], "empty": []})
    assert found is not None
    assert (found.value, found.n) == (0.75, 4)
    assert found.low == 0
    assert found.high == 1


def test_questions_of_one_manual_do_not_make_a_figure_sure():
    alike = {"pump": [1.0] * 500, "crane": [0.0] * 500}
    mixed = {str(n): [float(n % 2)] for n in range(1_000)}
    wide, narrow = mean_figure(alike), mean_figure(mixed)
    assert wide is not None
    assert wide.low is not None
    assert wide.high is not None
    assert narrow is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.value == narrow.value == 0.5
    assert wide.high - wide.low == 1
    assert narrow.high - narrow.low < 0.1


def test_one_manual_has_no_interval_and_none_no_figure():
    one = mean_figure({"pump": [1, 0]})
    assert one is not None
    assert (one.value, one.low, one.high) == (0.5, None, None)
    assert mean_figure({"pump": []}) is None
    assert figure({}, share) is None


def test_a_seed_gives_the_same_interval_and_any_statistic_can_have_one():
    values = {str(n): [n / 7, n / 3] for n in range(20)}
    assert figure(values, share, seed=3) == figure(values, share, seed=3)
    assert figure(values, share, seed=3) != figure(values, share, seed=4)
    both = figure(values, share), mean_figure(values)
    assert both[0] is not None
    assert both[1] is not None
    assert both[0].value == pytest.approx(both[1].value)
    assert both[0].low == pytest.approx(both[1].low)
