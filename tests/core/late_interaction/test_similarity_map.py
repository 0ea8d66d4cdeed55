"""From maps over the patch grid to boxes on the page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.core.geometry import Box
from desktop.core.retrieval.visual_search import (
    heat_boxes,
    heat_map,
    token_maps,
)

PAGE = (600.0, 800.0)


def boxes_of(maps):
    return heat_boxes(heat_map(maps), PAGE)


def maps_with(*spots, tokens=1, rows=8, columns=6, ground=0.1):
    """One map per token; a spot is (token, row, column, value)."""
    maps = np.full((tokens, rows, columns), ground, np.float32)
    for token, row, column, value in spots:
        maps[token, row, column] = value
    return maps


def test_a_spot_becomes_the_box_of_its_patch_in_points():
    boxes = boxes_of(maps_with((0, 2, 3, 0.9)))
    assert boxes == (Box(300.0, 200.0, 400.0, 300.0),)


def test_patches_side_by_side_are_one_region_and_distant_ones_two():
    maps = maps_with((0, 1, 1, 0.9), (0, 1, 2, 0.8), (0, 2, 3, 0.8), (0, 6, 5, 0.85))
    first, second = boxes_of(maps)
    assert first == Box(100.0, 100.0, 400.0, 300.0)
    assert second == Box(500.0, 600.0, 600.0, 700.0)


def test_a_word_that_is_near_everything_says_nothing_about_the_place():
    chance = np.random.default_rng(0)
    maps = maps_with((0, 5, 2, 0.6), tokens=3)
    maps[1:] = 0.9 + 0.01 * chance.random((2, 8, 6))
    assert boxes_of(maps)[0] == Box(200.0, 500.0, 300.0, 600.0)


def test_a_map_without_any_contrast_has_no_region():
    assert boxes_of(maps_with()) == ()
    assert heat_map(maps_with()).values.max() == 0


def test_token_maps_follow_the_grid_row_by_row():
    patches = np.eye(6, dtype=np.float32)
    maps = token_maps(patches[4:5], patches, 2, 3)
    assert maps.shape == (1, 2, 3)
    assert np.argwhere(maps[0] == 1).tolist() == [[1, 1]]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    tokens=st.integers(1, 5),
    rows=st.integers(1, 12),
    columns=st.integers(1, 12),
)
def test_boxes_lie_on_the_page_and_cover_the_hottest_patch(seed, tokens, rows, columns):
    maps = np.random.default_rng(seed).standard_normal((tokens, rows, columns)).astype(np.float32)
    heat = heat_map(maps).values
    boxes = heat_boxes(heat_map(maps), PAGE)
    assert heat.min() >= 0
    assert heat.max() <= 1 + 1e-6
    assert len(boxes) <= 3
    for box in boxes:
        assert 0 <= box.x0 < box.x1 <= PAGE[0] + 1e-6
        assert 0 <= box.y0 < box.y1 <= PAGE[1] + 1e-6
    if boxes:
        row, column = np.unravel_index(int(heat.argmax()), heat.shape)
        middle = ((column + 0.5) * PAGE[0] / columns, (row + 0.5) * PAGE[1] / rows)
        assert any(b.x0 < middle[0] < b.x1 and b.y0 < middle[1] < b.y1 for b in boxes)
        assert max(b.area for b in boxes) >= PAGE[0] * PAGE[1] / rows / columns * 0.999
    elif rows * columns > 2:
        assert heat.max() == pytest.approx(0, abs=1e-6)
