"""Highlighted pages as pictures."""

from __future__ import annotations

import numpy as np

from desktop.core.geometry import Box
from desktop.core.marking import on_white
from desktop.core.page_drawing import highlight, write_png
from desktop.core.structure.values import PageImage


def white_page(width=200, height=100):
    return PageImage(width, height, b"\xff" * (width * height * 3))


def test_the_box_is_tinted_where_it_is_and_nowhere_else():
    pixels = highlight(white_page(), 100.0, [Box(20, 10, 60, 30)])
    assert pixels.shape == (100, 200, 3)
    assert tuple(pixels[40, 80]) != (255, 255, 255)
    assert tuple(pixels[40, 10]) == (255, 255, 255)
    assert tuple(pixels[16, 36]) == (255, 255, 255), "the corners are round"
    marked = np.argwhere((pixels != 255).any(axis=2))
    assert marked.min(axis=0).tolist() == [16, 36]
    assert marked.max(axis=0).tolist() == [63, 123]


def test_text_under_the_highlight_stays_readable():
    image = PageImage(100, 100, b"\x00" * 30_000)
    pixels = highlight(image, 100.0, [Box(10, 10, 90, 90), Box(20, 20, 80, 80)])
    assert pixels[50, 50].max() < 120


def test_a_box_that_leaves_the_page_is_cut_off():
    pixels = highlight(white_page(), 100.0, [Box(-50, -50, 500, 500), Box(300, 300, 400, 400)])
    assert pixels.shape == (100, 200, 3)
    assert tuple(pixels[50, 100]) == on_white()


def test_a_page_drawn_smaller_than_asked_still_meets_its_boxes():
    pixels = highlight(white_page(50, 25), 100.0, [Box(50, 25, 100, 50)])
    assert tuple(pixels[20, 40]) != (255, 255, 255)
    assert tuple(pixels[5, 5]) == (255, 255, 255)


def test_the_picture_can_be_read_back(tmp_path):
    from PIL import Image

    target = tmp_path / "page.png"
    pixels = highlight(white_page(), 100.0, [Box(20, 10, 60, 30)])
    write_png(target, pixels)
    assert np.array_equal(np.asarray(Image.open(target)), pixels)
