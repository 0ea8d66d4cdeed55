"""Words that a line of a page cuts in two are told whole; words with a hyphen stay."""

import numpy as np
import pytest

from desktop.core.library.library import find_in_words
from desktop.core.page_words import PageWords
from desktop.core.structure.cut_words import spellings_of, with_cuts, with_hyphens
from desktop.core.whole_words import CUT
from tests.fakes.drawn_page import DrawnPage


def page(*lines: str) -> PageWords:
    texts, boxes, numbers = [], [], []
    for number, line in enumerate(lines):
        x = 50.0
        for word in line.split():
            texts.append(word)
            boxes.append((x, 100.0 + 14 * number, x + 5 * len(word), 110.0 + 14 * number))
            x += 5 * len(word) + 4
            numbers.append(number)
    return PageWords(tuple(texts), np.array(boxes, np.float32), np.array(numbers, np.int32))


def read(*lines: str, elsewhere: str = "") -> str:
    return with_cuts(page(*lines), spellings_of(page(elsewhere))).text.replace("\n", " ")


def test_a_word_is_whole_that_the_manual_spells_in_one_piece():
    assert read("keine Gegenstän-", "den darauf", elsewhere="Gegenständen") == (
        "keine Gegenständen darauf"
    )
    assert read("stehen dar-", "auf (dar) auf", elsewhere="Darauf.") == "stehen darauf (dar) auf"
    assert read("INSTAL-", "LATION", elsewhere="Installation") == "INSTALLATION"


def test_a_word_that_stands_nowhere_else_is_whole_if_it_goes_on_with_a_small_letter():
    assert read("the last appli-", "cation is ready") == "the last application is ready"
    assert read("RJ45", "DSL-", "Anzeige") == "RJ45 DSL- Anzeige"


@pytest.mark.parametrize(
    ("lines", "elsewhere"),
    [
        (("a non-", "volatile memory"), "the non-volatile memory"),
        (("beim Ein-", "oder Ausbau"), "den Ein schalten oder"),
        (("the self-", "test runs"), "a test of it self"),
        (("PRE-", "HEAT"), ""),
    ],
)
def test_a_hyphen_of_the_manual_stays(lines, elsewhere):
    assert read(*lines, elsewhere=elsewhere) == " ".join(lines)


def test_the_rest_of_a_word_is_the_next_line_and_not_another_column():
    words = page("appli-", "cation")
    words.boxes[1] += (200, -14, 200, -14)
    assert CUT not in with_cuts(words, ()).text


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("Communicati", "on status ", "is shown ", "here "), "Communication status is shown here"),
        (("Rate", "of the long flow ", "is ", "shown "), "Rate of the long flow is shown"),
        (("Absorption", "V ", "is ", "shown "), "Absorption V is shown"),
        (("Program.UserFunc", "Act ", "is ", "shown "), "Program.UserFuncAct is shown"),
        (("ext", "Pt100", "Alarm", "on "), "ext Pt100 Alarm on"),  # no line ends with white space
        (("two words", "in ", "it ", "here "), "two words in it here"),
    ],
)
def test_a_word_that_fills_a_line_goes_on_where_other_lines_end_with_white_space(lines, told):
    drawn = DrawnPage().paragraph(lines, 50, 100).raw()
    assert with_cuts(drawn.words, (), drawn.spans).text.replace("\n", " ") == told


def test_a_cut_word_is_found_whole_and_marked_on_both_lines():
    words = with_cuts(page("keine Gegenstän-", "den darauf"), ())
    ((first, second),) = find_in_words(words, "gegenständen")
    assert first.y1 < second.y0


@pytest.mark.parametrize("hyphen", ["\N{MINUS SIGN}", "\N{HYPHEN}"])
def test_other_signs_than_the_hyphen_cut_words_too(hyphen):
    assert read(f"Temperatur{hyphen}", "regler") == "Temperaturregler"


def test_an_unknown_letter_is_a_hyphen_where_a_word_goes_on_in_the_next_line():
    told = page("Klem\ufffd", "men X\ufffd Wert\ufffd", "Ein wei\ufffd", "8\ufffd", "mal")
    assert with_hyphens(told.texts, told.boxes, told.lines) == (
        ["Klem-", "men", "X\ufffd", "Wert\ufffd", "Ein", "wei\ufffd", "8\ufffd", "mal"]
    )


def test_a_word_without_letters_after_an_unknown_letter_is_no_rest():
    told = page("Klem\ufffd", "men")
    assert with_hyphens(("Klem\ufffd", ""), told.boxes, told.lines) == ["Klem\ufffd", ""]
