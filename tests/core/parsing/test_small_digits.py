"""Raised digits and fractions are words as they are printed, not digits of the number before."""

import pymupdf
import pytest

from desktop.core.page_words import PageWords

FONT = pymupdf.Font("helv")
SIZE = 10.0
SMALL, RAISED, LOWERED = 0.6, 3.5, -1.5


def write(page, pieces, at=(60, 100), rotate=0):
    """Write pieces one after the other, each a text, its share of the size and its rise."""
    x, y = at
    for text, share, rise in pieces:
        place = (x, y - rise) if not rotate else (x - rise, y)
        page.insert_text(place, text, fontsize=SIZE * share, rotate=rotate)
        length = FONT.text_length(text, SIZE * share)
        x, y = (x + length, y) if not rotate else (x, y - length)


@pytest.fixture
def words(in_process, make_pdf):
    """Return the words of a page on which the pieces are written."""

    def read(*pieces, rotate=0, turned=0):
        def dress(document):
            page = document.new_page()
            at = (60, 100) if not rotate else (300, 400)
            write(page, pieces, at, rotate)
            page.set_rotation(turned)

        path = make_pdf(pages=0, change=dress)
        (page,) = in_process.read_text(path, 0, 1)
        return list(PageWords.from_bytes(page.words).texts)

    return read


@pytest.mark.parametrize("rotate", [0, 90])
@pytest.mark.parametrize("turned", [0, 90])
def test_a_power_of_ten_is_no_larger_number(words, rotate, turned):
    pieces = (("5 x 10", 1, 0), ("8", SMALL, RAISED), (" cells", 1, 0))

    assert words(*pieces, rotate=rotate, turned=turned) == ["5", "x", "10⁸", "cells"]


def test_a_raised_sign_belongs_to_its_power(words):
    pieces = (("10", 1, 0), ("-6", SMALL, RAISED), (" to 10", 1, 0), ("-3", SMALL, RAISED))

    assert words(*pieces) == ["10⁻⁶", "to", "10⁻³"]


def test_two_powers_of_one_word_are_told_each(words):
    pieces = (("10", 1, 0), ("2", SMALL, RAISED), ("-10", 1, 0), ("3", SMALL, RAISED))

    assert words(*pieces) == ["10²-10³"]


@pytest.mark.parametrize("slash", [SMALL, 1])
def test_a_fraction_is_no_digit_of_the_number_before(words, slash):
    pieces = (
        ("Radius 1", 1, 0),
        ("1", SMALL, RAISED),
        ("/", slash, 0),
        ("16", SMALL, LOWERED),
        ('"', 1, 0),
    )

    assert words(*pieces) == ["Radius", '1¹⁄₁₆"']


def test_a_small_fraction_on_the_line_is_one(words):
    assert words(("3", 1, 0), ("1/2", SMALL, 0), (" bolt", 1, 0)) == ["3¹⁄₂", "bolt"]


def test_the_mark_of_a_footnote_is_no_digit(words):
    assert words(("230", 1, 0), ("1", SMALL, RAISED), (" V", 1, 0)) == ["230¹", "V"]


def test_marks_of_two_numbers_are_no_fraction(words):
    pieces = (("230", 1, 0), ("1", SMALL, RAISED), ("/400", 1, 0), ("2", SMALL, RAISED))

    assert words(*pieces) == ["230¹/400²"]


@pytest.mark.parametrize(
    "pieces",
    [
        (("1", 1, 0), ("25", 1, 0)),
        (("12", 1, 0), ("5", SMALL, 0)),
        (("T10", 1, 0), ("2", SMALL, LOWERED)),
        (("mm", 1, 0), ("2", SMALL, RAISED)),
    ],
)
def test_other_digits_stay_as_they_are(words, pieces):
    assert words(*pieces) == ["".join(text for text, *_ in pieces)]
