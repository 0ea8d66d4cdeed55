"""Apple's text recognition with a scripted framework; on a Mac, with the real one too."""

import importlib.util
import platform
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import parser_worker
from desktop.core.diagnostics import checkup
from desktop.core.settings.sections import Settings
from desktop.models import built_in
from desktop.models.adapters.ocr import (
    LATIN_LANGUAGES,
    RapidOcrRecognizer,
    VisionFrameworkRecognizer,
    lines_of,
)
from desktop.models.errors import ModelNotInstalled
from tests.fakes.ocrmac import FakeVision

PAGE = np.full((200, 400, 3), 255, np.uint8)  # 400 wide, 200 high


@pytest.fixture
def vision(monkeypatch):
    fake = FakeVision()
    fake.install(monkeypatch)
    return fake


def test_boxes_are_pixels_from_the_top_left_corner(vision):
    vision.found = [("Connect terminal B+", 1.0, [0.1, 0.8, 0.5, 0.1])]
    (line,) = VisionFrameworkRecognizer().recognize(PAGE)
    assert (line.text, line.confidence) == ("Connect terminal B+", 1.0)
    assert line.box == pytest.approx((40, 20, 240, 40))


def test_lines_come_from_top_to_bottom_and_from_left_to_right(vision):
    vision.found = [
        ("bottom", 1.0, [0.1, 0.05, 0.2, 0.1]),
        ("right", 1.0, [0.6, 0.8, 0.2, 0.1]),
        ("left", 0.5, [0.1, 0.8, 0.2, 0.1]),
    ]
    lines = VisionFrameworkRecognizer().recognize(PAGE)
    assert [line.text for line in lines] == ["left", "right", "bottom"]


def test_an_image_without_text_has_no_lines(vision):
    assert VisionFrameworkRecognizer().recognize(PAGE) == []
    assert VisionFrameworkRecognizer().recognize(np.zeros((0, 400, 3), np.uint8)) == []


def test_unsure_lines_are_returned_with_their_confidence(vision):
    vision.found = [("S-130", 0.3, [0.1, 0.5, 0.2, 0.1])]
    assert [line.confidence for line in VisionFrameworkRecognizer().recognize(PAGE)] == [0.3]


def test_what_has_no_text_or_no_extent_is_no_line(vision):
    vision.found = [
        (" ", 1.0, [0.1, 0.5, 0.2, 0.1]),
        ("flat", 1.0, [0.1, 0.5, 0.2, 0.0]),
        ("outside", 1.0, [1.2, 0.5, 0.2, 0.1]),
        ("nowhere", 1.0, [float("nan"), 0.5, 0.2, 0.1]),
    ]
    assert VisionFrameworkRecognizer().recognize(PAGE) == []


def test_the_framework_sees_the_colours_of_the_page(vision):
    page = PAGE.copy()
    page[10, 20] = (220, 30, 40)
    VisionFrameworkRecognizer().recognize(page[:, ::-1])  # a view, not contiguous
    ((seen, _),) = vision.asked
    assert (seen.size, seen.mode) == ((400, 200), "RGB")
    assert seen.getpixel((379, 10)) == (220, 30, 40)


def test_the_language_hints_are_passed_on(vision):
    VisionFrameworkRecognizer().recognize(PAGE)
    assert [hints for _, hints in vision.asked] == [list(LATIN_LANGUAGES)]


def test_a_system_that_knows_fewer_languages_reads_without_hints(vision):
    vision.supported = ("en-US",)
    vision.found = [("Relay", 1.0, [0.1, 0.5, 0.2, 0.1])]
    recognizer = VisionFrameworkRecognizer()
    assert [line.text for line in recognizer.recognize(PAGE)] == ["Relay"]
    assert [line.text for line in recognizer.recognize(PAGE)] == ["Relay"]
    hints = [hints for _, hints in vision.asked]
    assert hints == [list(LATIN_LANGUAGES), None, None]


def test_elsewhere_than_on_a_mac_it_says_so(monkeypatch):
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    with pytest.raises(ModelNotInstalled, match="Mac"):
        VisionFrameworkRecognizer().load()


