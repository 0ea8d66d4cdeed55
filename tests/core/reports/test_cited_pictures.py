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
        for x in range(100, 600, 6):
            pixels[2 * top : 2 * (top + pitch - SPACE), x : x + 3] = 0
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


def columns_of(*places, tinted=False, ruled=0):
    """A page of lines of letters in columns, at two pixels a point; a letter every 3 points.

    places: left and right end of each column. ruled: where a line runs down the page, 0 for none.
    """
    pixels = np.full((2 * HEIGHT, 2 * WIDTH, 3), 255, np.uint8)
    for top in range(20, HEIGHT - 40, 14):
        if tinted:
            pixels[2 * top - 4 : 2 * top + 12] = 220
        for left, right in places:
            for x in range(2 * left, 2 * right, 6):
                pixels[2 * top : 2 * top + 20, x : x + 3] = 0
    if ruled:
        pixels[:, 2 * ruled : 2 * ruled + 2] = 90
    page = DrawnPage(PageImage(2 * WIDTH, 2 * HEIGHT, pixels.tobytes()), WIDTH, HEIGHT)
    top = 20 + 14 * 15
    return page, Box(places[-1][0], top, places[-1][1], top + 10)


def letters(part):
    """How many letters stand beside each other in the widest line."""
    inked = (part.max(axis=2) < 60).astype(np.int8)
    return int((np.diff(inked, axis=1) == 1).sum(axis=1).max())


@pytest.mark.parametrize("tinted", [False, True])
@pytest.mark.parametrize(
    ("places", "ruled"), [([(40, 160), (180, 300)], 0), ([(40, 160), (172, 292)], 166)]
)
def test_a_tight_picture_shows_one_column_of_a_page(places, ruled, tinted):
    page, line = columns_of(*places, tinted=tinted, ruled=ruled)
    part = cited_part(page, [line], tight=True)
    assert letters(part) == 40
    assert part.shape[1] <= 2 * (120 + 20)


def test_all_cells_of_a_row_are_shown_with_little_room_between_them():
    page, right = columns_of((40, 100), (300, 360))
    part = cited_part(page, [Box(40, right.y0, right.x1, right.y1)], tight=True)
    assert letters(part) == 40
    assert part.shape[1] <= 2 * (120 + 40)


def test_headings_are_shown_right_above_a_row_further_down():
    page, row = columns_of((40, 360))
    heading = Box(row.x0, row.y0 - 70, row.x1, row.y0 - 60)
    part = cited_part(page, [heading, row], tight=True)
    assert len(part) < 2 * 110
