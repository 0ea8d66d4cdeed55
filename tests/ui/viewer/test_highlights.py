"""Highlights lie where the page's pixels are, and can be stepped through."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
import pymupdf
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.marking import on_white
from desktop.ui.viewer.overlays import Highlights, numbered
from desktop.ui.viewer.page_layout import Fit
from tests.ui.viewer.fakes import FakeLibrary

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel


DRAWN = pymupdf.Rect(148, 186, 290, 216)
CROP = (100, 120, 520, 700)


def pdf_with_a_box(folder: Path, rotation: int, crop: tuple[int, ...] | None) -> tuple[Path, Box]:
    """Make a page with a magenta rectangle; return where it is on the page as displayed."""
    pdf = pymupdf.open()
    page = pdf.new_page(width=612, height=792)
    page.draw_rect(DRAWN, fill=(1, 0, 1), color=None)
    where = pymupdf.Rect(DRAWN)
    if crop:
        page.set_cropbox(pymupdf.Rect(*crop))
        where = where - (crop[0], crop[1], crop[0], crop[1])
    page.set_rotation(rotation)
    where = (where * page.rotation_matrix).normalize()
    path = folder / "box.pdf"
    pdf.save(path)
    return path, Box(*where)


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    flat = np.frombuffer(image.constBits(), np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[
        :, : image.width(), :3
    ].copy()  # or it would point into an image that is gone


def extent(mask: np.ndarray) -> tuple[float, float, float, float]:
    ys, xs = np.nonzero(mask)
    return (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)


def edges(rect: QRectF) -> tuple[float, float, float, float]:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def magenta(image: np.ndarray) -> np.ndarray:
    return (image[..., 0] > 200) & (image[..., 1] < 60) & (image[..., 2] > 200)


def with_and_without_highlights(panel: ViewerPanel, qtbot: QtBot) -> tuple[np.ndarray, np.ndarray]:
    """Grab the pages twice without moving them."""
    qtbot.waitUntil(lambda: not panel.view.zooming and not panel._pulse.running)
    qtbot.wait(20)
    qtbot.waitUntil(lambda: panel.pending_drawings() == 0)
    qtbot.wait(20)
    marked = pixels(panel.view.viewport().grab().toImage()).astype(int)
    kept, panel.view.overlays.highlights = panel.view.overlays.highlights, Highlights()
    plain = pixels(panel.view.viewport().grab().toImage()).astype(int)
    panel.view.overlays.highlights = kept
    return marked, plain


@pytest.mark.parametrize(
    ("rotation", "crop", "turns"),
    [
        *((rotation, crop, 0) for rotation in (0, 90, 180, 270) for crop in (None, CROP)),
        *((0, None, turns) for turns in (1, 2, 3)),
    ],
)
@pytest.mark.parametrize("zoom", [0.63, 1.37, 3.1])  # the last is drawn in tiles
def test_a_highlight_lies_closely_around_the_pixels_of_its_box(
    show, tmp_path, qtbot, rotation, crop, turns, zoom
):
    path, box = pdf_with_a_box(tmp_path, rotation, crop)
    panel = show(FakeLibrary(path))
    panel.show_regions([PageRegion(1, "box.pdf", 0, "1", (box,))])
    panel.view.rotate(turns)
    panel.view.set_zoom(zoom)
    panel.view.reveal(0, [box])
    marked, plain = with_and_without_highlights(panel, qtbot)
    [rect] = panel.highlight_rects(0)
    drawn = np.array(extent(magenta(plain))) / panel.devicePixelRatioF()
    assert np.abs(edges(rect) - drawn).max() <= 1.0
    ratio = panel.devicePixelRatioF()
    page = panel.view.page_frame(0).area
    changed = np.abs(marked - plain).sum(axis=2) > 40
    # its number stands beside the paper
    changed[:, : max(0, int(page.left() * ratio))] = False
    left, top, right, bottom = np.array(extent(changed)) / ratio
    seen = panel.view.viewport().rect()
    padding = max(2.0, 0.1 * rect.height()) + 1.0
    assert 3.0 <= drawn[0] - left <= 5.0, "two pixels of padding and the bar"
    assert right == seen.width() or 1.0 <= right - drawn[2] <= 3.0
    assert 1.0 <= drawn[1] - top <= padding
    assert bottom == seen.height() or 1.0 <= bottom - drawn[3] <= padding


def test_a_row_far_below_its_headings_is_in_view_above_the_bars(show, tmp_path, qtbot):
    path, _ = pdf_with_a_box(tmp_path, 0, None)
    panel = show(FakeLibrary(path))
    panel.view.set_zoom(1.5)
    heading, row = Box(60, 40, 300, 52), Box(60, 700, 300, 712)
    panel.show_regions([PageRegion(1, "box.pdf", 0, "1", (heading, row))])
    qtbot.waitUntil(lambda: not panel.view.zooming)
    free = panel.view.viewport().height() - panel.view._covered
    above, below = panel.highlight_rects(0)
    assert below.top() - above.top() > panel.view.viewport().height()
    assert 0 <= below.top() < below.bottom() <= free


def colour_beside(panel: ViewerPanel, rect: QRectF, dx: float) -> str:
    """Return the colour left of a region, where nothing is printed."""
    image = panel.view.viewport().grab().toImage()
    ratio = panel.devicePixelRatioF()
    return image.pixelColor(int((rect.left() + dx) * ratio), int(rect.center().y() * ratio)).name()


def test_a_highlight_is_the_pen_at_45_percent_and_the_current_one_has_a_bar(panel, qtbot):
    places = [PageRegion(1, "", 3, "1-4", (Box(320, y, 420, y + 20),)) for y in (300, 400)]
    panel.show_regions(places)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 3))
    qtbot.waitUntil(lambda: panel.pending_drawings() == 0 and not panel._pulse.running)
    second, first = panel.highlight_rects(3)  # the current one last
    for rect, bar in ((first, "#0b6bcb"), (second, "#ffffff")):
        assert colour_beside(panel, rect, 20) == QColor(*on_white()).name()
        assert colour_beside(panel, rect, -3) == bar


@pytest.mark.parametrize("zoom", [0.4, 1.0, 3.0])
def test_the_number_stands_beside_the_paper_or_nowhere(panel, qtbot, zoom):
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 0))
    panel.show_regions([PageRegion(1, "", 0, "1-1", (Box(20, 85, 120, 105),))])
    panel.view.set_zoom(zoom)
    marked, plain = with_and_without_highlights(panel, qtbot)
    page, [rect] = panel.view.page_frame(0).area, panel.highlight_rects(0)
    changed = np.abs(marked - plain).sum(axis=2) > 0
    beside = changed[:, : max(0, int(page.left()))]
    assert beside.any() == (zoom < 3.0)
    on_paper = changed.copy()
    on_paper[:, : max(0, int(page.left()))] = False
    around = rect.adjusted(-6, -8, 6, 8)
    on_paper[
        max(0, int(around.top())) : int(around.bottom()),
        max(0, int(around.left())) : int(around.right()),
    ] = False
    assert not on_paper.any(), "no number covers what is printed"


def test_the_highlight_follows_a_page_whose_file_has_another_unit_of_length(show, tmp_path, qtbot):
    path, _ = pdf_with_a_box(tmp_path, 0, None)
    with pymupdf.open(path) as pdf:
        pdf.xref_set_key(pdf[0].xref, "UserUnit", "2")
        doubled = path.with_name("doubled.pdf")
        pdf.save(doubled)
    library = FakeLibrary(doubled)
    panel = show(library)
    assert library.pages(1)[0].width == 1224
    box = Box(*(value * 2 for value in DRAWN))
    panel.show_regions([PageRegion(1, "", 0, "1", (box,))])
    _, plain = with_and_without_highlights(panel, qtbot)
    [rect] = panel.highlight_rects(0)
    drawn = np.array(extent(magenta(plain))) / panel.devicePixelRatioF()
    assert np.abs(edges(rect) - drawn).max() <= 1.0


def is_at(panel: ViewerPanel, place: tuple[int, int]) -> bool:
    return panel.current_location() == place


def regions() -> list[PageRegion]:
    box = Box(72, 600, 300, 620)
    return [
        PageRegion(1, "", 3, "1-4", (box,)),
        PageRegion(1, "", 9, "2-6", (box,)),
        PageRegion(2, "", 2, "3", (Box(72, 85, 200, 105),)),
    ]


def test_highlights_have_the_numbers_of_their_citations_though_notes_took_some():
    places = regions()
    shown = Highlights(numbered(places, [1, 3, 4]), current=1)
    assert [mark.number for page in (3, 9) for mark in shown.on_page(1, page)] == [1, 3]
    assert shown.current is not None
    assert shown.current.page == 9
    assert numbered(places, [1, 2, 3]) == places


def test_a_cited_region_opens_its_manual_and_is_scrolled_into_view(panel, qtbot):
    panel.show_regions(regions(), current=1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 9))
    qtbot.waitUntil(lambda: not panel.view.gliding)
    [rect] = panel.highlight_rects(9)
    assert QRectF(panel.view.viewport().rect()).adjusted(20, 20, -20, -20).contains(rect)
    assert panel.highlight_bar.caption.text() == "2 of 3"
    assert panel.highlight_bar.isVisible()


def test_stepping_goes_through_all_regions_across_manuals_and_round(panel, qtbot):
    panel.show_regions(regions())
    qtbot.waitUntil(lambda: panel.current_location() == (1, 3))
    seen = []
    for place in ((1, 9), (2, 2), (1, 3)):
        panel.actions_by_name["next_highlight"].trigger()
        qtbot.waitUntil(functools.partial(is_at, panel, place))
        seen.append(panel.highlight_bar.caption.text())
    assert seen == ["2 of 3", "3 of 3", "1 of 3"]
    panel.actions_by_name["previous_highlight"].trigger()
    qtbot.waitUntil(lambda: panel.current_location() == (2, 2))


def test_highlights_are_counted_only_beside_a_manual_that_has_one(panel, qtbot):
    panel.show_regions(regions()[:2])
    qtbot.waitUntil(panel.highlight_bar.isVisible)
    panel.open_document(2)
    qtbot.waitUntil(lambda: not panel.highlight_bar.isVisible())
    panel.open_document(1)
    qtbot.waitUntil(panel.highlight_bar.isVisible)


def test_removing_highlights_clears_the_page_and_hides_the_bar(panel, qtbot):
    panel.show_regions(regions())
    qtbot.waitUntil(lambda: panel.current_location() == (1, 3))
    panel.actions_by_name["clear_highlights"].trigger()
    assert panel.highlight_rects(3) == []
    assert not panel.highlight_bar.isVisible()


def test_a_region_without_boxes_shows_its_page(panel, qtbot):
    panel.show_regions([PageRegion(1, "", 6, "2-3", ())])
    qtbot.waitUntil(lambda: panel.current_location() == (1, 6))
    assert panel.highlight_rects(6) == []


def test_a_region_stays_in_view_when_the_window_takes_its_size(panel, qtbot):
    panel.show_regions(regions(), current=1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 9))
    panel.view.set_fit(Fit.WIDTH)
    panel.resize(500, 420)

    def in_view() -> bool:
        [rect] = panel.highlight_rects(9)
        return QRectF(panel.view.viewport().rect()).contains(rect)

    qtbot.wait(150)
    qtbot.waitUntil(in_view)