shares = st.floats(-0.5, 1.5)
extents = st.floats(0, 1)
boxes = st.tuples(shares, shares, extents, extents)


@given(st.lists(boxes, max_size=6), st.integers(1, 5000), st.integers(1, 5000))
def test_every_line_lies_inside_the_image_and_below_the_one_before(found, width, height):
    lines = lines_of([("x", 1.0, box) for box in found], width, height)
    for line in lines:
        x0, y0, x1, y1 = line.box
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height
    assert [line.box[1] for line in lines] == sorted(line.box[1] for line in lines)


@given(st.integers(1, 4000), st.integers(1, 4000), st.data())
def test_a_box_drawn_in_pixels_comes_back_from_shares(width, height, data):
    x0 = data.draw(st.integers(0, width - 1))
    y0 = data.draw(st.integers(0, height - 1))
    x1 = data.draw(st.integers(x0 + 1, width))
    y1 = data.draw(st.integers(y0 + 1, height))
    share = (x0 / width, (height - y1) / height, (x1 - x0) / width, (y1 - y0) / height)
    (line,) = lines_of([("x", 1.0, share)], width, height)
    assert line.box == pytest.approx((x0, y0, x1, y1), abs=1e-6)


@given(st.lists(boxes, max_size=6))
def test_turning_the_shares_upside_down_turns_the_lines_upside_down(found):
    upside_down = [(x, 1 - y - up, across, up) for x, y, across, up in found]
    one = lines_of([("x", 1.0, box) for box in found], 100, 100)
    other = lines_of([("x", 1.0, box) for box in upside_down], 100, 100)
    turned = [(x0, 100 - y1, x1, 100 - y0) for x0, y0, x1, y1 in _boxes(other)]
    # what is thinner than a rounding error may be a line in one and none in the other
    thick = [sorted(box for box in rows if _thick(box)) for rows in (turned, _boxes(one))]
    assert np.allclose(thick[0], thick[1], atol=1e-6)


def _boxes(lines):
    return [line.box for line in lines]


def _thick(box):
    return box[2] - box[0] > 1e-6 and box[3] - box[1] > 1e-6


@pytest.fixture
def rapidocr(monkeypatch):
    """RapidOCR without reading its models."""
    monkeypatch.setattr(RapidOcrRecognizer, "load", lambda self: None)


def test_a_mac_with_ocrmac_reads_scanned_pages_by_vision(vision):
    assert built_in.preferred_reader() == "vision"
    assert isinstance(parser_worker.load_recognizer(), VisionFrameworkRecognizer)


def test_the_doctor_names_what_reads_scanned_pages(vision):
    finding = checkup._ocr(Settings())
    assert finding.state == "ok"
    assert "Apple's Vision framework" in finding.found


def test_a_mac_without_ocrmac_reads_scanned_pages_by_rapidocr(rapidocr, monkeypatch):
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert built_in.preferred_reader() == "rapidocr"
    assert isinstance(parser_worker.load_recognizer(), RapidOcrRecognizer)


def test_where_vision_cannot_be_called_rapidocr_reads(vision, rapidocr, monkeypatch):
    monkeypatch.setitem(sys.modules, "ocrmac.ocrmac", None)  # importing it fails
    assert isinstance(parser_worker.load_recognizer(), RapidOcrRecognizer)


def test_linux_reads_scanned_pages_by_rapidocr(vision, rapidocr, monkeypatch):
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    assert built_in.preferred_reader() == "rapidocr"
    assert isinstance(parser_worker.load_recognizer(), RapidOcrRecognizer)


@pytest.mark.models
@pytest.mark.skipif(sys.platform != "darwin", reason="Apple's Vision framework is on a Mac only")
def test_the_real_framework_reads_a_drawn_line():
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (900, 200), "white")
    font = ImageFont.load_default(40)
    ImageDraw.Draw(image).text((60, 60), "Connect terminal B+", fill="black", font=font)
    (line,) = VisionFrameworkRecognizer().recognize(np.array(image))
    assert "terminal" in line.text
    assert line.box[0] == pytest.approx(60, abs=15)
    assert line.box[1] == pytest.approx(65, abs=25)
