"""The parts of pages that a report shows: whole lines, the region in them, nothing beside."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.core.geometry import Box
from desktop.core.page_drawing import DrawnPage
from desktop.core.reports.cited_pictures import cited_part
from desktop.core.structure.values import PageImage

WIDTH, HEIGHT, SPACE = 400, 600, 4


def page_of(pitch, *, ruled=False):
    """A page of lines, one every `pitch` points, at two pixels a point; and the fifteenth line.

    ruled: two lines run down the page, as in a table.
    """
    pixels = np.full((2 * HEIGHT, 2 * WIDTH, 3), 255, np.uint8)
    tops = range(20, HEIGHT - 40, pitch)
    for top in tops:
        pixels[2 * top : 2 * (top + pitch - SPACE), 100:600] = 0
    if ruled:
        pixels[:, [80, 640]] = 0
    page = DrawnPage(PageImage(2 * WIDTH, 2 * HEIGHT, pixels.tobytes()), WIDTH, HEIGHT)
    return page, Box(50, tops[15], 300, tops[15] + pitch - SPACE)


def runs(part):
    """Heights in pixels of the lines of a part, from top to bottom."""
    inked = (part.max(axis=2) < 60).any(axis=1).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inked, [0]])))
    return [int(b - a) for a, b in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize("tight", [True, False])
@pytest.mark.parametrize("pitch", [9, 11, 12, 14, 15, 17])
def test_no_line_is_cut_at_the_edge_of_a_picture(tight, pitch, ruled):
    page, line = page_of(pitch, ruled=ruled)
    part = cited_part(page, [line], tight=tight)
    if ruled:
        part = part[:, (part.max(axis=2) < 60).mean(axis=0) < 0.9]
    heights = runs(part)
    assert len(heights) >= 3
    assert set(heights) == {2 * (pitch - SPACE)}


def test_a_picture_leaves_a_little_room_around_its_lines():
    page, line = page_of(14)
    part = cited_part(page, [line], tight=True)
    assert (part[:6] == 255).all()
    assert (part[-6:] == 255).all()
    assert 500 < part.shape[1] < 2 * WIDTH


def test_what_stands_far_between_the_headings_and_the_row_is_folded_away():
    page, line = page_of(14)
    far = Box(line.x0, line.y0 + 280, line.x1, line.y1 + 280)
    both, one = (cited_part(page, boxes, tight=True) for boxes in ([line, far], [line]))
    assert len(both) < 3 * len(one)
    yellow = (both[..., 2] < 200) & (both[..., 0] > 200)
    marked = np.flatnonzero(np.diff(np.concatenate([[0], yellow.any(axis=1), [0]]).astype(int)))
    assert len(marked) >= 4
