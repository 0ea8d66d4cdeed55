"""The figures for highlighted regions, on boxes small enough to reckon by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.evaluation.regions import region_hit, region_iou
from desktop.core.geometry import Box

GOLD = Box(100, 100, 140, 110)  # 400 square points

whole = st.builds(
    lambda x, y, w, h: Box(float(x), float(y), float(x + w), float(y + h)),
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(1, 60),
    st.integers(1, 60),
)


@given(whole, whole)
def test_the_iou_of_two_boxes_is_overlap_over_union(one, other):
    both = one.intersection(other).area
    expected = both / (one.area + other.area - both)
    assert region_iou([one], [other]) == pytest.approx(expected)


@given(st.lists(whole, min_size=1, max_size=4), st.lists(whole, min_size=1, max_size=3))
def test_highlighting_a_box_twice_changes_nothing(highlighted, gold):
    assert region_iou(highlighted * 2, gold) == region_iou(highlighted, gold)
    assert region_hit(highlighted * 2, gold) == region_hit(highlighted, gold)


def test_exactly_the_region_is_a_full_hit():
    assert region_hit([GOLD], [GOLD])
    assert region_iou([GOLD], [GOLD]) == 1


def test_half_of_the_region_hits_and_less_does_not():
    assert region_hit([Box(100, 100, 120, 110)], [GOLD])
    assert not region_hit([Box(100, 100, 119, 110)], [GOLD])


def test_a_highlight_over_four_times_the_region_does_not_hit():
    assert region_hit([Box(100, 100, 180, 120)], [GOLD])
    assert not region_hit([Box(100, 100, 181, 120)], [GOLD])


def test_two_boxes_with_half_each_cover_the_region_together():
    halves = [Box(100, 100, 120, 110), Box(120, 100, 140, 110)]
    assert region_hit(halves, [GOLD])
    assert region_iou(halves, [GOLD]) == 1


def test_the_highlight_is_measured_with_the_region_it_meets_best():
    other = Box(300, 300, 340, 310)
    assert region_iou([GOLD], [other, GOLD]) == 1
    assert region_hit([GOLD], [other, GOLD])


def test_a_highlight_elsewhere_and_none_at_all_give_nothing():
    elsewhere = [Box(0, 0, 10, 10)]
    assert not region_hit(elsewhere, [GOLD])
    assert region_iou(elsewhere, [GOLD]) == 0
    assert not region_hit([], [GOLD])
    assert region_iou([], [GOLD]) == 0


def test_without_a_gold_region_nothing_is_hit():
    assert not region_hit([GOLD], [])
    assert region_iou([GOLD], []) == 0
    assert not region_hit([GOLD], [Box(5, 5, 5, 5)])
