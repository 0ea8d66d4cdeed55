"""Words inside the pictures of a page that has text are found as its own words are."""

from typing import Any

import numpy as np
import pymupdf
import pytest

from desktop.core.page_words import PageWords
from desktop.core.parsing.service import InProcessParser
from desktop.models.errors import ModelNotInstalled
from desktop.models.roles import RecognizedLine
from tests.core.parsing.reading import PIXELS, ScriptedRecognizer, at

PHOTO = pymupdf.Rect(50, 200, 350, 400)
PROSE = (
    "The regulator is set at the factory to the values that are shown on its plate.",
    "Check them before the first start and write them into the log of the pump.",
)


PLATE = (
    at("Setting", 10, 10, 60),
    at("Value", 180, 10, 40),
    at("Cut-in pressure", 10, 26, 90),
    at("2.4 bar", 180, 26, 45),
    at("Cut-out pressure", 10, 42, 95),
    at("3.8 bar", 180, 42, 45),
)


@pytest.fixture
def read(settings, make_pdf):
    """Read a page of prose with photos; return its layout."""
    parsers: list[Any] = []

    def layout(load_recognizer, photos=(PHOTO,), over=(), plain=False, below=""):
        def dress(document):
            page = document.new_page(width=400, height=600)
            for number, line in enumerate(PROSE):
                page.insert_text((30, 100 + 14 * number), line, fontsize=9)
            pixels = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 60, 40), False)
            pixels.clear_with(230)
            if not plain:
                pixels.set_rect((0, 0, 60, 20), (20, 20, 20))
            for photo in photos:
                page.insert_image(photo, pixmap=pixels, keep_proportion=False)
            page.insert_text((60, 420), below, fontsize=9)
            for number, line in enumerate(over):
                page.insert_text((60, 220 + 14 * number), line, fontsize=9)

        path = make_pdf(f"plate{len(parsers)}.pdf", pages=0, change=dress)
        parser = InProcessParser(settings.model_copy(update={"ocr": True}), load_recognizer)
        parsers.append(parser)
        return parser.read_layout(path, 0)

    yield layout
    for parser in parsers:
        parser.close()


def test_a_photographed_table_becomes_rows_with_their_boxes(read):
    layout = read(lambda: ScriptedRecognizer(*PLATE))

    (row,) = [unit for unit in layout.units if "2.4 bar" in unit.text and unit.kind == "row"]
    assert "Cut-in pressure" in row.text
    assert "3.8" not in row.text
    x0, y0, x1, y1 = np.array(row.boxes).T
    assert (x0.min(), y0.min()) == pytest.approx((60, 226), abs=1)
    assert (x1.max(), y1.max()) == pytest.approx((275, 238), abs=1)


def test_the_words_of_the_page_stay_and_those_of_the_picture_come_after(read):
    layout = read(lambda: ScriptedRecognizer(*PLATE))

    words = PageWords.from_bytes(layout.words)
    assert not layout.ocr
    assert words.text.startswith(PROSE[0])
    assert words.text.endswith("3.8 bar")
    assert (np.diff(words.lines) >= 0).all()
    assert any(PROSE[0] in block.text for block in layout.blocks)


def test_words_in_a_picture_make_no_heading_however_large_they_are(read):
    large = RecognizedLine("MAIN MENU", (10, 10, 400, 110), 0.95)
    layout = read(lambda: ScriptedRecognizer(large))

    assert any("MAIN MENU" in block.text for block in layout.blocks)
    assert not [block for block in layout.blocks if block.kind == "heading"]


def test_only_the_picture_is_shown_to_ocr(read):
    recognizer = ScriptedRecognizer(*PLATE)
    read(lambda: recognizer)

    (image,) = recognizer.images
    assert image.shape[:2] == pytest.approx((200 * PIXELS, 300 * PIXELS), abs=2)


def test_a_picture_in_strips_is_read_as_one(read):
    recognizer = ScriptedRecognizer(*PLATE)
    strips = [pymupdf.Rect(50, top, 350, top + 40) for top in range(200, 400, 40)]
    read(lambda: recognizer, photos=strips)

    (image,) = recognizer.images
    assert image.shape[0] == pytest.approx(200 * PIXELS, abs=2)


