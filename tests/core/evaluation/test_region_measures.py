"""Marks measured by the words in them: all that answer, and nothing beside the quote."""

import numpy as np
import pytest

from desktop.core.evaluation.cited import region_precision, region_recall, words_inside
from desktop.core.geometry import Box
from desktop.core.page_words import PageWords


def page(*lines: str) -> PageWords:
    """Words 40 points wide and 10 high, lines 20 points apart."""
    texts, boxes, numbers = [], [], []
    for row, line in enumerate(lines):
        for column, word in enumerate(line.split()):
            texts.append(word)
            boxes.append((50.0 * column, 20.0 * row, 50.0 * column + 40, 20.0 * row + 10))
            numbers.append(row)
    return PageWords(tuple(texts), np.array(boxes, np.float32), np.array(numbers, np.int32))


PAGE = page("Output Current [mA]", "X1 • 300", "X2 • 400", "Do not exceed the rating.")
LINE = [Box(0, 20 * row, 240, 20 * row + 10) for row in range(4)]


def test_a_word_is_inside_if_its_middle_is():
    assert words_inside(PAGE, [LINE[1]]) == {3, 4, 5}
    assert words_inside(PAGE, [Box(0, 20, 22, 30)]) == {3}
    assert words_inside(PAGE, [Box(0, 20, 18, 30)]) == set()
    assert words_inside(PAGE, []) == set()


def test_recall_is_the_share_of_the_gold_words_however_much_else_is_marked():
    assert region_recall({3, 4, 5}, {3, 4, 5, 6, 7, 8}) == 1
    assert region_recall({3, 4, 5, 6}, {3, 9}) == 0.25


def test_a_row_and_the_headings_of_its_columns_belong_to_the_quote():
    marked = words_inside(PAGE, LINE[:2])
    assert region_precision(PAGE, marked, "X1 | 300", ["Output", "Current [mA]"]) == 1
    assert region_precision(PAGE, marked, "X1 | 300") == pytest.approx(3 / 6)


def test_a_neighbouring_row_does_not_belong_to_it_although_it_has_a_word_of_it():
    doubled = page("X1 300 A", "X1 300 B")
    marked = words_inside(doubled, LINE[:2])
    assert region_precision(doubled, marked, "X1 300 A") == 0.5


def test_capitals_and_stops_are_no_other_words():
    assert region_precision(PAGE, words_inside(PAGE, [LINE[3]]), "do NOT exceed the rating") == 1


def test_no_mark_has_no_precision():
    assert region_precision(PAGE, frozenset(), "X1 | 300") is None
