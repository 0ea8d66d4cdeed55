"""The labels of a drawing and their neighbours."""

from __future__ import annotations

import numpy as np

from desktop.core.agent.marking import marked_boxes
from desktop.core.agent.shown_text import shown_text
from desktop.core.page_words import PageWords
from desktop.core.retrieval.drawing_labels import drawn_labels, named_labels
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question

# Words, and where the first letter stands; each letter is 6 wide, each line 10 high.
BOARD = (
    ("FUEL", 400, 100),
    ("PUMP", 430, 100),
    ("SOCKET", 400, 112),
    ("MAINS", 400, 60),
    ("INLET", 436, 60),
    ("USB", 400, 160),
    ("1", 424, 160),
    ("SPEAKER", 60, 500),
    ("+", 404, 130),
)
WHERE = Question.parse("Next to which connector does the fuel pump socket sit?")


def board() -> tuple[Quote, PageWords]:
    boxes = [(x, y, x + 6 * len(text), y + 10) for text, x, y in BOARD]
    texts = tuple(text for text, _, _ in BOARD)
    words = PageWords(texts, np.array(boxes, np.float32), np.arange(len(texts), dtype=np.int32))
    indices = tuple(range(len(texts)))
    joined = " ".join(texts)
    return Quote(joined, "label", "Board", (joined,), (words.hull(indices),), indices), words


def test_words_beside_and_below_each_other_are_one_label():
    quote, words = board()
    labels = {label.text for label in drawn_labels(quote.indices, words)}
    assert labels == {"FUEL PUMP SOCKET", "MAINS INLET", "USB 1", "SPEAKER", "+"}


def test_a_word_printed_twice_over_itself_is_read_once():
    words = PageWords(
        ("LAMP", "LAMP"),
        np.array([(10, 10, 34, 20), (10.2, 10, 34.2, 20)], np.float32),
        np.arange(2, dtype=np.int32),
    )
    assert [label.text for label in drawn_labels((0, 1), words)] == ["LAMP"]


def test_what_a_drawing_says_of_a_thing_is_what_stands_beside_it():
    quote, words = board()
    text, _ = shown_text(quote, WHERE, (), words)
    assert text.startswith("Drawing: Board: FUEL PUMP SOCKET (beside ")
    assert "MAINS INLET" in text
    assert "USB 1" in text
    assert "+" not in text


def test_a_label_that_names_nothing_of_the_question_is_not_taken_for_it():
    quote, words = board()
    question = Question.parse("Where is the oil filter?")
    assert not named_labels(question, (), drawn_labels(quote.indices, words))
    assert shown_text(quote, question, (), words)[0] == "Drawing: Board"


def test_a_drawing_that_is_the_whole_page_is_marked_where_it_names_what_is_asked():
    quote, words = board()
    page = Evidence(1, "board.pdf", "Board", 0, "1", 1.0, (), ())
    (box,) = marked_boxes(WHERE, page, quote, words, first=True)
    assert box == words.hull([0, 1, 2])