@pytest.mark.parametrize(
    "page",
    [
        {"photos": [pymupdf.Rect(320, 20, 380, 55)]},
        {"photos": [pymupdf.Rect(50, 200, 80, 230)]},
        {"over": ["Cut-in pressure is 2.4 bar, cut-out pressure is 3.8 bar"] * 8},
        {"plain": True},
    ],
    ids=["a logo", "an icon", "a picture under text", "a plain tint"],
)
def test_a_logo_a_background_and_a_tint_are_not_read(read, page):
    recognizer = ScriptedRecognizer(*PLATE)
    layout = read(lambda: recognizer, **page)

    assert recognizer.images == []
    assert layout.words == b""


def test_of_many_pictures_the_six_largest_are_read(read):
    recognizer = ScriptedRecognizer(*PLATE)
    photos = [
        pymupdf.Rect(left, top, left + 80 - place, top + 60)
        for place, (left, top) in enumerate(
            (left, top) for top in (150, 250, 350) for left in (20, 120, 220)
        )
    ]
    read(lambda: recognizer, photos=photos)

    widths = [image.shape[1] / PIXELS for image in recognizer.images]
    assert widths == pytest.approx([80, 79, 78, 77, 76, 75], abs=1)


def test_a_screenshot_of_one_line_is_read(read):
    recognizer = ScriptedRecognizer(at("root@valve:~# ./reset", 4, 1, 200))
    layout = read(lambda: recognizer, photos=[pymupdf.Rect(50, 300, 350, 314)])

    assert PageWords.from_bytes(layout.words).text.endswith("root@valve:~# ./reset")


def test_a_picture_on_every_page_is_read_once(settings, make_pdf):
    recognizer = ScriptedRecognizer(*PLATE)
    pixels = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 60, 40), False)
    pixels.clear_with(230)
    pixels.set_rect((0, 0, 60, 20), (20, 20, 20))

    def dress(document):
        for page in document:
            page.insert_image(PHOTO, pixmap=pixels, keep_proportion=False)

    path = make_pdf(pages=3, change=dress)
    parser = InProcessParser(settings.model_copy(update={"ocr": True}), lambda: recognizer)
    layouts = [parser.read_layout(path, page) for page in range(3)]
    parser.close()

    assert len(recognizer.images) == 1
    assert all("2.4 bar" in PageWords.from_bytes(layout.words).text for layout in layouts)


def test_callouts_over_a_picture_are_not_said_twice(read):
    callout = at("Cut-in pressure", 10, 12, 66)
    recognizer = ScriptedRecognizer(callout, *PLATE[3:])
    layout = read(lambda: recognizer, over=["Cut-in pressure"])

    assert PageWords.from_bytes(layout.words).text.count("Cut-in") == 1
    assert PageWords.from_bytes(layout.words).text.count("Cut-out") == 1


def test_words_of_a_picture_are_marked_as_read_off_it(read):
    layout = read(lambda: ScriptedRecognizer(*PLATE))

    words = PageWords.from_bytes(layout.words)
    own = sum(len(line.split()) for line in PROSE)
    assert words.are_recognized.tolist() == [False] * own + [True] * (len(words) - own)


def test_words_of_a_picture_are_labels_of_the_figure_with_its_caption(read):
    labels = [at("Battery", 20, 40, 40), at("Solar panel", 180, 120, 60)]
    layout = read(lambda: ScriptedRecognizer(*labels), below="Figure 1: Connection diagram")

    assert [b.kind for b in layout.blocks if b.kind in ("figure", "caption")] == [
        "figure",
        "caption",
    ]
    (label,) = [unit for unit in layout.units if unit.kind == "label"]
    assert label.text == "Battery Solar panel"
    assert label.context.endswith("Figure 1: Connection diagram")


def test_ripples_of_a_photograph_are_no_words(read):
    noise = [
        at("8", 10, 10, 6, 0.8),
        at("TTO", 10, 30, 20, 0.6),
        at("lo ejtaorn bad", 9, 50, 80, 0.6),
    ]
    layout = read(lambda: ScriptedRecognizer(*noise))

    assert layout.words == b""


def test_a_page_with_text_does_not_fail_when_ocr_is_missing(read):
    def not_there():
        raise ModelNotInstalled("text recognition is not installed")

    layout = read(not_there)

    assert not layout.error
    assert any(PROSE[0] in block.text for block in layout.blocks)
