"""Stated chances beside what came true, and the price of refusing."""

import math
import random

import pytest

from scripts.bench.uncertainty import (
    calibration_error,
    calibration_error_of_perfect,
    refusal_curve,
    refused_at,
    sureness,
)


def test_chances_that_come_true_as_often_as_they_say_have_no_error():
    stated = [0.2] * 10 + [0.9] * 10
    came_true = [True] * 2 + [False] * 8 + [True] * 9 + [False]
    assert calibration_error(stated, came_true) == pytest.approx(0)
    assert calibration_error([], []) is None


def test_always_being_sure_costs_the_share_that_was_wrong():
    assert calibration_error([1.0] * 8, [True] * 6 + [False] * 2) == pytest.approx(0.25)


def test_neither_order_nor_opposite_mistakes_hide_an_error():
    stated, came_true = [0.1] * 50 + [0.9] * 50, [True] * 50 + [False] * 50
    assert calibration_error(stated, came_true) == pytest.approx(0.9)
    assert calibration_error(stated[::-1], came_true[::-1]) == pytest.approx(0.9)
    assert calibration_error([0.5] * 20, [True, False] * 10) == pytest.approx(0)
    assert calibration_error([0.5] * 20, [True] * 10 + [False] * 10) == pytest.approx(0)


def test_the_curve_goes_from_refusing_nothing_to_refusing_all():
    curve = refusal_curve([0.3, 0.8, 0.9], [0.1, 0.2, 0.8])
    assert (curve[0].answerable, curve[0].unanswerable) == (0, 0)
    assert (curve[-1].answerable, curve[-1].unanswerable) == (1, 1)
    assert math.isinf(curve[-1].threshold)
    assert refused_at(curve, 0) == pytest.approx(2 / 3)
    assert refused_at(curve, 0.5) == pytest.approx(2 / 3)
    assert refused_at(curve, 0.7) == 1
    assert refused_at(refusal_curve([0.5], []), 1) is None


def test_answers_that_are_equally_sure_are_refused_together():
    curve = refusal_curve([0.5, 0.5], [0.5])
    assert refused_at(curve, 0.5) == 0


def test_what_was_refused_is_less_sure_than_every_answer():
    refused = sureness(answered=False, confidence=1.0)
    assert refused < sureness(answered=True, confidence=0.0)
    assert sureness(answered=False, confidence=0.2) < refused


def test_perfect_chances_show_an_error_that_shrinks_with_their_number():
    chance = random.Random(1)

    def shown(stated):
        came_true = [chance.random() < each for each in stated]
        return calibration_error(stated, came_true)

    for count in (20, 400):
        stated = [chance.random() for _ in range(count)]
        mean = sum(shown(stated) for _ in range(200)) / 200
        assert calibration_error_of_perfect(stated) == pytest.approx(mean, rel=0.15)
    assert calibration_error_of_perfect([]) is None
