"""The parts of pages that a report shows: whole lines, the region in them, nothing beside."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.core.geometry import Box
from desktop.core.page_drawing import DrawnPage
from desktop.core.reports.cited_pictures import cited_part
from desktop.core.structure.values import PageImage

WIDTH, HEIGHT, SPACE = 400, 600, 4


def page_of(pitch, ruled=False):
    """A page of lines, one every `pitch` points, at two pixels a point; and the fifteenth line."""
    pixels = np.full((2 * HEIGHT, 2 * WIDTH, 3), 255, np.uint8)
    tops = range(20, HEIGHT - 40, pitch)
    for top in tops:
        for row in range(2 * top, 2 * (top + pitch - SPACE)):
            pixels[row, 100 + row % 2 : 600 : 2] = 0  # letters: no row is like the next one
    if ruled:
        pixels[:, (60, 650)] = 120
    page = DrawnPage(PageImage(2 * WIDTH, 2 * HEIGHT, pixels.tobytes()), WIDTH, HEIGHT)
    return page, Box(50, tops[15], 300, tops[15] + pitch - SPACE)


def runs(part):
    """Heights in pixels of the lines of a part, from top to bottom."""
    inked = (part.max(axis=2) < 60).any(axis=1).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inked, [0]])))
    return [int(b - a) for a, b in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize("ruled", [True, False])
@pytest.mark.parametrize("tight", [True, False])
@pytest.mark.parametrize("pitch", [9, 11, 12, 14, 15, 17])
def test_no_line_is_cut_at_the_edge_of_a_picture(tight, pitch, ruled):
    page, line = page_of(pitch, ruled)
    heights = runs(cited_part(page, [line], tight=tight))
    assert len(heights) >= 3
    assert set(heights) == {2 * (pitch - SPACE)}


def test_a_picture_leaves_a_little_room_around_its_lines():
    page, line = page_of(14)
    part = cited_part(page, [line], tight=True)
    assert (part[:6] == 255).all()
    assert (part[-6:] == 255).all()
    assert 500 < part.shape[1] < 2 * WIDTH
