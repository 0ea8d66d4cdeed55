"""A letter that is printed as a key or a sign is told as one, not as that letter."""

import pymupdf
import pytest

from desktop.core.parsing.raw_page import gather_page, read_text_layer, text_page
from tests.core.parsing.reading import write_in_hiding_font


def words(page):
    text, rows = text_page(page)
    layer = read_text_layer(page, text, rows)
    return gather_page(0, page, text, layer, with_regions=False).words.texts


@pytest.fixture
def page():
    with pymupdf.open() as document:
        yield document.new_page()


def told(page, shown, said, size=12):
    """The words of a line with one letter of a font that says what `said` gives for it."""
    page.insert_text((50, 100), "Push", fontsize=size)
    write_in_hiding_font(page, (85, 100), shown, said, size=size)
    page.insert_text((105, 100), "to start.", fontsize=size)
    return words(page)


def test_a_letter_that_looks_like_none_is_a_sign(page):
    assert told(page, "W", lambda _: "f") == ("Push", "▢", "to", "start.")


def test_a_letter_that_looks_like_itself_stays(page):
    assert told(page, "R", lambda letter: letter) == ("Push", "R", "to", "start.")


def test_a_small_letter_printed_as_a_capital_stays(page):
    assert told(page, "R", str.lower) == ("Push", "r", "to", "start.")


def test_words_of_another_font_stay(page):
    turned = {"W": "f", "M": "i", "O": "l"}
    assert told(page, "WMOW", turned.__getitem__)[1] == "filf"


def test_a_letter_with_a_line_through_it_stays(page):
    page.draw_line((80, 96), (100, 96))
    assert "R" in told(page, "R", lambda letter: letter)
