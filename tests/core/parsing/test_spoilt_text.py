"""Words that a font spoils are read off the page; words that look odd and are right stay."""

from typing import Any

import numpy as np
import pymupdf
import pytest

from desktop.core.page_words import PageWords
from desktop.core.parsing.service import InProcessParser
from tests.core.parsing.reading import PIXELS, PlacedRecognizer, at, write_in_hiding_font

PROSE = (
    "The regulator is set at the factory to the values that are shown on its plate.",
    "Check them before the first start and write them into the log of the pump.",
)
SHOWN = "Turn the upper screw of the first stage until the gauge shows 2.4 bar and lock it."


def shifted(letter):
    return chr(ord(letter) + 3)


@pytest.fixture
def read(settings, make_pdf):
    """Read a page of prose with what `dress` writes on it; return its layout."""
    parsers: list[Any] = []

    def layouts(recognizer, dress, pages=1):
        def change(document):
            for _ in range(pages):
                page = document.new_page(width=500, height=600)
                for number, line in enumerate(PROSE):
                    page.insert_text((30, 100 + 14 * number), line, fontsize=9)
                dress(page)

        path = make_pdf(f"spoilt{len(parsers)}.pdf", pages=0, change=change)
        parser = InProcessParser(settings.model_copy(update={"ocr": True}), lambda: recognizer)
        parsers.append(parser)
        return [parser.read_layout(path, number) for number in range(pages)]

    yield layouts
    for parser in parsers:
        parser.close()


def words_of(layout):
    return PageWords.from_bytes(layout.words)


def test_a_line_without_characters_is_read_off_the_page(read):
    recognizer = PlacedRecognizer([at(SHOWN, 3, 3, 350)])
    (layout,) = read(recognizer, lambda page: write_in_hiding_font(page, (50, 300), SHOWN))

    words = words_of(layout)
    assert words.text.startswith(PROSE[0])
    assert words.text.endswith(SHOWN)
    assert any("2.4 bar" in unit.text for unit in layout.units)
    (image,) = recognizer.images
    assert image.shape[0] < 40 * PIXELS
    first = words.texts.index("Turn")
    assert words.boxes[first, 0] == pytest.approx(50, abs=1.5)
    assert 285 < words.boxes[first, 1] < words.boxes[first, 3] < 310


def test_words_read_off_the_page_are_marked(read):
    recognizer = PlacedRecognizer([at(SHOWN, 3, 3, 350)])
    (layout,) = read(recognizer, lambda page: write_in_hiding_font(page, (50, 300), SHOWN))

    words = words_of(layout)
    read_words = [
        text for text, seen in zip(words.texts, words.are_recognized, strict=True) if seen
    ]
    assert " ".join(read_words) == SHOWN
    assert not layout.ocr


def test_a_font_that_says_other_letters_than_it_shows_is_overruled(read):
    recognizer = PlacedRecognizer([at(SHOWN, 3, 3, 350)], [at(SHOWN, 3, 3, 350)])
    (layout,) = read(recognizer, lambda page: write_in_hiding_font(page, (50, 300), SHOWN, shifted))

    words = words_of(layout)
    assert SHOWN in words.text
    assert "xsshu" not in words.text


def test_short_texts_in_a_font_known_to_be_wrong_are_read_on_later_pages(read):
    long_line, label = [at(SHOWN, 3, 3, 350)], [at("2.4 bar", 3, 3, 35)]
    recognizer = PlacedRecognizer(long_line, label)

    def dress(page):
        text = SHOWN if page.number == 0 else "2.4 bar"
        if page.number == 0:
            write_in_hiding_font(page, (50, 300), SHOWN, shifted)
        else:
            font = page.parent[0].get_fonts()
            page.insert_text((50, 300), text, fontname=_installed_again(page, font))

    layouts = read(recognizer, dress, pages=2)

    assert words_of(layouts[1]).text.endswith("2.4 bar")


def _installed_again(page, fonts):
    """Use the hiding font of the first page on another one."""
    xref, *_, name, _ = next(
        font for font in fonts if font[4].startswith("H") and font[4] != "Helv"
    )
    resources = page.parent.xref_get_key(page.xref, "Resources")
    page.parent.xref_set_key(int(resources[1].split()[0]), f"Font/{name}", f"{xref} 0 R")
    return name


