"""Small pictures of pages."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.page_drawing import DrawnPage
from desktop.core.structure.values import PageImage
from desktop.ui.viewer.page_pictures import Wish, cut_between_lines, picture

WIDTH = 1240


@pytest.mark.parametrize("height", [207, 228, 249])
def test_a_white_page_is_white_to_its_last_row(qapp, height):
    white = PageImage(WIDTH, height, b"\xff" * (3 * WIDTH * height))
    page = DrawnPage(white, WIDTH / 2, height / 2)
    drawer = SimpleNamespace(draw=lambda *_: page)
    shown = picture(drawer, Wish(PageRegion(1, "Manual", 0, "1", ()), "page", 640))
    assert shown is not None
    assert shown.width() == 640
    last = shown.height() - 1
    assert {shown.pixelColor(x, last).name() for x in range(0, 640, 40)} == {"#ffffff"}


def test_a_picture_begins_and_ends_between_two_lines():
    page = np.full((100, 80, 3), 255, np.uint8)
    page[:, :, 2] = 120  # highlighted
    letters = np.random.default_rng(1)
    for top in range(4, 100, 12):
        page[top : top + 8, 10:70] = letters.choice([20, 255], (8, 60, 1))
    page[:, 40] = 120  # the rule between two columns
    cut = cut_between_lines(page, 58)  # in the middle of the line from 52 to 60
    assert 48 < len(cut) <= 52
    assert len(cut_between_lines(page[:50], 58)) == 50
    begun = cut_between_lines(page[7:50], 58)  # in the middle of the line from 4 to 12
    assert 38 <= len(begun) < 40


def test_a_sign_that_goes_on_beside_two_lines_hides_no_space_between_them():
    page = np.full((40, 400, 3), 255, np.uint8)
    for row in range(24):  # a triangle, higher than the line beside it
        page[row, 40 - row : 42 - row] = page[row, 40 + row : 42 + row] = 0
    letters = np.random.default_rng(1)
    for top in (0, 18):
        page[top : top + 8, 100:300] = letters.choice([20, 255], (8, 200, 1))
    assert len(cut_between_lines(page, 400)) < 33  # begun below the upper line


def test_a_narrow_column_is_shown_no_larger_than_other_text(qapp):
    pixels = np.full((800, 800, 3), 255, np.uint8)  # two pixels a point
    for left, right in ((80, 200), (300, 700)):
        for top in range(40, 760, 28):
            for x in range(left, right, 6):
                pixels[top : top + 20, x : x + 3] = 0
    page = DrawnPage(PageImage(800, 800, pixels.tobytes()), 400, 400)
    place = PageRegion(1, "Manual", 0, "1", (Box(40, 160, 100, 170),))
    shown = picture(SimpleNamespace(draw=lambda *_: page), Wish(place, "close", 440))
    assert shown is not None
    dark = [x for x in range(440) if any(shown.pixelColor(x, y).value() < 90 for y in range(60))]
    assert 100 < dark[-1] - dark[0] <= 2 * 60
