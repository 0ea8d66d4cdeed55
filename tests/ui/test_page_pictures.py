"""Small pictures of pages."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from desktop.core.events import PageRegion
from desktop.core.page_drawing import DrawnPage
from desktop.core.structure.values import PageImage
from desktop.ui.page_pictures import Wish, picture

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
