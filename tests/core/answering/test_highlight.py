"""A highlight covers all that is quoted, and the headings of a row's columns."""

import numpy as np

from desktop.core.answering.extractive import marked_boxes
from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.core.reader.quotes import Quote

WORDS = PageWords(
    ("Part", "Torque", "Cover", "1.2", "Nm"),
    np.array(
        [
            (0, 0, 30, 10),
            (100, 0, 140, 10),
            (0, 20, 30, 30),
            (100, 20, 115, 30),
            (120, 20, 140, 30),
        ],
        np.float32,
    ),
    np.array([0, 0, 1, 1, 1], np.int32),
)
LINE = Box(0, 20, 140, 30)


def test_a_sentence_is_marked_whole():
    quote = Quote("Cover 1.2 Nm", "paragraph", "", ("Cover 1.2 Nm",), (LINE,), (2, 3, 4))
    assert marked_boxes(quote, WORDS) == (LINE,)


def test_a_row_is_marked_with_the_headings_above_its_cells():
    header = (Box(0, 0, 140, 10),)
    row = Quote("Cover | 1.2 Nm", "row", "", ("Cover 1.2 Nm",), (LINE,), (2, 3, 4), (), header)
    assert marked_boxes(row, WORDS) == (LINE, Box(0, 0, 140, 10))
