"""Display texts in symbol-encoded fonts are words; bullets of dingbat fonts are not."""

import numpy as np
import pymupdf
import pytest

from desktop.core.parsing.raw_page import SPACES, read_text_layer, text_page, with_letters


def hidden(text):
    """The text as a font without a character map gives it."""
    return "".join(chr(0xF000 + ord(letter)) for letter in text)


def read(*lines):
    texts = [text for line in lines for text in line]
    numbers = [number for number, line in enumerate(lines) for _ in line]
    return with_letters(texts, np.array(numbers, np.int32))


def test_a_display_text_becomes_the_words_that_are_meant():
    assert read(["Menu", hidden("ENTER"), hidden("PIN:")]) == ["Menu", "ENTER", "PIN:"]


def test_short_texts_beside_a_display_text_are_words_too():
    assert read([hidden("ENTER")], [hidden("DD")], [hidden("0")]) == ["ENTER", "DD", hidden("0")]


@pytest.mark.parametrize(
    "lines",
    [
        [[hidden("l"), "First step"], [hidden("l"), "Second step"]],  # round bullets
        [[hidden("nn"), "Danger"]],
        [["\uf0b7", "Fuse"], ["\uf0fc", "Done"]],
        [["Plain", "words"]],
    ],
)
def test_bullets_stay_what_they_are(lines):
    assert read(*lines) == [text for line in lines for text in line]


def test_what_a_page_shows_is_split_where_its_hidden_spaces_are():
    class TextPage:
        def extractWORDS(self, delimiters):  # noqa: N802 - MuPDF's name
            assert delimiters == SPACES
            box = (10.0, 10.0, 40.0, 20.0)
            return [(*box, hidden("BATTERY"), 0, 0, 0), (*box, hidden("LOW"), 0, 0, 1)]

    with pymupdf.open() as document:
        page = document.new_page()
        page.get_textpage = lambda flags: TextPage()
        layer = read_text_layer(page, *text_page(page))
    assert layer.words.texts == ("BATTERY", "LOW")
