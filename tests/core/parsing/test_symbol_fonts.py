"""Signs of symbol fonts are what these fonts draw; bullets printed as a letter are bullets."""

import numpy as np
import pytest

from desktop.core.page_words import PageWords
from desktop.core.parsing.symbol_fonts import with_signs
from desktop.core.structure.raw import RawSpan


def page(*runs):
    """Words and spans of a page. runs: (line, x, text, font), each a word, ten points high."""
    boxes = [(x, 20.0 * line, x + 5 * len(text), 20.0 * line + 10) for line, x, text, _ in runs]
    words = PageWords(
        tuple(text for _, _, text, _ in runs),
        np.array(boxes, np.float32),
        np.array([line for line, *_ in runs], np.int32),
    )
    spans = [
        RawSpan(text, box, 10.0, False, 0, font)
        for (_, _, text, font), box in zip(runs, boxes, strict=True)
    ]
    return words, spans


def texts(*runs):
    return with_signs(*page(*runs)).texts


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("SymbolMT", "\uf057", "Ω"),
        ("Symbol", "\uf06d", "μ"),
        ("Symbol", "\uf0a3", "≤"),
        ("Wingdings-Regular", "\uf0a7", "▪"),
        ("Wingdings", "\uf0b0", "\uf0b0"),  # no degree sign, and no other font shows what it is
        ("Wingdings 2", "\uf052", "☑"),
        ("Wingdings3", "\uf074", "◀"),
        ("Wingdings-Regular", "n", "\u25fc"),
        ("Wingdings-Regular", "ð", "⇨"),
        ("Symbol", "x", "x"),
        ("DisplaySymbols", "\uf057", "\uf057"),
    ],
)
def test_a_code_is_the_sign_that_its_font_draws(font, code, shown):
    assert texts((0, 50, "Rated", "Arial"), (0, 90, code, font)) == ("Rated", shown)


def test_a_sign_inside_a_word_is_told_and_the_letters_of_another_font_stay():
    words, spans = page((0, 50, "10\uf06dA", "Arial"))
    spans = [
        RawSpan("10", (50, 0, 60, 10), 10, False, 0, "Arial"),
        RawSpan("\uf06d", (60, 0, 65, 10), 10, False, 0, "Symbol"),
        RawSpan("A", (65, 0, 70, 10), 10, False, 0, "Arial"),
    ]
    assert with_signs(words, spans).texts == ("10μA",)


def test_the_same_letter_of_a_font_of_signs_before_several_lines_marks_a_list():
    lines = [(0, 50, "H", "PSOsym"), (0, 60, "Relay", "Univers")]
    lines += [(1, 50, "H", "PSOsym"), (1, 60, "Fuse", "Univers")]
    assert texts(*lines) == ("•", "Relay", "•", "Fuse")


ON = (2, 50, "On", "C")


@pytest.mark.parametrize(
    "lines",
    [
        # letters of a legend, a sign alone, a step's number, a font with words, another place
        [(0, 50, "A", "C"), (0, 60, "Screw", "U"), (1, 50, "B", "C"), (1, 60, "Nut", "U")],
        [(0, 50, "H", "C"), (0, 60, "Relay", "U")],
        [(0, 50, "1", "C"), (0, 60, "Open", "U"), (1, 50, "1", "C"), (1, 60, "Close", "U")],
        [(0, 50, "A", "C"), (0, 60, "x", "U"), (1, 50, "A", "C"), (1, 60, "y", "U"), ON],
        [(0, 50, "H", "C"), (0, 60, "in", "U"), (1, 90, "H", "C"), (1, 99, "out", "U")],
    ],
)
def test_letters_that_mark_no_list_stay(lines):
    assert texts(*lines) == tuple(text for _, _, text, _ in lines)