def test_signal_names_that_the_page_really_shows_stay(read):
    signals = "MMC1_CLK DDR_CKN VDD_MPU GPMC_WPN LCD_VSYNC MMC1_CMD DDR_DQM GPMC_CLK DGND PWR_HLD"
    recognizer = PlacedRecognizer([at(signals.replace("0", "O"), 3, 3, 380)])
    layouts = read(
        recognizer,
        lambda page: page.insert_text((50, 300), signals, fontname="cobo", fontsize=7),
        pages=2,
    )

    assert [layout.words for layout in layouts] == [b"", b""]
    assert len(recognizer.images) == 1  # asked once, for both pages


def test_a_spoilt_word_in_a_good_line_is_replaced_where_it_stands(read):
    def dress(page):
        page.insert_text((50, 300), "Check the", fontsize=10)
        write_in_hiding_font(
            page, (100, 300), "configuration", lambda letter: "\ue00f" if letter == "f" else letter
        )
        page.insert_text((170, 300), "of the valve.", fontsize=10)

    recognizer = PlacedRecognizer([at("configuration", 3, 3, 62)])
    (layout,) = read(recognizer, dress)

    words = words_of(layout)
    assert " ".join(words.texts).endswith("Check the configuration of the valve.")
    assert (np.diff(words.lines) >= 0).all()
    assert int(words.are_recognized.sum()) == 1


def test_what_ocr_cannot_read_stays_as_the_text_layer_has_it(read):
    (layout,) = read(
        PlacedRecognizer([], []),
        lambda page: write_in_hiding_font(page, (50, 300), SHOWN, shifted),
    )

    assert layout.words == b""
    assert any(PROSE[0] in block.text for block in layout.blocks)


def test_bullets_without_a_character_cost_no_reading(read):
    recognizer = PlacedRecognizer()

    def dress(page):
        for row in range(4):
            write_in_hiding_font(page, (50, 300 + 14 * row), "o")
            page.insert_text((62, 300 + 14 * row), "Close the valve.", fontsize=9)

    (layout,) = read(recognizer, dress)

    assert recognizer.images == []
    assert layout.words == b""


def test_a_page_that_has_had_its_time_keeps_what_it_has(read, monkeypatch):
    monkeypatch.setattr("desktop.core.parsing.recognized_words._MOST_SECONDS", -1.0)
    recognizer = PlacedRecognizer()
    (layout,) = read(recognizer, lambda page: write_in_hiding_font(page, (50, 300), SHOWN))

    assert recognizer.images == []
    assert any(PROSE[0] in block.text for block in layout.blocks)


def outlined(text):
    """A page on which text stands as the shapes of its letters, as drawing programs write it."""
    with pymupdf.open() as document:
        document.new_page(width=300, height=40).insert_text((10, 20), text, fontsize=10)
        shapes = document[0].get_svg_image(text_as_path=True)
    with pymupdf.open("svg", shapes.encode()) as drawing:
        return pymupdf.open("pdf", drawing.convert_to_pdf())


def test_words_drawn_as_shapes_are_read(read):
    text = "Terminal X2: 24 V DC, 0.6 Nm"
    recognizer = PlacedRecognizer([at(text, 3, 3, 130)])

    def dress(page):
        with outlined(text) as drawing:
            page.show_pdf_page(pymupdf.Rect(50, 300, 350, 340), drawing)

    (layout,) = read(recognizer, dress)

    assert words_of(layout).text.endswith(text)
    assert pymupdf.Rect(55, 300, 220, 335).contains(pymupdf.Rect(*words_of(layout).boxes[-1]))


def test_cells_and_hatching_are_not_taken_for_letters(read):
    recognizer = PlacedRecognizer()

    def dress(page):
        for place in range(60):
            left, top = 60 + 9 * (place % 15), 300 + 12 * (place // 15)
            page.draw_rect((left, top, left + 8, top + 10), fill=(0.9, 0.9, 0.9))

    read(recognizer, dress)

    assert recognizer.images == []
