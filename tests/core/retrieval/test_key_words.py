"""Of a long quote the words that answer are highlighted, of a list how each part begins."""

import numpy as np

from desktop.core.page_words import PageWords
from desktop.core.retrieval.evidence import Passage
from desktop.core.retrieval.grounding import quotes_of
from desktop.core.retrieval.key_words import key_boxes
from desktop.core.retrieval.question import Question
from tests.fakes.parser import words_of

LONG = words_of(
    "The station can be placed in every plant room that is dry and free of frost, and has\n"
    "a floor that bears the load, but the pre-charge of the vessel must be 3.1 bar before\n"
    "water is let in, because the membrane tears when it is filled without any counter\n"
    "pressure, which has happened to many installers who were in a hurry at the end."
)
ROW = words_of("Vessel V1   3.1 bar   before filling")


def said(words, boxes):
    inside = [
        text
        for index, text in enumerate(words.texts)
        if any(box.overlap_share(words.box(index)) or words.box(index) == box for box in boxes)
        or any(words.box(index).overlap_share(box) > 0.5 for box in boxes)
    ]
    return " ".join(inside)


def quoted(words, kind, text=""):
    boxes = words.line_boxes(0, len(words) - 1)
    (quote,) = quotes_of(Passage(1, kind, text, "Service", boxes, (), 1.0), words)
    return quote


def test_of_a_long_sentence_the_clause_with_the_asked_value_is_highlighted():
    question = Question.parse("What pre-charge pressure does the vessel need?")
    key = said(LONG, key_boxes(question, (), quoted(LONG, "paragraph"), LONG))
    assert "pre-charge of the vessel must be 3.1 bar" in key
    assert "hurry" not in key


def test_a_short_sentence_is_highlighted_whole():
    words = words_of("Close the drain valve.")
    question = Question.parse("What must be done with the drain valve?")
    quote = quoted(words, "paragraph")
    assert key_boxes(question, (), quote, words) == quote.boxes


def test_the_cells_of_a_row_are_known_by_their_words():
    quote = quoted(ROW, "row", "Vessel V1 | 3.1 bar | before filling")
    cells = [" ".join(ROW.texts[index] for index in cell) for cell in quote.cells]
    assert cells == ["Vessel V1", "3.1 bar", "before filling"]


def test_of_a_row_that_runs_up_the_page_the_cell_is_highlighted():
    """Turned sheets have lines of words above each other: a cell is a narrow upright box."""
    names = "Cover,Power,Processor,Memory,Network,Display,Sound,Camera,Keys,Lamps,Fans,Relays"
    cells = [f"{name} unit {i}" for i, name in enumerate(names.split(","), 1)]
    texts = " ".join(cells).split()
    boxes = [
        (100.0 + 20 * (i // 3), 300.0 - 40 * (i % 3), 109.0 + 20 * (i // 3), 338.0 - 40 * (i % 3))
        for i in range(len(texts))
    ]
    words = PageWords(
        tuple(texts), np.array(boxes, np.float32), np.arange(len(texts), dtype=np.int32)
    )
    text = " | ".join(cells)
    hull = words.hull(range(len(texts)))
    (quote,) = quotes_of(Passage(1, "row", text, "Sheets", (hull,), (), 1.0), words)
    question = Question.parse("On which sheet is the power unit?")
    key = key_boxes(question, (), quote, words)
    assert said(words, key) == "Power unit 2"
    assert sum(box.area for box in key) < 0.1 * hull.area


def test_of_a_cell_with_whole_sentences_the_clause_is_highlighted():
    words = words_of(
        "Jumper J4 The lamp may be closed or open at any time without any harm to it, but the\n"
        "tank heater needs 230 V at terminal X7, and nobody should touch the screw of the lid\n"
        "while the pump runs, because the chain behind it moves quickly and without a sound."
    )
    text = "Jumper J4 | " + " ".join(words.texts[2:])
    boxes = words.line_boxes(0, len(words) - 1)
    (quote,) = quotes_of(Passage(1, "row", text, "Jumpers", boxes, (), 1.0), words)
    question = Question.parse("What voltage does the tank heater need?")
    key = said(words, key_boxes(question, (), quote, words))
    assert "tank heater needs 230 V" in key
    assert "chain" not in key
