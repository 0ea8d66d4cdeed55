import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.geometry import Box, bounding_box

# Whole points: sums and products are then exact.
points = st.integers(-500, 500)
boxes = st.builds(
    lambda x, y, w, h: Box(float(x), float(y), float(x + w), float(y + h)),
    points,
    points,
    st.integers(0, 300),
    st.integers(0, 300),
)


@given(boxes, boxes)
def test_the_overlap_of_two_boxes_is_in_both(one, other):
    both = one.intersection(other)
    assert both.area == other.intersection(one).area
    assert both.area <= min(one.area, other.area)
    if both.area:
        assert bounding_box([one, both]) == one
        assert bounding_box([other, both]) == other


@given(boxes, boxes)
def test_two_boxes_fit_into_their_union(one, other):
    around = bounding_box([one, other])
    assert around == bounding_box([other, one])
    assert around.intersection(one) == one
    assert around.area >= one.area + other.area - one.intersection(other).area


@given(boxes, boxes)
def test_a_share_lies_between_none_and_all(one, other):
    assert 0 <= one.overlap_share(other) <= 1
    assert one.overlap_share(bounding_box([one, other])) == (1 if one.area else 0)


@given(st.lists(boxes, min_size=1, max_size=8))
def test_the_bounding_box_holds_all_and_nothing_more(group):
    around = bounding_box(group)
    assert around.x0 == min(box.x0 for box in group)
    assert around.y0 == min(box.y0 for box in group)
    assert around.x1 == max(box.x1 for box in group)
    assert around.y1 == max(box.y1 for box in group)


def test_boxes_that_do_not_meet_share_nothing():
    left, right = Box(0, 0, 10, 10), Box(20, 20, 30, 30)
    assert left.intersection(right).area == 0
    assert left.overlap_share(right) == 0


def test_half_of_a_box_is_a_share_of_one_half():
    assert Box(0, 0, 10, 10).overlap_share(Box(5, -5, 50, 50)) == 0.5


def test_a_box_grows_on_every_side():
    assert Box(10, 20, 30, 40).inflated(2) == Box(8, 18, 32, 42)


def test_there_is_no_box_around_nothing():
    with pytest.raises(ValueError, match="got 0"):
        bounding_box([])
