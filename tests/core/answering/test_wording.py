"""How a quoted row is told: the lines of its cells, and which of them answers."""

from __future__ import annotations

import numpy as np

from desktop.core.answering.wording import quoted_form
from desktop.core.page_words import PageWords
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.query import Question

LETTER, LINE = 5, 12  # points


def row_of(*cells: tuple[str, ...]) -> tuple[Quote, PageWords]:
    """Return a row with these lines in each cell, and the words of its page, cell after cell."""
    texts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    places: list[tuple[int, ...]] = []
    for column, lines in enumerate(cells):
        places.append(tuple(range(len(texts), len(texts) + sum(len(x.split()) for x in lines))))
        for down, line in enumerate(lines):
            x = column * 200
            for word in line.split():
                boxes.append((x, down * LINE, x + len(word) * LETTER, down * LINE + 10))
                texts.append(word)
                x += (len(word) + 1) * LETTER
    words = PageWords(tuple(texts), np.array(boxes, np.float32), np.arange(len(texts), dtype="i4"))
    text = " | ".join(" ".join(lines) for lines in cells)
    indices = tuple(range(len(texts)))
    return Quote(text, "row", "Register | Meaning", (), (), indices, tuple(places)), words


def told(question: str, *cells: tuple[str, ...]):
    quote, words = row_of(*cells)
    return quoted_form(quote, words, Question.parse(question), None)


STATUS = ("303: Off", "1392: Error found in the generator", "1796: Locked after an error")


def test_lines_that_the_maker_ended_stay_lines():
    assert told("What is register 30917?", ("30917",), STATUS).cells[1] == "\n".join(STATUS)


def test_a_sentence_over_several_lines_is_one_line():
    cell = ("Pull the plug and wait until the", "capacitors have lost their charge", "first.")
    form = told("What does E7 mean?", ("E7",), cell)
    assert form.cells[1] == " ".join(cell)


def test_the_line_with_what_was_asked_is_told_apart():
    form = told("In which state is register 30917 locked?", ("30917",), STATUS)
    assert form.cells[form.asked].split("\n")[form.asked_line] == STATUS[2]


def test_no_line_is_told_apart_where_none_is_ahead():
    form = told("What is register 30917?", ("30917",), STATUS)
    assert form.asked_line == -1
