"""What a recogniser sees becomes words; what only looks like letters does not."""

import pytest

from desktop.core.parsing.recognized_words import SURE_IN_PICTURE, words_of_lines
from desktop.models.roles import RecognizedLine


def words(*lines, **sure):
    found = [
        RecognizedLine(text, (0.0, 20.0 * row, 10.0 * len(text), 20.0 * row + 12), confidence)
        for row, (text, confidence) in enumerate(lines)
    ]
    return words_of_lines(found, 1.0, 1.0, **sure)


def test_a_blurred_sentence_of_a_scan_is_kept():
    assert words(("Close the upper valve first", 0.55)).text == "Close the upper valve first"


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("8", 0.55),
        ("TTO", 0.5),
        ("->", 0.99),
        ("Close the upper valve", 0.4),
        ("qqqqqqqqqqqq", 0.9),
    ],
)
def test_what_only_looks_like_letters_is_left_out(text, confidence):
    assert words((text, confidence), ("Close the valve", 0.99)).text == "Close the valve"


def test_a_digit_in_a_cell_of_a_scanned_table_is_kept_and_a_hole_in_a_photograph_is_not():
    assert words(("0", 0.7)).text == "0"
    assert not len(words(("0", 0.8), sure=SURE_IN_PICTURE))


def test_print_too_small_to_read_in_a_picture_is_left_out():
    assert not len(words(("lo ejtaorn bad", 0.6), sure=SURE_IN_PICTURE))
    assert words(("PIN9/LCD_D08", 0.8), sure=SURE_IN_PICTURE).text == "PIN9/LCD_D08"


def test_a_capacitor_in_a_latin_drawing_is_no_chinese_character():
    assert words(("\u65e5 C12", 0.9), ("Power supply", 0.99)).text == "C12\nPower supply"


def test_a_chinese_manual_keeps_its_characters():
    assert words(("\u7535\u6c60\u6d4b\u8bd5 24 V", 0.95)).texts[0] == "\u7535\u6c60\u6d4b\u8bd5"


def test_the_page_number_of_a_contents_line_is_a_word_of_its_own_with_its_place():
    page = words(("Features.....15", 0.95))

    assert page.texts == ("Features", "15")
    assert page.boxes[1].tolist() == [130, 0, 150, 12]
    assert page.lines.tolist() == [0, 0]


@pytest.mark.parametrize("text", ["ls ../src", "0..5", "wait..."])
def test_dots_that_lead_to_no_page_stay(text):
    assert words((text, 0.95)).text == text
